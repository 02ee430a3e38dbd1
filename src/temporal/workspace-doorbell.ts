import type { RingNext } from '../store/workspaces/workspace-lease.ts';
import type { ExecutionsPort } from './executions.ts';

/** For commits, which wait for no bell; one that gets lost is rung again by the reconciler. */
export const workspaceDoorbell =
  (executions: Pick<ExecutionsPort, 'ringWorkspaceFree'>): RingNext =>
  (next) =>
    void executions.ringWorkspaceFree(next).catch(() => {});
