import type { GoalStatus, PauseReason } from '../../../schema/goal.ts';
import type { Decision, DecisionInput, Outcome, Rule } from '../../contract/decision.ts';
import type { ElectionRefusal, LimitReached, TurnFacts } from '../../contract/turn-facts.ts';
import { refusalText } from '../waits/chain.ts';
import { judgeClaim } from './claim.ts';
import { isTruncated } from './counters.ts';
import { preemptByResult, takeFinding, waitForDelegates } from './delegate-rules.ts';
import { holdsCheaply } from './gate.ts';
import { type Ground, type RuleResult, type Ruling, surveyGround } from './ground.ts';
import { nudgeTone } from './score.ts';
import { andThen, oneSentence } from './sentence.ts';

/** The order in which a settled turn is judged: the first rule that applies decides. */
const rules: readonly ((ground: Ground) => RuleResult)[] = [
  holdForPerson, // 1
  pauseOnBrokenTurn, // 2
  askPerson, // 3
  judgeClaim, // 4
  takeFinding, // 5
  completeOnYield, // 5
  pauseAfterMessage, // 5
  stopAtLimit, // 6
  waitForDelegates, // 7
  waitByElection, // 7
  waitForWords, // 8
  pauseOnRefusedContent, // 9
  resumeTruncated, // 9
  pauseWithoutProgress, // 10
  nudge, // 11
];

/** What a settled turn leads to, or that checkEvidence has to run before it can be told. */
export function decide(input: DecisionInput): Decision | { readonly needs: 'evidence' } {
  const ground = surveyGround(input);
  for (const rule of rules) {
    const ruling = rule(ground);
    if (ruling === 'evidence') return { needs: 'evidence' };
    if (ruling !== null) return complete(preemptByResult(preempt(ruling, ground), ground), ground);
  }
  throw new Error('the last rule decides every turn');
}

/** Does this turn get as far as the expensive checks? */
export function needsEvidence(facts: TurnFacts): boolean {
  const isClaim = facts.end === 'claim' && facts.mode !== 'gather';
  return (isClaim || mayCompleteByYield(facts)) && holdsCheaply(facts);
}

function complete(ruling: Ruling, ground: Ground): Decision {
  const { counters, verdict, score, election } = ground;
  const { missing, reasons, receipts } = verdict;
  const sentence = oneSentence(ruling.sentence);
  return {
    counters,
    missing,
    reasons,
    receipts,
    score,
    isWarning: false,
    ...(election === null ? {} : { election }),
    ...chainAfter(ruling, ground),
    ...ruling,
    sentence,
  };
}

/** Something new holds: what comes is no longer the row of wakes that led here. */
function chainAfter({ outcome }: Ruling, { counters, input, election }: Ground) {
  const isScheduled = outcome.action === 'wait' && outcome.on !== 'delegate';
  if (election?.isGranted === true && isScheduled) return { chain: election.chain };
  return input.chain && counters.bestMet > input.counters.bestMet ? { chain: null } : {};
}

/** A used-up budget ends every way on, and an unread message comes before any host's words. */
function preempt(ruling: Ruling, ground: Ground): Ruling {
  const goesOn = ['continue', 'nudge', 'refuse'].includes(ruling.outcome.action);
  if (goesOn && ground.limit !== null) return { ...ruling, ...limitRuling(ground.limit) };
  const isSoft = ruling.rule >= 5 && ['pause', 'wait'].includes(ruling.outcome.action);
  if (ground.facts.unread === 0 || !(goesOn || isSoft)) return ruling;
  const action = ruling.outcome.action === 'refuse' ? 'refuse' : 'continue';
  return {
    ...ruling,
    outcome: { action, next: 'message' },
    sentence: andThen(ruling.sentence, 'but an unread message comes first.'),
  };
}

function holdForPerson({ facts, input }: Ground): RuleResult {
  const isEnded = input.status !== 'active' && facts.kind !== 'wrap_up';
  if (!isEnded && facts.end !== 'interrupted') return null;
  const sentence = HELD_BY[input.status];
  return { rule: 1, outcome: { action: 'hold' }, sentence, counters: input.counters };
}

const HELD_BY: Record<GoalStatus, string> = {
  active: 'The turn was interrupted and settles without a consequence of its own.',
  paused: 'The goal was paused while the turn ran, so nothing follows from it.',
  budget_limited: 'A limit was reached while the turn ran, so only the wrap-up follows.',
  complete: 'The goal was ended while the turn ran, so nothing follows from it.',
};

