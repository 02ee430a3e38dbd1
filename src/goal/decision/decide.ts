import type { RuleName } from '../../../schema/rule-name.ts';
import type { Decision, DecisionInput, Outcome } from '../../contract/decision.ts';
import type { TurnFacts } from '../../contract/turn-facts.ts';
import { counted, waitsForNews } from '../waits/chain.ts';
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
 */
const rules: readonly Rule[] = [
  // 1. A person or a limit was faster: nothing follows from the turn.
  { name: 'interrupted', judge: holdInterrupted },
  // 2. Provider, protocol or tools broke the turn: the goal pauses.
  { name: 'broken_turn', judge: pauseOnBrokenTurn },
  // 3. The turn ended with a question, a blocker or a call to be approved: a person is asked.
  { name: 'ask', judge: askPerson },
  // 4. The model claims to be done: the gate completes, refuses or asks a person.
  { name: 'claim', judge: judgeClaim, restsOnEvidence: isCheckableClaim },
  // 5. A delegate stopped: its last text is its result. The model stopped, and the gate finds
  //    everything verified: complete. The turn answered a person: the goal waits for them.
  { name: 'finding', judge: takeFinding },
  { name: 'yield', judge: completeOnYield, restsOnEvidence: isCheckableYield },
  { name: 'message_answered', judge: pauseAfterMessage },
  // 6. The last turn of a used-up budget is over. A budget is used up: one turn wraps up.
  { name: 'wrap_up', judge: endWrapUp },
  { name: 'limit', judge: stopAtLimit },
  // 7. Work was handed over, or the model asked to be woken: the goal waits.
  { name: 'delegates', judge: waitForDelegates },
  { name: 'wake_request', judge: waitAsRequested },
  // 8. The last text asks a person something: the goal pauses.
  { name: 'waiting_words', judge: pauseForWords },
  // 9. The provider refused the content: the goal pauses. The turn was cut off: it goes on.
  { name: 'content_refused', judge: pauseOnRefusedContent },
  { name: 'truncated', judge: resumeTruncated },
  // 10. Turn after turn led nowhere: the goal pauses.
  { name: 'no_progress', judge: pauseWithoutProgress },
  // 11. No other rule applies: `nudge` tells the model to go on, or what is missing.
];

/**
 * Asked before {@link decide}: does the rule that will decide rest on evidence that is not there?
 */
export function needsEvidence(input: DecisionInput): boolean {
  if (input.evidence !== null) return false;
  const context = ruleContext(input);
  const isOpen = ({ restsOnEvidence }: Rule) => restsOnEvidence?.(input.facts) === true;
  const first = rules.find((rule) => isOpen(rule) || rule.judge(context) !== null);
  return first !== undefined && isOpen(first);
}

/** The decision on a settled turn, with its reason. Without evidence nothing is proven. */
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

/**
 * A used-up limit overrules a rule that leads on. Otherwise an unread message, then a delegate's
 * result, overrules a rule that yields to it: the turn that answers them runs also at a limit. What
 * a program says, or an amendment, overrules only the host's own words and waits, never a pause.
 */
function overrule(decision: Ruled, { limit, facts, wake }: RuleContext): Ruled {
  const { outcome, yieldsTo } = decision;
  if (limit !== null && leadsOn(outcome))
    return { ...decision, ...limitReached(limit), rule: 'limit' };
  if (facts.unread > 0 && yieldsTo !== 'nobody') return messageFirst(decision);
  const isResultThere = (facts.delegates?.waking ?? 0) > 0;
  // The turn that reads the result reads what programs said as well.
  if (isResultThere && yieldsTo === 'result') return resultFirst(decision);
  const first = facts.programs ? PROGRAM : facts.amended === true ? AMENDMENT : null;
  const isHeard = first !== null && yieldsTo !== 'nobody' && isBehindPrograms(outcome);
  return isHeard ? wordFirst(decision, first, wake) : decision;
}

function messageFirst(decision: Ruled): Ruled {
  const action = decision.outcome.action === 'refuse' ? 'refuse' : 'continue';
  return {
    ...decision,
    outcome: { action, next: 'message' },
    sentence: andThen(decision.sentence, 'but an unread message comes first.'),
  };
}

/** A goal that is paused, or waits for a person or for what a turn needs, is no program's to wake. */
const isBehindPrograms = (outcome: Outcome): boolean =>
  leadsOn(outcome) || (outcome.action === 'wait' && waitsForNews(outcome.on));

/**
 * No streak and no chain begins anew, and the wake that it stands for is counted: programs could
 * keep a goal going for ever.
 */
function wordFirst(decision: Ruled, first: string, wake: RuleContext['wake']): Ruled {
  const action = decision.outcome.action === 'refuse' ? 'refuse' : 'continue';
  const isWaited = decision.outcome.action === 'wait' && decision.outcome.on !== 'delegate';
  return {
    ...decision,
    ...(isWaited && wake?.isGranted ? { chain: counted(wake.chain) } : {}),
    outcome: { action, next: 'resume' },
    sentence: andThen(decision.sentence, `but ${first} comes first.`),
  };
}

const PROGRAM = 'the message of a program';
const AMENDMENT = 'what the goal is asked for now';

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
