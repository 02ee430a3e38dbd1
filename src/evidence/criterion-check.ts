import type { Criterion, TrackedCriterion } from '../../schema/criteria.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { CheckEvidenceInput } from '../contract/activities.ts';
import type { CriterionEvidence } from '../contract/evidence.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { Original } from '../contract/original.ts';
import type { WorkspaceWatch } from '../workspace/watch.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import { type HostRun, hostRunIn } from './host-run.ts';

/** State of the gate while it checks the criteria. */
export interface GateRun {
  readonly ports: EvidencePorts;
  readonly input: CheckEvidenceInput;
  readonly attempt: Attempt;
  readonly brief: GoalBrief;
  /** Counts the rounds of this gate: each has runs of its own. */
  readonly round: number;
  readonly watch: WorkspaceWatch;
  readonly signal: AbortSignal;
  /** Settled rows of the goal as this round began: a long goal's ledger is read once a round. */
  readonly receipts: readonly LedgerRow[];
  /** A commit that is judged in place of the workspace's files; absent in goals. */
  readonly head?: Original | undefined;
}

/** Result of checking one criterion; the gate adds its id and baseline. */
export type Finding = Omit<CriterionEvidence, 'criterionId' | 'baseline'>;

export type CriterionOf<Kind extends Criterion['kind']> = Omit<TrackedCriterion, 'spec'> & {
  readonly spec: Extract<Criterion, { kind: Kind }>;
};

/** One kind of criterion: the file of its name holds how it is checked. */
export type CriterionCheck<Kind extends Criterion['kind']> = (
  gate: GateRun,
  criterion: CriterionOf<Kind>,
) => Promise<Finding>;

export const hostRunOf = (gate: GateRun): HostRun => ({
  ...hostRunIn(gate, 'gate', `gate.t${gate.input.turn}.${gate.attempt.fence.token}.${gate.round}`),
  watch: gate.watch,
});
