import type { GateVerdict } from '../../contract/evidence.ts';
import { overtakenApprovals } from '../approvals/approvals.ts';
import { countRefusal } from './counters.ts';
import { holdsCheaply, weakenedBasis } from './gate.ts';
import type { Ground, RuleResult, Ruling } from './ground.ts';

/** Rule 4: an explicit claim goes to the gate. */
export function judgeClaim(ground: Ground): RuleResult {
  const { facts, input, verdict } = ground;
  if (facts.end !== 'claim') return null;
  if (facts.mode === 'gather') return refuseClaim(ground, modeVerdict(verdict));
  if (facts.unread > 0) return readFirst(ground);
  if (facts.delegates?.unread) return readResultsFirst;
  if (holdsCheaply(facts) && input.evidence === null) return 'evidence';
  return verdict.missing.length > 0 ? refuseClaim(ground, verdict) : acceptClaim(ground);
}

function acceptClaim(ground: Ground): RuleResult {
  const { verdict, input } = ground;
  if (input.isDelegate === true && verdict.asks.length === 0) return takeResult;
  const isEnough =
    verdict.promised !== null &&
    (verdict.promised !== 'supported' || input.policy.completion === 'supported');
  // Who accepts the claim as a whole has accepted its parts: nobody is asked twice.
  if (!isEnough) return pauseUnverified(verdict);
  if (verdict.verification === null) return putToPerson(ground);
  const { verification } = verdict;
  return {
    rule: 4,
    outcome: { action: 'complete', source: 'explicit', verification },
    sentence: `The claim holds: everything that was asked for is ${verification.replaceAll('_', ' ')}.`,
  };
}

/** What a delegate claims goes to the goal that asked, which has its own gate. */
const takeResult: Ruling = {
  rule: 4,
  outcome: { action: 'complete', source: 'explicit', verification: 'supported' },
  sentence: 'The delegate claims to be done; that is its result.',
};

/** Only a person's word is missing; asking again because files were written since is counted. */
function putToPerson(ground: Ground): RuleResult {
  const { verdict, input } = ground;
  if (verdict.asks.some(({ kind }) => kind === 'basis')) {
    return { ...pauseUnverified(verdict), asks: verdict.asks };
  }
  const overtaken = overtakenApprovals(input.evidence);
  const counters =
    overtaken.length === 0 ? ground.counters : countRefusal(ground.counters, overtaken);
  if (overtaken.length > 0 && isExhausted(ground, counters)) {
    const message = `Files were written again and again after a person had approved: ${overtaken.join(', ')}.`;
    const outcome = { action: 'pause', reason: 'gate_exhausted', message } as const;
    return { rule: 4, outcome, sentence: message, counters, missing: overtaken };
  }
  return {
    rule: 4,
    outcome: { action: 'wait', on: 'approval', seconds: null, next: 'wake' },
    sentence: `Everything else holds; a person has to decide: ${subjectsOf(verdict)}.`,
    asks: verdict.asks,
    counters,
  };
}

const subjectsOf = ({ asks }: GateVerdict): string =>
  asks.map((ask) => ('subject' in ask ? ask.subject : ask.kind)).join(', ');

function pauseUnverified(verdict: GateVerdict): Ruling {
  const message =
    verdict.reasons[weakenedBasis] ??
    'Nothing is open, but no check that the host made and that failed before now proves the claim.';
  return {
    rule: 4,
    outcome: { action: 'pause', reason: 'unverified_claim', message },
    sentence: `The claim needs a person's word: ${message}`,
  };
}

function modeVerdict(verdict: GateVerdict): GateVerdict {
  const mode = 'A goal in gather mode cannot claim: answer with your findings in plain text.';
  return { ...verdict, verification: null, missing: ['mode'], reasons: { mode } };
}

function refuseClaim(ground: Ground, { missing, reasons }: GateVerdict): RuleResult {
  const counters = countRefusal(ground.counters, missing);
  const refusal = { rule: 4, counters, missing, reasons } as const;
  const list = missing.join(', ');
  if (isExhausted(ground, counters)) {
    const message = `The claim was refused again and again; still missing: ${list}.`;
    const outcome = { action: 'pause', reason: 'gate_exhausted', message } as const;
    return { ...refusal, outcome, sentence: message };
  }
  const sentence = `The claim is refused; missing: ${list}.`;
  return { ...refusal, outcome: { action: 'refuse', next: 'nudge' }, sentence };
}

function isExhausted({ limits }: Ground, counters: ReturnType<typeof countRefusal>): boolean {
  return (
    counters.refusalsInRow >= limits.refusalsInRow ||
    counters.refusalsWithoutBest >= limits.refusalsWithoutBest
  );
}

const readResultsFirst: Ruling = {
  rule: 4,
  outcome: { action: 'continue', next: 'wake' },
  sentence: 'The claim waits: the result of a delegate comes first.',
};

function readFirst({ facts }: Ground): Ruling {
  return {
    rule: 4,
    outcome: { action: 'continue', next: 'message' },
    sentence: `The claim waits: ${facts.unread} unread message(s) come first.`,
  };
}
