import type { DelegationWakeup, NotifyDelegation } from '../store/delegates/delegation-wakeups.ts';
import type { ExecutionsPort } from './executions.ts';

type Wakeups = Pick<ExecutionsPort, 'start' | 'ringFamily'>;

export const deliverWakeup = (executions: Wakeups, bell: DelegationWakeup): Promise<void> =>
  bell.isStart ? executions.start(bell) : executions.ringFamily(bell);

/** A commit doesn't wait for its notification; the reconciler repeats a lost one. */
export const delegationNotifier =
  (executions: Wakeups): NotifyDelegation =>
  (bell) =>
    void deliverWakeup(executions, bell).catch(() => {});
