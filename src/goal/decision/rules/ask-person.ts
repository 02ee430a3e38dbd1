import { blockerWords } from '../../chart/view.ts';
import {
  isStuck,
  pauseFor,
  type RuleContext,
  type RuleDecision,
  type RuleResult,
} from '../rule-context.ts';

/** The turn ended because a person has to say something. */
export function askPerson(context: RuleContext): RuleResult {
  const { kind, end, detail } = context.facts;
  if (kind === 'wrap_up') return null;
  switch (end) {
    case 'question':
      return askQuestion(context);
    case 'blocker':
      return reportBlocker(context);
    case 'dispute':
      return askAboutCriterion(context);
    case 'unknown_effect':
      return {
        ...pauseFor('question', 'nobody', { message: detail ?? 'The end of a call was not seen.' }),
        asks: [{ kind: 'unknown_effect' }],
      };
    case 'approval':
      return askAboutCall(context);
    default:
      return null;
  }
}

function reportBlocker({ facts }: RuleContext): RuleDecision {
  const message = facts.detail ?? 'it cannot go on.';
  const { kind: blocker } = facts.blocker ?? {};
  return {
    yieldsTo: 'nobody',
    outcome: {
      action: 'pause',
      reason: 'blocked',
      message,
      ...(blocker === undefined ? {} : { blocker }),
    },
    sentence: `The model is blocked${blocker === undefined ? '' : ` (${blockerWords[blocker]})`}: ${message}`,
  };
}

/** What was disputed must be what the goal is judged by now. */
function askAboutCriterion({ facts, input }: RuleContext): RuleDecision {
  const { dispute, detail } = facts;
  const { criteriaRevision = dispute?.criteriaRevision } = input;
  if (dispute == null || dispute.criteriaRevision !== criteriaRevision) {
    return {
      yieldsTo: 'message',
      outcome: { action: 'refuse', next: 'nudge' },
      sentence: 'The dispute is refused: the criteria changed while it was looked at.',
    };
  }
  return pauseFor('disputed', 'nobody', {
    message: detail ?? dispute.criterionId,
    lead: 'The model disputes a criterion',
  });
}

function askQuestion(context: RuleContext): RuleDecision {
  const message = context.facts.detail ?? 'it waits for an answer.';
  const seconds = patienceWithPeople(context);
  return {
    yieldsTo: 'nobody',
    outcome: {
      action: 'pause',
      reason: 'question',
      message,
      ...(seconds === null ? {} : { seconds }),
    },
    sentence: `The model asks: ${message}`,
  };
}

/** How long a question waits for its answer; null = a person has to give it. */
function patienceWithPeople(context: RuleContext): number | null {
  const { question } = context.facts;
  const { questionTimeoutSeconds, questionDefault } = context.input.policy;
  const hasDefault = question?.hasDefault === true || questionDefault != null;
  if (questionTimeoutSeconds == null || !hasDefault || isStuck(context)) return null;
  return Math.max(questionTimeoutSeconds, question?.timeoutSeconds ?? 0);
}

/** A goal that gets nowhere waits for a person as long as it takes: no clock drives it in circles. */
function askAboutCall(context: RuleContext): RuleDecision {
  const { facts, input } = context;
  const what = facts.detail ?? 'a call';
  if (facts.unread > 0) {
    return {
      yieldsTo: 'message',
      outcome: { action: 'continue', next: 'message' },
      sentence: `To be approved: ${what}; an unread message comes first.`,
    };
  }
  return {
    yieldsTo: 'message',
    outcome: {
      action: 'wait',
      on: 'approval',
      seconds: isStuck(context) ? null : (input.policy.approvalTimeoutSeconds ?? null),
      next: facts.kind === 'message' ? 'message' : 'wake',
    },
    sentence: `A person has to approve: ${what}`,
    asks: [{ kind: 'tool' }],
  };
}
