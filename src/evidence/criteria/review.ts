import { escapeText } from '../../context/goal-block.ts';
import { ReviewerAway, ReviewUnpaid } from '../../contract/reviewer-away.ts';
import { parseVerdict } from '../../proof/review-verdict.ts';
import type { CriterionCheck, CriterionOf, Finding, GateRun } from '../criterion-check.ts';
import { type Asked, askReviewer, reviewerOf } from '../review/ask.ts';
import { readChange } from '../review/change.ts';

type Review = CriterionOf<'review'>;

/**
 * Asks a second model; its verdict is recorded and never sufficient alone.
 * @throws ReviewerAway when the reviewer can't be reached now
 * @throws ReviewUnpaid
 */
export const checkReview: CriterionCheck<'review'> = async (gate, criterion) => {
  const { ports, attempt, brief, input } = gate;
  const { criterionId, spec } = criterion;
  const model = spec.model ?? null;
  const call = {
    callId: `review.t${input.turn}.${attempt.fence.token}.${gate.round}.${criterionId}`,
    turn: input.turn,
    step: 0,
    tool: 'check.review',
    effect: 'read' as const,
  };
  await ports.journal.startCall(attempt.fence, {
    ...call,
    arguments: { criterionId, model: reviewerOf(gate, model), rubric: spec.rubric },
  });
  const index = brief.criteria.findIndex((one) => one.criterionId === criterionId);
  const question = { model, text: await questionOf(gate, criterion), index };
  const asked = await askReviewer(gate, question).catch(orEnd);
  const { isPass, reason } = judge(asked);
  const row = await ports.journal.settleCall(attempt.fence, {
    ...call,
    outcome: isPass ? 'succeeded' : 'failed',
    receipt: { reason, origin: 'gate', criterionId },
    text: '',
    providerId: null,
    output: Buffer.from('text' in asked ? asked.text : asked.problem),
    wrote: false,
  });
  if ('error' in asked) throw asked.error;
  return found(isPass, reason, row.seq);
};

/** The ledger records the attempt before the gate ends without an answer. */
function orEnd(error: unknown): { problem: string; error: Error } {
  if (!(error instanceof ReviewerAway || error instanceof ReviewUnpaid)) throw error;
  return { problem: error.message, error };
}

async function questionOf(gate: GateRun, { spec }: Review): Promise<string> {
  const part = (name: string, text: string) => `<${name}>\n${escapeText(text)}\n</${name}>`;
  return [
    part('rubric', spec.rubric),
    part('objective', gate.brief.objective),
    part('change', await readChange(gate)),
  ].join('\n\n');
}

function judge(asked: Asked): { isPass: boolean; reason: string } {
  if ('problem' in asked) return { isPass: false, reason: `no verdict: ${asked.problem}` };
  const verdict = parseVerdict(asked.text);
  if (verdict === null) return { isPass: false, reason: 'the reviewer gave no verdict' };
  if (verdict.isPass) return { isPass: true, reason: 'the reviewer found nothing wrong' };
  const findings = verdict.findings.join('; ') || 'without a reason';
  return { isPass: false, reason: `the reviewer says: ${findings}` };
}

const found = (isPass: boolean, reason: string, seq: number): Finding => ({
  state: isPass ? 'met' : 'unmet',
  isHostChecked: false,
  reason,
  ...(isPass ? {} : { remedy: 'put right what it names, then call attempt_completion.' }),
  receipts: [seq],
});
