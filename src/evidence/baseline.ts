import type { CommandCriterion } from '../../schema/criteria.ts';
import { Closed } from '../goal/errors.ts';
import type { SliceRun } from '../turn/slice-run.ts';
import type { CriterionBaseline } from './basis/basis-port.ts';
import { keepTree } from './basis/kept-tree.ts';
import { type BasisReading, listTree, readCriterionBasis, type Tree } from './basis/read.ts';
import { specHash } from './basis/spec-hash.ts';
import { type CheckRun, runCheck } from './run-check.ts';

/**
 * Runs every criterion once before the goal's first write, beside the first model calls. What
 * holds here is a guard: it can refuse a claim and never prove one.
 */
export function startBaseline(run: SliceRun): Promise<void> {
  const { baseline, criteria } = run.brief;
  const isComplete = criteria.every(
    ({ criterionId }) => baseline?.states[criterionId] !== undefined,
  );
  return baseline !== null && isComplete ? Promise.resolve() : takeBaseline(run);
}

type State = 'met' | 'unmet' | 'not_run';

interface Taken {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
  readonly reading: BasisReading;
  readonly check: CheckRun;
}

async function takeBaseline(run: SliceRun): Promise<void> {
  const { ports, brief, input } = run;
  const states: Record<string, State> = { ...brief.baseline?.states };
  const reasons: Record<string, string> = { ...brief.baseline?.reasons };
  let tree: Tree | null = null;
  const taken: Taken[] = [];
  for (const { criterionId, spec } of brief.criteria) {
    if (states[criterionId] !== undefined || spec.kind !== 'command') continue;
    tree ??= await listTree(brief.workspace.path);
    // Before it runs: a check may write files itself.
    const reading = await readCriterionBasis(tree, spec);
    const check = await checkOnce(run, criterionId, spec);
    states[criterionId] = baselineState(check);
    reasons[criterionId] = check.reason;
    taken.push({ criterionId, spec, reading, check });
  }
  if (tree !== null) await keepDetails(run, tree, taken);
  await ports.record.recordBaseline(input, { states, reasons });
}

async function checkOnce(
  run: SliceRun,
  criterionId: string,
  spec: CommandCriterion,
): Promise<CheckRun> {
  const { ports, attempt, brief, input, signal } = run;
  const callId = `baseline.${criterionId}.${brief.criteriaRevision}.${attempt.fence.token}`;
  const check = { criterionId, spec, origin: 'baseline' as const, callId, turn: input.turn };
  const result = await runCheck(ports, attempt, brief.workspace.path, check, signal);
  signal.throwIfAborted();
  return result;
}

function baselineState({ isMet, couldNotRun }: CheckRun): State {
  if (isMet) return 'met';
  return couldNotRun ? 'not_run' : 'unmet';
}

/** Stored before the states: a state without its details could never be judged. */
async function keepDetails(run: SliceRun, tree: Tree, taken: readonly Taken[]): Promise<void> {
  const { ports, brief, attempt } = run;
  const needsTree = taken.some(({ check }) => baselineState(check) === 'not_run');
  const name = needsTree ? await keepTree(ports, brief.goalId, brief.criteriaRevision, tree) : null;
  const baselines = taken.map((one) => detailsOf(one, name));
  await ports.basis.keepBaselines(attempt.fence, baselines, textsOf(taken));
}

function detailsOf(
  { criterionId, spec, reading, check }: Taken,
  tree: string | null,
): CriterionBaseline {
  const hashes = [...reading.entries].map(([name, { sha256 }]) => [name, sha256] as const);
  return {
    criterionId,
    spec: specHash(spec),
    entries: Object.fromEntries(hashes),
    installed: reading.installed,
    report: check.report,
    exitCode: check.exitCode,
    tree: baselineState(check) === 'not_run' ? tree : null,
  };
}

/** How many bytes of texts a goal's baseline keeps for diffs. */
const MOST_TEXT = 8 * 1024 * 1024;

function textsOf(taken: readonly Taken[]): Map<string, string> {
  const texts = new Map<string, string>();
  let size = 0;
  for (const { sha256, text } of taken.flatMap(({ reading }) => [...reading.entries.values()])) {
    if (text === null || texts.has(sha256) || size + text.length > MOST_TEXT) continue;
    size += text.length;
    texts.set(sha256, text);
  }
  return texts;
}

/** Before a slice returns: the gate judges against a baseline that is recorded. */
export async function ensureBaseline(run: SliceRun): Promise<void> {
  try {
    await run.baseline;
  } catch (error) {
    if (!run.signal.aborted && !(error instanceof Closed)) throw error;
  }
}
