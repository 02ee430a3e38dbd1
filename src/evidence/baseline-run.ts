import type { Attempt } from '../attempt/attempt.ts';
import type { SliceInput } from '../contract/activities.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { EvidencePorts } from './evidence-ports.ts';

/** The part of the slice that the baseline needs. */
export interface BaselineRun {
  readonly ports: EvidencePorts;
  readonly attempt: Attempt;
  readonly input: SliceInput;
  readonly brief: GoalBrief;
  readonly signal: AbortSignal;
}