function pauseOnBrokenTurn({ facts, input }: Ground): RuleResult {
  // A wrap-up ends the goal whatever becomes of it, and a capped call is the budget's doing.
  if (facts.kind === 'wrap_up' || facts.limit !== null) return null;
  switch (facts.end) {
    case 'protocol_error':
      return pause(2, 'protocol_error', facts.detail ?? 'The model broke the tool protocol.');
    case 'provider_error':
      return providerPause(input, providerWords(facts));
    case 'lost_calls':
      return providerPause(input, detailOr(facts, 'Its workers died during one model call.'));
    case 'tool_error_cap':
      return pause(2, 'tool_error_cap', detailOr(facts, 'Too many tool errors in a row.'));
    case 'lifecycle_breaker':
      return pause(2, 'lifecycle_breaker', detailOr(facts, 'The same malformed call came twice.'));
    case 'yield':
      return facts.finishReason === 'tool_calls'
        ? pause(2, 'protocol_error', 'The model announced tool calls and made none.')
        : null;
    default:
      return null;
  }
}

function askPerson(ground: Ground): RuleResult {
  const { facts } = ground;
  if (facts.kind === 'wrap_up') return null;
  switch (facts.end) {
    case 'question':
      return askQuestion(ground);
    case 'blocker':
      return pause(3, 'blocked', detailOr(facts, 'it cannot go on.'), 'The model is blocked');
    case 'unknown_effect':
      return {
        ...pause(3, 'question', detailOr(facts, 'The end of a call was not seen.')),
        asks: [{ kind: 'unknown_effect' }],
      };
    case 'approval':
      return askAboutCall(ground);
    default:
      return null;
  }
}

function askQuestion(ground: Ground): Ruling {
  const message = detailOr(ground.facts, 'it waits for an answer.');
  const ruling = pause(3, 'question', message, 'The model asks');
  const seconds = patienceWithPeople(ground);
  if (seconds === null || ruling.outcome.action !== 'pause') return ruling;
  return { ...ruling, outcome: { ...ruling.outcome, seconds } };
}

/** How long a question waits for its answer; null = a person has to give it. */
function patienceWithPeople({ facts, input, counters, limits }: Ground): number | null {
  const { questionTimeoutSeconds, questionDefault } = input.policy;
  const hasDefault = facts.question?.hasDefault === true || questionDefault != null;
  const isStuck = counters.turnsWithoutProgress >= limits.turnsWithoutProgress;
  if (questionTimeoutSeconds == null || !hasDefault || isStuck) return null;
  return Math.max(questionTimeoutSeconds, facts.question?.timeoutSeconds ?? 0);
}

/** A goal that gets nowhere waits for a person as long as it takes: no clock drives it in circles. */
function askAboutCall({ facts, input, counters, limits }: Ground): Ruling {
  const what = detailOr(facts, 'a call');
  if (facts.unread > 0) {
    const outcome: Outcome = { action: 'continue', next: 'message' };
    return {
      rule: 3,
      outcome,
      sentence: `To be approved: ${what}; an unread message comes first.`,
    };
  }
  const isStuck = counters.turnsWithoutProgress >= limits.turnsWithoutProgress;
  return {
    rule: 3,
    outcome: {
      action: 'wait',
      on: 'approval',
      seconds: isStuck ? null : (input.policy.approvalTimeoutSeconds ?? null),
      next: facts.kind === 'message' ? 'message' : 'wake',
    },
    sentence: `A person has to approve: ${what}`,
    asks: [{ kind: 'tool' }],
  };
}

const hostDriven: readonly TurnFacts['kind'][] = ['start', 'nudge', 'wake', 'resume'];

function mayCompleteByYield(facts: TurnFacts): boolean {
  // Providers that report no finish reason get their claims in words judged as well.
  const hasStopped =
    facts.finishReason === 'stop' ||
    (facts.finishReason === 'absent' && facts.signals.hasCompletion);
  return (
    facts.end === 'yield' &&
    hasStopped &&
    facts.toolCalls === 0 &&
    hostDriven.includes(facts.kind) &&
    facts.mode !== 'plan'
  );
}

function completeOnYield({ facts, input, verdict }: Ground): RuleResult {
  if (!mayCompleteByYield(facts) || !holdsCheaply(facts)) return null;
  if (input.evidence === null) return 'evidence';
  if (verdict.verification !== 'verified') return null;
  const outcome = { action: 'complete', source: 'implicit', verification: 'verified' } as const;
  return {
    rule: 5,
    outcome,
    sentence: 'The model yielded and the gate finds everything verified.',
  };
}

/** One turn answers a person, then the goal waits for them, even where the answer was cut off. */
function pauseAfterMessage({ facts }: Ground): RuleResult {
  const hasSettled = facts.end === 'yield' || facts.end === 'turn_cap';
  if (facts.kind !== 'message' || !hasSettled || facts.finishReason === 'content_filter')
    return null;
  return pause(5, 'message', 'The message was answered; resume to go on.');
}

function stopAtLimit({ facts, input, limit }: Ground): RuleResult {
  if (facts.kind === 'wrap_up') {
    const sentence = 'The wrap-up turn is over.';
    return { rule: 6, outcome: { action: 'hold' }, sentence, counters: input.counters };
  }
  return limit === null ? null : limitRuling(limit);
}

