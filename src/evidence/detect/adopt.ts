import type { CommandCriterion, TrackedCriterion } from '../../../schema/criteria.ts';
import type { CriterionBaseline } from '../../contract/proofs.ts';
import { lookAtBaseline } from '../baseline-look.ts';
import type { BaselineRun } from '../baseline-run.ts';
import type { HostRun } from '../host-run.ts';
import type { OriginalTree } from '../original-tree.ts';
import { specHash } from '../proof/spec-hash.ts';
import { detectChecks } from './all.ts';

/** The goal's first write waits for these runs: a check that takes longer is not adopted. */
const PROBE_SECONDS = 120;
const ALL_PROBES_MS = 300_000;

export interface Adopted {
  readonly criteria: readonly TrackedCriterion[];
  readonly states: Readonly<Record<string, 'met'>>;
  readonly baselines: readonly CriterionBaseline[];
}

/** Runs the project's own checks where proofs run; those that work become guards. */
export async function adoptChecks(
  { ports, brief, signal }: BaselineRun,
  host: HostRun,
  original: OriginalTree | null,
): Promise<Adopted> {
  const criteria: TrackedCriterion[] = [];
  const baselines: CriterionBaseline[] = [];
  const startedAt = ports.clock();
  const found = await detectChecks(brief.workspace.path);
  for (const [index, { purpose, command }] of found.entries()) {
    if (ports.clock() - startedAt > ALL_PROBES_MS) break;
    const criterionId = `c${criteria.length + 1}`;
    const spec: CommandCriterion = { kind: 'command', name: purpose, command };
    const probing = { ...host, prefix: `detect.${index}.${host.attempt.fence.token}` };
    const limited = { ...spec, timeoutSeconds: PROBE_SECONDS };
    const { state, report = null } = await lookAtBaseline(
      probing,
      { criterionId, spec: limited },
      original,
    );
    signal.throwIfAborted();
    if (state !== 'met') continue;
    criteria.push(guard(criterionId, spec));
    baselines.push({ criterionId, spec: specHash(spec), report });
  }
  return {
    criteria,
    states: Object.fromEntries(criteria.map(({ criterionId }) => [criterionId, 'met'])),
    baselines,
  };
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
