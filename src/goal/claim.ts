import { countRefusal } from './counters.ts';
import type { GateVerdict } from './facts.ts';
import { holdsCheaply, weakenedBasis } from './gate.ts';
import type { Ground, RuleResult, Ruling } from './ground.ts';

/** Rule 4: an explicit claim goes to the gate. */
export function judgeClaim(ground: Ground): RuleResult {
  const { facts, input, verdict } = ground;
  if (facts.end !== 'claim') return null;
  if (facts.mode === 'gather') return refuseClaim(ground, modeVerdict(verdict));
  if (facts.unread > 0) return readFirst(ground);
  if (holdsCheaply(facts) && input.evidence === null) return 'evidence';
  return verdict.missing.length > 0 ? refuseClaim(ground, verdict) : acceptClaim(ground);
}

function acceptClaim({ verdict, input }: Ground): Ruling {
  const { verification } = verdict;
  const isEnough =
    verification === 'verified' ||
    (verification === 'supported' && input.policy.completion === 'supported');
  if (!isEnough) return pauseUnverified(verdict);
  return {
    rule: 4,
    outcome: { action: 'complete', source: 'explicit', verification },
    sentence: `The claim holds: everything that was asked for is ${verification}.`,
  };
}

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

function readFirst({ facts }: Ground): Ruling {
  return {
    rule: 4,
    outcome: { action: 'continue', next: 'message' },
    sentence: `The claim waits: ${facts.unread} unread message(s) come first.`,
  };
}