/** A turn that ends so is exempt from rule 10: it adds nothing to its counts. */
function waitByElection({ facts, input, counters, election }: Ground): RuleResult {
  if (election === null || !election.isGranted) return null;
  const { on, seconds, note } = election;
  const toolFreeTurns = Math.min(counters.toolFreeTurns, input.counters.toolFreeTurns);
  const turnsWithoutProgress = Math.min(
    counters.turnsWithoutProgress,
    input.counters.turnsWithoutProgress,
  );
  const why = detailOr(facts, 'the model asked for it');
  return {
    rule: 7,
    outcome: { action: 'wait', on, seconds, next: 'wake' },
    sentence: `${on === 'timer' ? 'Waits' : 'Waits at most'} ${seconds} s${note === null ? '' : ` (${note})`}: ${why}`,
    counters: { ...counters, toolFreeTurns, turnsWithoutProgress },
  };
}

function waitForWords({ facts }: Ground): RuleResult {
  const { waitsForPerson, asksDirectly } = facts.signals;
  if (facts.end !== 'yield' || !(waitsForPerson || asksDirectly)) return null;
  return pause(8, 'question', detailOr(facts, 'The last reply waits for a person.'));
}

function pauseOnRefusedContent({ facts }: Ground): RuleResult {
  if (facts.finishReason !== 'content_filter') return null;
  return pause(9, 'provider_error', 'content refused');
}

/** Ends after which the turn's work goes on; slice ends come here only if nobody took them up. */
const unfinished: readonly TurnFacts['end'][] = [
  'slice_cap',
  'shutdown',
  'workspace_busy',
  'budget',
];

function resumeTruncated({ facts, counters, limits }: Ground): RuleResult {
  if (!isTruncated(facts) && !unfinished.includes(facts.end)) return null;
  if (counters.truncatedTurns >= limits.truncatedTurns) {
    const count = counters.truncatedTurns;
    return pause(9, 'no_progress', `${count} turns in a row were cut off without a receipt.`);
  }
  if (counters.turnsWithoutProgress >= limits.turnsWithoutProgress) return null;
  const outcome: Outcome = { action: 'continue', next: 'resume' };
  return { rule: 9, outcome, sentence: 'The turn was cut off and goes on.' };
}

function pauseWithoutProgress({ facts, counters, limits }: Ground): RuleResult {
  if (facts.end === 'repetition') {
    return pause(10, 'no_progress', detailOr(facts, 'The same call gave the same result again.'));
  }
  if (counters.toolFreeTurns >= limits.toolFreeTurns) {
    const count = counters.toolFreeTurns;
    return pause(10, 'no_progress', `${count} turns in a row used no tool and met nothing new.`);
  }
  if (counters.turnsWithoutProgress >= limits.turnsWithoutProgress) {
    const count = counters.turnsWithoutProgress;
    return pause(10, 'no_progress', `${count} turns in a row met no criterion or todo item.`);
  }
  return null;
}

function nudge(ground: Ground): Ruling {
  const { facts, counters, limits, score, election } = ground;
  if (!limits.enabled) return pause(11, 'question', 'The model yielded and nudges are turned off.');
  if (election?.isGranted === false) return nudgeRefused(election);
  const tone = nudgeTone(score, facts.signals, limits);
  if (
    tone === 'go_on' &&
    counters.continuationsWithoutReceipt < limits.continuationsWithoutReceipt
  ) {
    return goOn(ground);
  }
  return {
    rule: 11,
    outcome: { action: 'nudge', next: 'nudge' },
    sentence: `The model yielded with a score of ${score.total}; the nudge names what is missing.`,
    isWarning: tone === 'warning',
  };
}

const nudgeRefused = (refusal: ElectionRefusal): Ruling => ({
  rule: 11,
  outcome: { action: 'nudge', next: 'nudge' },
  sentence: refusalText(refusal),
});

function goOn({ counters, score }: Ground): Ruling {
  const continuationsWithoutReceipt = counters.continuationsWithoutReceipt + 1;
  return {
    rule: 11,
    outcome: { action: 'continue', next: 'nudge' },
    sentence: `The model means to go on (score ${score.total}).`,
    counters: { ...counters, continuationsWithoutReceipt },
  };
}

function limitRuling(limit: LimitReached): Ruling {
  const sentence = `The budget of ${limit.name} is used up: ${limit.used} of ${limit.allowed}.`;
  return { rule: 6, outcome: { action: 'limit', limit }, sentence };
}

function pause(rule: Rule, reason: PauseReason, message: string, lead = 'Paused'): Ruling {
  return { rule, outcome: { action: 'pause', reason, message }, sentence: `${lead}: ${message}` };
}

/** Whatever a provider does is neither progress nor the want of it. */
const providerPause = ({ counters }: DecisionInput, message: string): Ruling => ({
  ...pause(2, 'provider_error', message, 'The provider failed'),
  counters,
});

const providerWords = (facts: TurnFacts): string =>
  facts.provider?.message ?? detailOr(facts, 'It failed.');

function detailOr(facts: TurnFacts, fallback: string): string {
  return facts.detail ?? fallback;
}
