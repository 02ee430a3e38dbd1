import type { FamilyBell, RingFamily } from '../store/delegates/family-bells.ts';
import type { ExecutionsPort } from './executions.ts';

type Bells = Pick<ExecutionsPort, 'start' | 'ringFamily'>;

export const answerBell = (executions: Bells, bell: FamilyBell): Promise<void> =>
  bell.isStart ? executions.start(bell) : executions.ringFamily(bell);

/** For commits, which wait for no bell; one that gets lost is rung again by the reconciler. */
export const familyDoorbell =
  (executions: Bells): RingFamily =>
  (bell) =>
    void answerBell(executions, bell).catch(() => {});
