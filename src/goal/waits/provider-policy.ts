import type { Policy } from '../../../schema/policy.ts';
import type { Fallback } from '../../contract/goal-state.ts';
import type { ProviderTrouble } from '../../contract/turn-facts.ts';
import { defaultContinuation } from '../defaults.ts';

type Kind = ProviderTrouble['kind'];

interface Patience {
  /** Tries inside of the turn, beside the first one. */
  readonly short: number;
  /** Waits of the workflow at most; a goal's policy may allow fewer. */
  readonly long: number;
}

const ENDLESS = Number.POSITIVE_INFINITY;
const NONE: Patience = { short: 0, long: 0 };

/**
 * By what the provider may still do about it. Each timeout may have been paid for, so few follow;
 * a malformed answer that comes again will not get better by waiting.
 */
const PATIENCE: Record<Kind, Patience> = {
  rate_limit: { short: 3, long: ENDLESS },
  overload: { short: 3, long: ENDLESS },
  connection: { short: 3, long: ENDLESS },
  timeout: { short: 1, long: 5 },
  malformed: { short: 2, long: 2 },
  content_refused: { short: 1, long: 0 },
  context_overflow: NONE,
  auth: NONE,
  quota: NONE,
  // The workflow waits for the limit by itself.
  spend_limit: NONE,
  other: NONE,
};

/** Waits up to this length are slept through inside of the turn. */
const LONGEST_SHORT_WAIT_SECONDS = 5;
const LONGEST_BACKOFF_SECONDS = 300;
const WAITS_OF_A_WRAP_UP = 3;

/**
 * Seconds until the same turn tries again; null = the workflow has to decide.
 * @param tries of this step so far, 1 for the first
 * @param random from 0 to 1
 */
export function shortWait(trouble: ProviderTrouble, tries: number, random: number): number | null {
  if (tries > PATIENCE[trouble.kind].short) return null;
  const { retryAfterSeconds } = trouble;
  const backoff = 0.5 * 2 ** (tries - 1) * around(random);
  if (retryAfterSeconds === null) return backoff;
  if (retryAfterSeconds > LONGEST_SHORT_WAIT_SECONDS) return null;
  return Math.max(backoff, retryAfterSeconds + afterwards(retryAfterSeconds, random));
}

export type NextTry =
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'fall_back'; readonly fallback: Fallback }
  /** Nothing of this is left: a person is needed. */
  | { readonly kind: 'give_up' };

export interface Situation {
  readonly policy: Policy;
  /** Long waits in a row so far. */
  readonly retries: number;
  readonly hasFallbackModel: boolean;
  readonly fallback: Fallback | null;
  /** A goal that is limited ends without its summary rather than hours later. */
  readonly isWrapUp?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: number;
}

/** The next step when a turn's own short tries are over. */
export function nextTry(trouble: ProviderTrouble, situation: Situation): NextTry {
  const { hasFallbackModel, fallback, now } = situation;
  const isStandingIn = fallback !== null && now < Date.parse(fallback.until);
  if (!hasFallbackModel || isStandingIn) return waitOrGiveUp(trouble, situation);
  // The first model was given another chance, and had its short tries.
  if (fallback !== null) return fallBack(trouble, situation);
  const next = waitOrGiveUp(trouble, situation);
  const isTooLong =
    next.kind === 'wait' && (trouble.retryAfterSeconds ?? 0) > LONGEST_BACKOFF_SECONDS;
  return next.kind === 'give_up' || isTooLong ? fallBack(trouble, situation) : next;
}

function waitOrGiveUp(trouble: ProviderTrouble, situation: Situation): NextTry {
  const { retries, random } = situation;
  const { most, longestSeconds } = boundsOf(trouble.kind, situation);
  const advice = trouble.retryAfterSeconds;
  if (retries >= most || (advice ?? 0) > longestSeconds) return { kind: 'give_up' };
  const backoff = Math.min(LONGEST_BACKOFF_SECONDS, 5 * 2 ** retries) * around(random);
  if (advice === null) return { kind: 'wait', seconds: backoff };
  const advised = advice + afterwards(advice, random);
  // Advice that short was followed inside of the turn, in vain: a clock that is wrong says "now".
  const isProven = advice > LONGEST_SHORT_WAIT_SECONDS;
  return { kind: 'wait', seconds: isProven ? advised : Math.max(advised, backoff) };
}

function boundsOf(kind: Kind, { policy, isWrapUp }: Situation) {
  const numbers = { ...defaultContinuation, ...policy.continuation };
  const most = Math.min(PATIENCE[kind].long, numbers.providerRetries);
  const longestSeconds = numbers.providerWaitSeconds;
  if (isWrapUp !== true) return { most, longestSeconds };
  return {
    most: Math.min(most, WAITS_OF_A_WRAP_UP),
    longestSeconds: Math.min(longestSeconds, LONGEST_BACKOFF_SECONDS),
  };
}

/** At least for the policy's time, and for as long as the provider itself said. */
function fallBack(trouble: ProviderTrouble, { policy, now }: Situation): NextTry {
  const { fallbackSeconds, providerWaitSeconds } = {
    ...defaultContinuation,
    ...policy.continuation,
  };
  const advice = Math.min(trouble.retryAfterSeconds ?? 0, providerWaitSeconds);
  const seconds = Math.max(fallbackSeconds, advice);
  const fallback: Fallback = {
    since: new Date(now).toISOString(),
    until: new Date(now + seconds * 1000).toISOString(),
    reason: `${trouble.kind}: ${trouble.message}`.slice(0, 500),
  };
  return { kind: 'fall_back', fallback };
}

/** From three quarters to five quarters, so that many goals don't come back at once. */
const around = (random: number): number => 0.75 + random / 2;

/** Never before the time that was named, and not all at that very moment. */
const afterwards = (seconds: number, random: number): number =>
  Math.min(30, 0.25 + seconds / 10) * random;

/** The model that a step asks now. */
export function modelNow(
  goal: {
    readonly model: string;
    readonly fallbackModel: string | null;
    readonly fallback: Fallback | null;
  },
  now: number,
): string {
  const { model, fallbackModel, fallback } = goal;
  const isStandingIn = fallback != null && now < Date.parse(fallback.until);
  return isStandingIn && fallbackModel !== null ? fallbackModel : model;
}
