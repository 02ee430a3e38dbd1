import type { DelegationWakeup, NotifyDelegation } from '../store/delegates/delegation-wakeups.ts';
import type { ExecutionsPort } from './executions.ts';

type Wakeups = Pick<ExecutionsPort, 'start' | 'ringFamily'>;

export const deliverWakeup = (executions: Wakeups, bell: DelegationWakeup): Promise<void> =>
  bell.isStart ? executions.start(bell) : executions.ringFamily(bell);

/** For commits, which wait for no bell; one that gets lost is rung again by the reconciler. */
export const delegationNotifier =
  (executions: Wakeups): NotifyDelegation =>
  (bell) =>
    void deliverWakeup(executions, bell).catch(() => {});
