import type { DisputePort } from '../contract/dispute.ts';
import { ensureBaseline } from '../evidence/baseline.ts';
import { runCounterExample } from '../evidence/proof/counter-example.ts';
import type { SliceRun } from './slice-run.ts';

/** How a call of this slice disputes a criterion. */
export function disputesOf(run: SliceRun, callId: string): DisputePort {
  const { ports, attempt, input, signal } = run;
  const { journal } = ports;
  const { goalId, turn } = input;
  return {
    async ground() {
      // The baseline keeps the original, and may find the project's own checks.
      await ensureBaseline(run);
      const { criteria, criteriaRevision } = await journal.brief(goalId);
      return { criteria, criteriaRevision, disputes: await journal.disputes(goalId) };
    },
    async run(counterExample) {
      await ensureBaseline(run);
      const brief = await journal.brief(goalId);
      const ground = { ports, attempt, input, brief, signal, callId };
      return await runCounterExample(ground, counterExample);
    },
    stage: (criterionId, body) =>
      journal.stageDispute(attempt.fence, { callId, turn, criterionId, body }),
  };
}
