import type { CommandCriterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { Taken } from '../baseline-details.ts';
import type { BaselineRun } from '../baseline-run.ts';
import { readCriterionBasis } from '../basis/read.ts';
import type { Tree } from '../basis/reading.ts';
import { type CheckRun, runCheck } from '../run-check.ts';
import { detectChecks } from './all.ts';

/** The goal's first write waits for these runs: a check that takes longer is not adopted. */
const PROBE_SECONDS = 120;
const ALL_PROBES_MS = 300_000;

export interface Adopted {
  readonly criteria: readonly TrackedCriterion[];
  readonly states: Readonly<Record<string, 'met'>>;
  readonly taken: readonly Taken[];
}

/** Runs the project's own checks; those that work become guards. */
export async function adoptChecks(run: BaselineRun, tree: Tree): Promise<Adopted> {
  const criteria: TrackedCriterion[] = [];
  const taken: Taken[] = [];
  const startedAt = run.ports.clock();
  for (const [index, { purpose, command }] of (
    await detectChecks(run.brief.workspace.path)
  ).entries()) {
    if (run.ports.clock() - startedAt > ALL_PROBES_MS) break;
    const criterionId = `c${criteria.length + 1}`;
    const spec: CommandCriterion = { kind: 'command', name: purpose, command };
    const reading = await readCriterionBasis(tree, spec);
    const check = await probe(run, criterionId, index, spec);
    run.signal.throwIfAborted();
    if (!check.isMet) continue;
    criteria.push(guard(criterionId, spec));
    taken.push({ criterionId, spec, reading, check });
  }
  return {
    criteria,
    states: Object.fromEntries(criteria.map(({ criterionId }) => [criterionId, 'met'])),
    taken,
  };
}

async function probe(
  run: BaselineRun,
  criterionId: string,
  index: number,
  spec: CommandCriterion,
): Promise<CheckRun> {
  const { ports, attempt, brief, input, signal } = run;
  const callId = `detect.${index}.${attempt.fence.token}`;
  const limited = { ...spec, timeoutSeconds: PROBE_SECONDS };
  const check = {
    criterionId,
    spec: limited,
    origin: 'baseline' as const,
    callId,
    turn: input.turn,
  };
  return await runCheck(ports, attempt, brief.workspace.path, check, signal);
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
