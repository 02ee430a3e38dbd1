import { Closed } from '../goal/errors.ts';
import type { SliceRun } from '../turn/slice-run.ts';
import { readBasis } from './basis/read.ts';
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
  const known = brief.baseline;
  const states: Record<string, 'met' | 'unmet' | 'not_run'> = { ...known?.states };
  const reasons: Record<string, string> = { ...known?.reasons };
  const basis = known?.basis ?? (await readBasis(brief.workspace.path));
  for (const { criterionId, spec } of brief.criteria) {
    if (states[criterionId] !== undefined || spec.kind !== 'command') continue;
    const callId = `baseline.${criterionId}.${brief.criteriaRevision}.${run.attempt.fence.token}`;
    const check = { criterionId, spec, origin: 'baseline' as const, callId, turn: input.turn };
    const result = await runCheck(ports, run.attempt, brief.workspace.path, check, run.signal);
    run.signal.throwIfAborted();
    states[criterionId] = baselineState(result);
    reasons[criterionId] = result.reason;
  }
  const adopted = brief.detectsCriteria ? await adoptChecks(run) : null;
  Object.assign(states, adopted?.states);
  await ports.record.recordBaseline(input, { states, reasons, basis }, adopted?.criteria);
}

function baselineState({ isMet, couldNotRun }: CheckRun): 'met' | 'unmet' | 'not_run' {
  if (isMet) return 'met';
  return couldNotRun ? 'not_run' : 'unmet';
}

/** Before a slice returns: the gate judges against a baseline that is recorded. */
export async function ensureBaseline(run: SliceRun): Promise<void> {
  try {
    await run.baseline;
  } catch (error) {
    if (!run.signal.aborted && !(error instanceof Closed)) throw error;
  }
}
