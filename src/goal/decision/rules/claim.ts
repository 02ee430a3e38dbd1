import type { Counters } from '../../../contract/decision.ts';
import type { GateVerdict } from '../../../contract/evidence.ts';
import type { TurnFacts } from '../../../contract/turn-facts.ts';
import { overtakenApprovals } from '../../approvals/approvals.ts';
import { countRefusal } from '../counters.ts';
import { holdsCheaply, weakenedBasis } from '../gate.ts';
import { pauseFor, type RuleContext, type RuleDecision, type RuleResult } from '../rule-context.ts';

/** Is there a claim that nothing refuses before the criteria are checked? */
export const isCheckableClaim = (facts: TurnFacts): boolean =>
  facts.end === 'claim' && facts.mode !== 'gather' && holdsCheaply(facts);

/** The model claims to be done: the gate says whether it is. */
export function judgeClaim(context: RuleContext): RuleResult {
  const { facts, input, verdict } = context;
  if (facts.end !== 'claim') return null;
  if (facts.mode === 'gather') return refuseClaim(context, gatherRefusal);
  if (facts.unread > 0) return readMessageFirst(facts.unread);
  if (facts.programs) return readProgramFirst;
  if (facts.amended) return readAmendmentFirst;
  if (facts.delegates?.unread) return readResultFirst;
  if (verdict.missing.length > 0) return refuseClaim(context, verdict);
  return input.evidence === null ? refuseClaim(context, uncheckedRefusal) : acceptClaim(context);
}

function acceptClaim(context: RuleContext): RuleDecision {
  const { verdict, input, facts } = context;
  if (input.isDelegate === true && verdict.asks.length === 0) return takeResult;
  const isEnough =
    verdict.promised !== null &&
    (verdict.promised !== 'supported' || input.policy.completion === 'supported');
  // A person who accepts the whole claim has accepted its parts: nobody is asked twice.
  if (!isEnough) return facts.mode === 'plan' ? askAboutPlan : pauseUnverified(verdict);
  const { verification } = verdict;
  if (verification === null) return putToPerson(context);
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'complete', source: 'explicit', verification },
    sentence: `The claim holds: everything that was asked for is ${verification.replaceAll('_', ' ')}.`,
  };
}

/** Whether it is a good plan only a person can say. */
const askAboutPlan: RuleDecision = {
  ...pauseFor('unverified_claim', 'nobody', {
    message: 'Approve the plan, edit it, or say what is wrong with it.',
    lead: "The plan is whole and needs a person's word",
  }),
  asks: [{ kind: 'plan' }],
};

/** A delegate's claim goes to the goal that asked, which has its own gate. */
const takeResult: RuleDecision = {
  yieldsTo: 'nobody',
  outcome: { action: 'complete', source: 'explicit', verification: 'supported' },
  sentence: 'The delegate claims to be done; that is its result.',
};

/** Only a person's word is missing; asking again because files were written since is counted. */
function putToPerson(context: RuleContext): RuleDecision {
  const { verdict, input } = context;
  if (isAboutBasis(verdict)) {
    return { ...pauseUnverified(verdict), asks: verdict.asks };
  }
  const overtaken = overtakenApprovals(input.evidence);
  const counters =
    overtaken.length === 0 ? context.counters : countRefusal(context.counters, overtaken);
  if (overtaken.length > 0 && isExhausted(context, counters)) {
    const message = `Files were written again and again after a person had approved: ${overtaken.join(', ')}.`;
    return { ...pauseExhausted(message), counters, missing: overtaken };
  }
  return {
    yieldsTo: 'nobody',
    outcome: { action: 'wait', on: 'approval', seconds: null, next: 'wake' },
    sentence: `Everything else holds; a person has to decide: ${subjectsOf(verdict)}.`,
    asks: verdict.asks,
    counters,
  };
}

const subjectsOf = ({ asks }: GateVerdict): string =>
  asks.map((ask) => ('subject' in ask ? ask.subject : ask.kind)).join(', ');

/** Is a person to be asked about changes beyond the scope? */
export const isAboutBasis = ({ asks }: GateVerdict): boolean =>
  asks.some(({ kind }) => kind === 'basis');

export function pauseUnverified({ reasons }: GateVerdict): RuleDecision {
  const message =
    reasons[weakenedBasis] ??
    'Nothing is open, but no check that the host made and that failed before now proves the claim.';
  const lead = "The claim needs a person's word";
  return pauseFor('unverified_claim', 'nobody', { message, lead });
}

type Refusal = Pick<GateVerdict, 'missing' | 'reasons'>;

const gatherRefusal: Refusal = {
  missing: ['mode'],
  reasons: { mode: 'A goal in gather mode cannot claim: answer with your findings in plain text.' },
};

const uncheckedRefusal: Refusal = {
  missing: ['evidence'],
  reasons: { evidence: 'Nobody could check the criteria: call attempt_completion again.' },
};

function refuseClaim(context: RuleContext, { missing, reasons }: Refusal): RuleDecision {
  const counters = countRefusal(context.counters, missing);
  const refusal = { counters, missing, reasons };
  const list = missing.join(', ');
  if (isExhausted(context, counters)) {
    const message = `The claim was refused again and again; still missing: ${list}.`;
    return { ...pauseExhausted(message), ...refusal };
  }
  return {
    yieldsTo: 'message',
    outcome: { action: 'refuse', next: 'nudge' },
    sentence: `The claim is refused; missing: ${list}.`,
    ...refusal,
  };
}

const isExhausted = ({ limits }: RuleContext, counters: Counters): boolean =>
  counters.refusalsInRow >= limits.refusalsInRow ||
  counters.refusalsWithoutBest >= limits.refusalsWithoutBest;

const pauseExhausted = (message: string): RuleDecision => ({
  yieldsTo: 'nobody',
  outcome: { action: 'pause', reason: 'gate_exhausted', message },
  sentence: message,
});

const readMessageFirst = (unread: number): RuleDecision => ({
  yieldsTo: 'message',
  outcome: { action: 'continue', next: 'message' },
  sentence: `The claim waits: ${unread} unread message(s) come first.`,
});

const readProgramFirst: RuleDecision = {
  yieldsTo: 'message',
  outcome: { action: 'continue', next: 'resume' },
  sentence: 'The claim waits: the message of a program comes first.',
};

const readAmendmentFirst: RuleDecision = {
  yieldsTo: 'message',
  outcome: { action: 'continue', next: 'resume' },
  sentence: 'The claim waits: what the goal is asked for now comes first.',
};

const readResultFirst: RuleDecision = {
  yieldsTo: 'message',
  outcome: { action: 'continue', next: 'wake' },
  sentence: 'The claim waits: the result of a delegate comes first.',
};
