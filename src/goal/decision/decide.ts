import type { Decision, DecisionInput, Outcome, RuleName } from '../../contract/decision.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import {
  type RuleContext,
  type RuleDecision,
  type RuleResult,
  ruleContext,
} from './rule-context.ts';
import { askPerson } from './rules/ask-person.ts';
import { pauseOnBrokenTurn } from './rules/broken-turn.ts';
import { isCheckableClaim, judgeClaim } from './rules/claim.ts';
import { pauseOnRefusedContent, resumeTruncated } from './rules/cut-off.ts';
import { takeFinding, waitForDelegates } from './rules/delegates.ts';
import { holdInterrupted } from './rules/interrupted.ts';
import { endWrapUp, limitReached, stopAtLimit } from './rules/limit.ts';
import { pauseAfterMessage } from './rules/message-answered.ts';
import { pauseWithoutProgress } from './rules/no-progress.ts';
import { nudge } from './rules/nudge.ts';
import { pauseForWords } from './rules/waiting-words.ts';
import { waitAsRequested } from './rules/wake-request.ts';
import { completeOnYield, isCheckableYield } from './rules/yield.ts';
import { andThen, oneSentence } from './sentence.ts';

interface Rule {
  readonly name: RuleName;
  readonly judge: (context: RuleContext) => RuleResult;
  /** Turns that it can't judge before the criteria were checked; absent = none. */
  readonly restsOnEvidence?: (facts: TurnFacts) => boolean;
}

/**
 * The order of judgement: the first rule that applies decides where a settled turn leads. What a
 * rule said stands unless a limit, a message or a delegate's result overrules it.
 *
 * 1. `interrupted`: a person or a limit was faster; nothing follows from the turn.
 * 2. `broken_turn`: provider, protocol or tools broke it; the goal pauses.
 * 3. `ask`: the turn ended with a question, a blocker or a call to be approved; a person is asked.
 * 4. `claim`: the model claims to be done; the gate completes, refuses or asks a person.
 * 5. `finding`: a delegate stopped; its last text is its result.
 *    `yield`: the model stopped without a claim, and the gate finds everything verified.
 *    `message_answered`: the turn answered a person; the goal waits for them.
 * 6. `wrap_up`: the last turn of a used-up budget is over.
 *    `limit`: a budget is used up; one turn wraps up.
 * 7. `delegates`: work was handed over; the goal waits for it.
 *    `wake_request`: the model asked to be woken; the goal waits until then.
 * 8. `waiting_words`: the last text asks a person something; the goal pauses.
 * 9. `content_refused`: the provider refused the content; the goal pauses.
 *    `truncated`: the turn was cut off; it goes on, a few times.
 * 10. `no_progress`: turn after turn led nowhere; the goal pauses.
 * 11. `nudge`: no other rule applies; the model is told to go on, or what is missing.
 */
const rules: readonly Rule[] = [
  { name: 'interrupted', judge: holdInterrupted },
  { name: 'broken_turn', judge: pauseOnBrokenTurn },
  { name: 'ask', judge: askPerson },
  { name: 'claim', judge: judgeClaim, restsOnEvidence: isCheckableClaim },
  { name: 'finding', judge: takeFinding },
  { name: 'yield', judge: completeOnYield, restsOnEvidence: isCheckableYield },
  { name: 'message_answered', judge: pauseAfterMessage },
  { name: 'wrap_up', judge: endWrapUp },
  { name: 'limit', judge: stopAtLimit },
  { name: 'delegates', judge: waitForDelegates },
  { name: 'wake_request', judge: waitAsRequested },
  { name: 'waiting_words', judge: pauseForWords },
  { name: 'content_refused', judge: pauseOnRefusedContent },
  { name: 'truncated', judge: resumeTruncated },
  { name: 'no_progress', judge: pauseWithoutProgress },
];

/** Asked before {@link decide}: does the rule that will decide rest on evidence that is not there? */
export function needsEvidence(input: DecisionInput): boolean {
  if (input.evidence !== null) return false;
  const context = ruleContext(input);
  const isOpen = ({ restsOnEvidence }: Rule) => restsOnEvidence?.(input.facts) === true;
  const first = rules.find((rule) => isOpen(rule) || rule.judge(context) !== null);
  return first !== undefined && isOpen(first);
}

/** Where a settled turn leads, and why. Without evidence nothing is proven. */
export function decide(input: DecisionInput): Decision {
  const context = ruleContext(input);
  return recordOf(overrule(judge(context), context), context);
}

type Ruled = RuleDecision & Pick<Decision, 'rule'>;

function judge(context: RuleContext): Ruled {
  for (const rule of rules) {
    const decision = rule.judge(context);
    if (decision !== null) return { rule: rule.name, ...decision };
  }
  return { rule: 'nudge', ...nudge(context) };
}

const leadsOn = ({ action }: Outcome): boolean =>
  action === 'continue' || action === 'nudge' || action === 'refuse';

/** A used-up limit ends every way on; then people come first, then delegates' results. */
function overrule(decision: Ruled, { limit, facts }: RuleContext): Ruled {
  const { outcome, yieldsTo } = decision;
  if (limit !== null && leadsOn(outcome))
    return { ...decision, ...limitReached(limit), rule: 'limit' };
  if (facts.unread > 0 && yieldsTo !== 'nobody') return messageFirst(decision);
  const isResultThere = (facts.delegates?.waking ?? 0) > 0;
  return isResultThere && yieldsTo === 'result' ? resultFirst(decision) : decision;
}

function messageFirst(decision: Ruled): Ruled {
  const action = decision.outcome.action === 'refuse' ? 'refuse' : 'continue';
  return {
    ...decision,
    outcome: { action, next: 'message' },
    sentence: andThen(decision.sentence, 'but an unread message comes first.'),
  };
}

const resultFirst = (decision: Ruled): Ruled => ({
  ...decision,
  outcome: { action: 'continue', next: 'wake' },
  sentence: 'The result of a delegate is there and comes first.',
});

function recordOf(decision: Ruled, context: RuleContext): Decision {
  const { counters, verdict, score, wake } = context;
  const { missing, reasons, receipts } = verdict;
  return {
    counters,
    missing,
    reasons,
    receipts,
    score,
    isWarning: false,
    ...(wake === null ? {} : { election: wake }),
    ...chainAfter(decision, context),
    ...decision,
    sentence: oneSentence(decision.sentence),
  };
}

/** Something new holds: what comes is no longer the row of wakes that led here. */
function chainAfter({ outcome }: Ruled, { counters, input, wake }: RuleContext) {
  const isScheduled = outcome.action === 'wait' && outcome.on !== 'delegate';
  if (wake?.isGranted === true && isScheduled) return { chain: wake.chain };
  return input.chain && counters.bestMet > input.counters.bestMet ? { chain: null } : {};
}
