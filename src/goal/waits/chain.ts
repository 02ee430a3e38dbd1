import type { UsageFields } from '../../../schema/budget.ts';
import type { WaitOn } from '../../../schema/goal.ts';
import type { Continuation } from '../../../schema/policy.ts';
import type { Decision } from '../../contract/decision.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import type {
  WakeChain,
  WakeRefusal,
  WakeRequest,
  WakeVerdict,
} from '../../contract/turn-facts.ts';

type Numbers = Pick<
  Continuation,
  | 'delayMinSeconds'
  | 'delayMaxSeconds'
  | 'delayDefaultSeconds'
  | 'waitDefaultSeconds'
  | 'waitMaxSeconds'
  | 'chainLength'
  | 'chainTokens'
>;

/** The facts by which a wake request is judged, besides its own words. */
export interface WakeBounds {
  readonly chain: WakeChain | null;
  readonly generation: number;
  readonly usage: UsageFields;
  readonly limits: Numbers;
  readonly now: string;
}

/** Granted within the bounds, or refused with the bound that it met. */
export function judgeWakeRequest(request: WakeRequest, bounds: WakeBounds): WakeVerdict {
  const { chain, generation, usage, limits, now } = bounds;
  if (request.generation !== generation) {
    const { generation: value } = request;
    return { isGranted: false, limit: 'generation', value, allowed: generation };
  }
  const refusal = boundMet(chain, usage, limits);
  if (refusal !== null) return { isGranted: false, ...refusal };
  const began = chain ?? { startedAt: now, length: 0, tokensAtStart: usage.tokens };
  return { isGranted: true, on: request.on, chain: began, ...durationOf(request, limits, now) };
}

/** Looked at when a wake is asked for, and again when its wait is over. */
export function boundMet(
  chain: WakeChain | null,
  usage: UsageFields,
  { chainLength, chainTokens }: Pick<Numbers, 'chainLength' | 'chainTokens'>,
): WakeRefusal | null {
  if (chain === null) return null;
  if (chain.length >= chainLength) {
    return { limit: 'chainLength', value: chain.length + 1, allowed: chainLength };
  }
  const value = tokensOf(chain, usage);
  if (chainTokens === 0 || value < chainTokens) return null;
  return { limit: 'chainTokens', value, allowed: chainTokens };
}

export const tokensOf = ({ tokensAtStart }: WakeChain, { tokens }: Pick<UsageFields, 'tokens'>) =>
  Math.max(0, tokens - tokensAtStart);

interface Duration {
  readonly seconds: number;
  readonly note: string | null;
}

function durationOf(request: WakeRequest, limits: Numbers, now: string): Duration {
  const { delayMinSeconds, delayMaxSeconds, delayDefaultSeconds } = limits;
  const { waitDefaultSeconds, waitMaxSeconds } = limits;
  if (request.until !== null) {
    const left = Math.ceil((Date.parse(request.until) - Date.parse(now)) / 1000);
    return within(left, { least: 0, most: waitMaxSeconds });
  }
  if (request.on === 'condition') {
    return within(request.seconds ?? waitDefaultSeconds, { least: 1, most: waitMaxSeconds });
  }
  const bounds = { least: delayMinSeconds, most: delayMaxSeconds };
  return within(request.seconds ?? delayDefaultSeconds, bounds);
}

/** The most wins over the least, so that no setting makes a wait longer than it allows. */
function within(asked: number, { least, most }: { least: number; most: number }): Duration {
  const seconds = Math.min(most, Math.max(least, Math.round(asked)));
  const note = seconds === asked ? null : `asked for ${asked} s; the bounds are ${least}–${most} s`;
  return { seconds, note };
}

const BOUND: Record<WakeRefusal['limit'], string> = {
  chainLength: 'wakes in a row without anything new or a person between them',
  chainTokens: 'tokens spent in one row of wakes',
  generation: 'it was asked for before a person spoke or cancelled',
};

/** For people and the model alike. */
export function refusalText({ limit, value, allowed }: WakeRefusal): string {
  return limit === 'generation'
    ? `The wake was not scheduled: ${BOUND.generation}.`
    : `The wake was not scheduled: ${limit} ${value} of at most ${allowed} (${BOUND[limit]}).`;
}

/** Does the goal wait because the model asked for it? */
export function waitsAsRequested({ context }: Pick<ChartSnapshot, 'context'>): boolean {
  return context.wait?.on === 'timer' || context.wait?.on === 'condition';
}

/** A step that leaves the wait that the model asked for. */
export const leavesRequestedWait = (before: ChartSnapshot, after: ChartSnapshot): boolean =>
  waitsAsRequested(before) && !(waitsAsRequested(after) && !after.context.isArchived);

/** How a wake request stands once its turn settled. */
export function stateOfWakeRequest(
  { outcome, election }: Pick<Decision, 'outcome' | 'election'>,
  chart: ChartSnapshot,
): 'waiting' | 'refused' | 'overtaken' {
  if (outcome.action === 'wait' && waitsAsRequested(chart)) return 'waiting';
  return election?.isGranted === false ? 'refused' : 'overtaken';
}

/**
 * A delegate's result ends a wait for something to happen: the next turn reads the result and may
 * wait again. A wait for a person's decision, or for what a turn needs to run at all, outlasts it.
 */
const FOR_NEWS: Readonly<Record<WaitOn, boolean>> = {
  delegate: true,
  timer: true,
  condition: true,
  approval: false,
  provider: false,
  worker: false,
  workspace: false,
  session: false,
  spend: false,
  execution: false,
};

/** One wake more. */
export const counted = (chain: WakeChain): WakeChain => ({ ...chain, length: chain.length + 1 });

/** A wait for something to happen, which whoever has news may end. */
export const waitsForNews = (on: WaitOn): boolean => FOR_NEWS[on];

export function isEndedByResult({ context }: Pick<ChartSnapshot, 'context'>): boolean {
  const on = context.wait?.on;
  return on !== undefined && waitsForNews(on);
}

export const waitsEndedByResult: readonly WaitOn[] = (Object.keys(FOR_NEWS) as WaitOn[]).filter(
  (on) => FOR_NEWS[on],
);
