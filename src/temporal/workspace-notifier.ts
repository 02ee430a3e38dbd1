import type { NotifyNext } from '../store/workspaces/workspace-lease.ts';
import type { ExecutionsPort } from './executions.ts';

/** A commit doesn't wait for its notification; the reconciler repeats a lost one. */
export const workspaceNotifier =
  (executions: Pick<ExecutionsPort, 'notifyWorkspaceFree'>): NotifyNext =>
  (next) =>
    void executions.notifyWorkspaceFree(next).catch(() => {});
