import type { NotifyNext } from '../store/workspaces/workspace-lease.ts';
import type { ExecutionsPort } from './executions.ts';

/** For commits, which wait for no bell; one that gets lost is rung again by the reconciler. */
export const workspaceNotifier =
  (executions: Pick<ExecutionsPort, 'ringWorkspaceFree'>): NotifyNext =>
  (next) =>
    void executions.ringWorkspaceFree(next).catch(() => {});
