import { createHash } from 'node:crypto';
import type {
  CommandCriterion,
  DiagnosticsCriterion,
  TrackedCriterion,
} from '../../../schema/criteria.ts';
import type { TestReport } from '../../contract/test-report.ts';
import { treeId } from '../../proof-place/tree-id.ts';
import { type LookPlace, lookAtDiagnostics } from '../diagnostics/look.ts';
import type { HostRun } from '../host-run.ts';
import type { CheckRun } from '../run-check.ts';
import { behindOthers } from './behind.ts';
import { inPlace } from './place.ts';
import type { ProofTree } from './proof-tree.ts';
import type { Rewrite } from './rewrites.ts';
import { type ProofAttempts, runProof, runProofPlainly } from './run.ts';

/** A criterion that holds, or doesn't, on a tree of files alone. */
export interface Provable {
  readonly criterionId: string;
  readonly spec: CommandCriterion | DiagnosticsCriterion;
  /** The same behind the criteria before it, in one place: it may rest on what they build. */
  readonly behind?: CommandCriterion;
}

export interface ProofOutcome {
  readonly isMet: boolean;
  /** As it ran. */
  readonly spec: Provable['spec'];
  readonly couldNotRun: boolean;
  readonly reason: string;
  /** Ledger rows of the runs. */
  readonly receipts: readonly number[];
  /** The tests that ran; null where no runner told. */
  readonly report: TestReport | null;
  readonly durationMs: number;
  /** Files that it changed or made while it ran. */
  readonly rewrites: readonly Rewrite[];
  /** The last run of a command. */
  readonly last?: CheckRun;
}

/** Of `receipt` checks only runs of the model count, which happen in the workspace. */
export const provable = (criteria: readonly TrackedCriterion[]): Provable[] =>
  criteria.flatMap(({ criterionId, spec }, index) => {
    const isCommand = spec.kind === 'command' && spec.check !== 'receipt';
    if (!isCommand && spec.kind !== 'diagnostics') return [];
    const before = criteria.slice(0, index).map((one) => one.spec);
    return [{ criterionId, spec, ...behindOthers(spec, before) }];
  });

/** How a check runs: with the looks for lost names and bent assertions, or without. */
export type Manner = 'whole' | 'plain';

interface Counting extends Pick<LookPlace, 'checkers' | 'known'> {
  readonly manner?: Manner;
}

export async function checkInPlace(
  host: HostRun,
  goalId: string,
  { criterionId, spec, behind }: Provable,
  tree: ProofTree,
  { checkers, known, manner = 'whole' }: Counting = {},
): Promise<ProofOutcome> {
  const proof = { tree: treeId(tree.entries), inputs: inputsOf(spec, tree) };
  const proving = { ...host, proof };
  if (spec.kind === 'command') {
    const run = manner === 'whole' ? runProof : runProofPlainly;
    const alone = await run(proving, goalId, { criterionId, spec }, tree);
    if (alone.last.isMet || behind === undefined) return outcomeOf(alone, spec);
    const after = {
      ...proving,
      prefix: `${host.prefix}.behind`,
      proof: { ...proof, inputs: inputsOf(behind, tree) },
    };
    const ran = await run(after, goalId, { criterionId, spec: behind }, tree);
    return ran.last.isMet ? outcomeOf(ran, behind) : outcomeOf(alone, spec);
  }
  const look = await inPlace(proving, goalId, tree, (place) =>
    lookAtDiagnostics(proving, criterionId, spec.paths, { place, checkers, known }),
  );
  const { holds: isMet, couldNotRun, reason, receipts, report } = look;
  return { isMet, spec, couldNotRun, reason, receipts, report, durationMs: 0, rewrites: [] };
}

function outcomeOf(ran: ProofAttempts, spec: CommandCriterion): ProofOutcome {
  const { last, reason, receipts, rewrites = [] } = ran;
  const { isMet, couldNotRun, report } = last;
  const durationMs = last.row.receipt?.durationMs ?? 0;
  return { isMet, spec, couldNotRun, reason, receipts, report, durationMs, rewrites, last };
}

/** Digest of all that a run is given: the same inputs have the same outcome, but for flakiness. */
export function inputsOf(spec: Provable['spec'], { entries, packages }: ProofTree): string {
  const folders = packages.map(({ lent, digest }) => [lent.at, digest]);
  return createHash('sha256')
    .update(JSON.stringify([treeId(entries), modesOf(entries), folders, spec]))
    .digest('hex');
}

/** Git keeps one bit of a mode; a run sees all of it. */
const modesOf = (entries: ProofTree['entries']): readonly [string, number][] =>
  [...entries].flatMap(([path, { mode }]) =>
    mode === 0o644 || mode === 0o755 ? [] : [[path, mode] as [string, number]],
  );
