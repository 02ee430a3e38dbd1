import type { DelegationWakeup, NotifyDelegation } from '../store/delegates/delegation-wakeups.ts';
import type { ExecutionsPort } from './executions.ts';

type Wakeups = Pick<ExecutionsPort, 'start' | 'notifyDelegation'>;

export const deliverWakeup = (executions: Wakeups, wakeup: DelegationWakeup): Promise<void> =>
  wakeup.isStart ? executions.start(wakeup) : executions.notifyDelegation(wakeup);

/** A commit doesn't wait for its notification; the reconciler repeats a lost one. */
export const delegationNotifier =
  (executions: Wakeups): NotifyDelegation =>
  (wakeup) =>
    void deliverWakeup(executions, wakeup).catch(() => {});
