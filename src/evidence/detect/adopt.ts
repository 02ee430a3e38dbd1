import type { CommandCriterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { SliceRun } from '../../turn/slice-run.ts';
import { runCheck } from '../run-check.ts';
import { detectChecks } from './all.ts';

/** The goal's first write waits for these runs: a check that takes longer is not adopted. */
const PROBE_SECONDS = 120;
const ALL_PROBES_MS = 300_000;

export interface Adopted {
  readonly criteria: readonly TrackedCriterion[];
  readonly states: Readonly<Record<string, 'met'>>;
}

/** Runs the project's own checks; those that work become guards. */
export async function adoptChecks(run: SliceRun): Promise<Adopted> {
  const criteria: TrackedCriterion[] = [];
  const startedAt = run.ports.clock();
  for (const [index, { purpose, command }] of (
    await detectChecks(run.brief.workspace.path)
  ).entries()) {
    if (run.ports.clock() - startedAt > ALL_PROBES_MS) break;
    const criterionId = `c${criteria.length + 1}`;
    const spec: CommandCriterion = { kind: 'command', name: purpose, command };
    if (await holds(run, criterionId, index, spec)) criteria.push(guard(criterionId, spec));
    run.signal.throwIfAborted();
  }
  return {
    criteria,
    states: Object.fromEntries(criteria.map(({ criterionId }) => [criterionId, 'met'])),
  };
}

async function holds(
  run: SliceRun,
  criterionId: string,
  index: number,
  spec: CommandCriterion,
): Promise<boolean> {
  const { ports, attempt, brief, input, signal } = run;
  const callId = `detect.${index}.${attempt.fence.token}`;
  const probe = { ...spec, timeoutSeconds: PROBE_SECONDS };
  const check = { criterionId, spec: probe, origin: 'baseline' as const, callId, turn: input.turn };
  return (await runCheck(ports, attempt, brief.workspace.path, check, signal)).isMet;
}

const guard = (criterionId: string, spec: CommandCriterion): TrackedCriterion => ({
  criterionId,
  spec,
  state: 'met',
  baseline: 'met',
  origin: 'detected',
  reason: "the project's own check, which holds from the start",
  receipts: [],
});
