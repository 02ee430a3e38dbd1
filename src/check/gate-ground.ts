import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Scope, StoredScope } from '../../schema/scope.ts';
import type { EffectsSession } from '../contract/effects.ts';
import type { GoalBrief, StoredBaseline } from '../contract/goal-brief.ts';
import type { ProofGround } from '../contract/original.ts';
import type { GateRun } from '../evidence/criterion-check.ts';
import type { EvidencePorts } from '../evidence/evidence-ports.ts';
import type { HostRun } from '../evidence/host-run.ts';
import { differences } from '../evidence/proof/differences.ts';
import { treeWith } from '../evidence/proof/search.ts';
import { keptPackages } from '../evidence/proof/setup.ts';
import { setupRulesOf } from '../evidence/proof/setup-plans.ts';
import { commandsOf } from '../proof/proof-parts.ts';
import { type Comparison, withComparison } from '../proof-place/original.ts';
import type { WorkspaceWatch } from '../workspace/watch.ts';
import type { CheckOrder } from './order.ts';
import type { CheckRecord } from './record.ts';
import type { Trees } from './trees.ts';

/** What a check works with. */
export interface CheckGround {
  /** Where setups are kept and the place is made; no command sees it. */
  readonly home: string;
  /** Where seeds of toolchains are kept. */
  readonly seeds: string;
  /** The top of the repository. */
  readonly workspace: string;
  readonly effects: EffectsSession;
  readonly record: CheckRecord;
  readonly signal: AbortSignal;
}

export interface Judging {
  readonly ground: CheckGround;
  readonly order: CheckOrder;
  readonly trees: Trees;
  readonly scope: Scope;
  readonly given: StoredScope;
  readonly criteria: readonly TrackedCriterion[];
  readonly isAccepted: (name: string) => boolean;
}

export interface Compared extends Awaited<ReturnType<typeof differences>> {
  readonly trees: Comparison;
}

export async function compared<Result>(
  { ground, trees: { head, original }, order, ...judging }: Judging,
  proof: ProofGround,
  use: (compared: Compared) => Promise<Result>,
): Promise<Result> {
  const { home, workspace, record } = ground;
  const place = { home, goalId: record.goalId, workspace, head };
  return await withComparison(place, original, async (trees) => {
    const setup = rulesOf({ ground, order, ...judging });
    const kept = await keptPackages(home, treeWith({ trees, packages: [], setup }, []));
    const commands = commandsOf(judging.criteria);
    return await use({
      ...{ trees, ...(await differences(workspace, proof, trees, kept, commands)) },
    });
  });
}

type RulesGround = Pick<Judging, 'ground' | 'order' | 'criteria'>;

export const rulesOf = ({ ground, order, criteria }: RulesGround) =>
  setupRulesOf({
    setup: order.setup,
    policy: policyOf(order),
    criteria,
    workspace: workspaceOf(ground),
  });

const policyOf = ({ dependencies, feltShare }: CheckOrder) => ({
  ...{ completion: 'verified', proof: 'scope', onUnknown: 'ask', dependencies },
  ...(feltShare > 0 && { felt: { share: feltShare } }),
});

const workspaceOf = ({ workspace }: CheckGround): GoalBrief['workspace'] => ({
  ...{ name: 'check', path: workspace, marker: '', writeSeq: 0 },
});

export function hostOf(ground: CheckGround, prefix: string): HostRun {
  const { home, seeds, workspace, effects, record, signal } = ground;
  return {
    ports: { home, seeds, journal: record.journal, proofs: record.proofs },
    attempt: { fence: fenceOf(record), effects },
    ...{ workspace, workspaceName: 'check', turn: 0, prefix, signal },
    origin: prefix === 'check.delivered' || prefix === 'judged' ? 'gate' : 'baseline',
  };
}

const fenceOf = ({ goalId }: CheckRecord) => ({ goalId, epoch: 0, token: 1 });

/** A gate as a proof needs it: what a goal has beside is not there, and not asked for. */
export function gateOf(judging: Judging, baseline: StoredBaseline, round: number): GateRun {
  const { ground, order, trees, given, criteria } = judging;
  const { home, seeds, effects, record, signal } = ground;
  const ports = { home, seeds, journal: record.journal, proofs: record.proofs };
  const brief = {
    ...{ goalId: record.goalId, criteria, setup: order.setup, policy: policyOf(order), baseline },
    ...{ scope: given, workspace: workspaceOf(ground) },
  };
  return {
    ports: ports as unknown as EvidencePorts,
    input: { goalId: record.goalId, epoch: 0, runId: record.goalId, turn: 0, gate: round },
    attempt: { fence: fenceOf(record), effects },
    brief: brief as unknown as GoalBrief,
    ...{ round, watch: unwatched, signal, receipts: [], head: trees.head },
  };
}

/** No command runs in the work tree. */
const unwatched: WorkspaceWatch = {
  look: async () => [],
  during: async (run) => ({ result: await run(), writes: { paths: [], created: [] } }),
  foreign: new Set(),
  own: [],
  digest: () => '',
  lookedAt: () => 0,
};
