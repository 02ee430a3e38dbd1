import type { Approval } from '../../../schema/approval.ts';
import { describeCriterion } from '../../record/criterion-text.ts';
import { basisLines } from '../approval-text.ts';
import { disputeLines } from '../dispute-text.ts';
import { nextStep } from '../next-step.ts';
import { hanging } from '../screen/fit.ts';
import type { Look } from '../screen/look.ts';
import { oneLine, printable } from '../terminal.ts';
import { disputedCriteria } from './disputed-criteria.ts';
import type { Waiting } from './waiting.ts';

/** All that a person needs to decide: what is asked, what it rests on, where each answer leads. */
export function cardLines(waiting: Waiting, look: Look): string[] {
  const lines = textOf(waiting).flatMap((text) => printable(text).split('\n'));
  return lines.flatMap((text) => hanging(text, look));
}

function textOf(waiting: Waiting): readonly string[] {
  switch (waiting.kind) {
    case 'approval': {
      const { question, kind, data, onApprove, onDeny, always } = waiting.approval;
      const ends = [`  approved: ${onApprove}`, `  declined: ${onDeny}`];
      return [question, ...basisLines(kind, data), ...ends, ...ruleLines(always)];
    }
    case 'question': {
      const { text, options, default: instead, until } = waiting.question;
      return [
        text,
        ...options.map((option, index) => `  ${index + 1}  ${option}`),
        ...(instead === null
          ? []
          : [`  without an answer${until === null ? '' : ` until ${until}`}: ${instead}`]),
      ];
    }
    case 'dispute':
      return disputeCardLines(waiting);
    default: {
      const { activity, pause } = waiting.goal;
      const missing = pause?.missing ?? [];
      return [
        pause?.message || activity.reason,
        ...missing.map((one) => `  missing: ${one}`),
        `  ${nextStep(waiting.goal) ?? ''}`,
      ];
    }
  }
}

/** Both sides of a dispute. */
export function disputeCardLines({ dispute, goal }: Disputed): string[] {
  const others = disputedCriteria(dispute, goal).filter(
    ({ criterionId }) => criterionId !== dispute.criterionId,
  );
  return [
    ...disputeLines(dispute),
    ...others.map(
      ({ criterionId, spec }) =>
        `  beside it ${criterionId}: ${oneLine(describeCriterion(spec), 400)}`,
    ),
    `  several criteria at once: goalkeeper amend ${dispute.goalId} --criterion COMMAND`,
  ];
}

type Disputed = Extract<Waiting, { readonly kind: 'dispute' }>;

/** What "always" would store. */
export const ruleLines = (always: Approval['always']): string[] =>
  always === null
    ? []
    : [
        `  always, in every goal of ${oneLine(always.workspace, 80)}: ${oneLine(always.says, 2000)}`,
      ];
