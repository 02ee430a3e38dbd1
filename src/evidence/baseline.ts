import type { CommandCriterion } from '../../schema/criteria.ts';
import { Closed } from '../goal/errors.ts';
import type { SliceRun } from '../turn/slice-run.ts';
import { baselineState, keepDetails, type State, type Taken } from './baseline-details.ts';
import { listTree, readCriterionBasis, type Tree } from './basis/read.ts';
import { adoptChecks } from './detect/adopt.ts';
import { type CheckRun, runCheck } from './run-check.ts';

/**
 * Runs every criterion once before the goal's first write, beside the first model calls. What
 * holds here is a guard: it can refuse a claim and never prove one.
 */
export function startBaseline(run: SliceRun): Promise<void> {
  const { baseline, criteria, detectsCriteria } = run.brief;
  const isComplete = criteria.every(
    ({ criterionId, spec }) =>
      spec.kind !== 'command' || baseline?.states[criterionId] !== undefined,
  );
  const isKnown = baseline !== null && isComplete && !detectsCriteria;
  return isKnown ? Promise.resolve() : takeBaseline(run);
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
  if (brief.detectsCriteria) tree ??= await listTree(brief.workspace.path);
  const adopted = brief.detectsCriteria && tree !== null ? await adoptChecks(run, tree) : null;
  taken.push(...(adopted?.taken ?? []));
  Object.assign(states, adopted?.states);
  if (tree !== null) await keepDetails(run, tree, taken);
  await ports.record.recordBaseline(input, { states, reasons }, adopted?.criteria);
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

/** Before a slice returns: the gate judges against a baseline that is recorded. */
export async function ensureBaseline(run: SliceRun): Promise<void> {
  try {
    await run.baseline;
  } catch (error) {
    if (!run.signal.aborted && !(error instanceof Closed)) throw error;
  }
}
