import type {
  DelegateLimit,
  DelegateOutcome,
  DelegateReturn,
  DelegateShare,
} from '../../../schema/delegate.ts';
import type { Mode } from '../../../schema/goal.ts';
import type { Continuation } from '../../../schema/policy.ts';
import type { ChartSnapshot } from '../../contract/goal-state.ts';
import { step } from '../chart/machine.ts';
import { isOpen } from '../chart/view.ts';

export type DelegateEnd = Extract<
  DelegateOutcome,
  { kind: 'finding' | 'failed' | 'limited' | 'stopped' | 'lost' | 'dropped' }
>;

/**
 * Null while somebody will go on: it runs or waits, or a person paused it and can resume it. Any
 * other pause waits for a person whom nobody sent for, so it is an end.
 */
export function endOfDelegate({ value, context }: ChartSnapshot): DelegateEnd | null {
  if (value === 'complete') return { kind: 'finding', reason: 'done' };
  if (context.isArchived) return { kind: 'stopped', reason: 'it was cleared' };
  if (value === 'paused' && context.pause !== null) {
    const { reason, message } = context.pause;
    if (reason === 'person' || reason === 'message') return null;
    const kind = reason === 'recovery' ? 'lost' : 'failed';
    return { kind, reason: `${reason}: ${message}`.slice(0, 1000) };
  }
  if (typeof value === 'object' && 'budget_limited' in value && value.budget_limited === 'stopped')
    return { kind: 'limited', reason: limitText(context) };
  return null;
}

function limitText({ limit }: ChartSnapshot['context']): string {
  if (limit === null) return 'its budget is used up';
  return `its budget of ${limit.name} is used up: ${limit.used} of ${limit.allowed}`;
}

/** Once its end is told, nothing of it may go on: not by a resume, not by a larger budget. */
export function closeEnded(chart: ChartSnapshot): ChartSnapshot {
  const isOver = chart.value === 'complete' || chart.context.isArchived;
  return isOver ? chart : step(chart, { type: 'goal.cleared' });
}

export type WantedOfDelegate = 'running' | 'paused' | 'stopped';

/** What a goal's own state asks of its delegates. */
export function wantedOfDelegates(chart: ChartSnapshot): WantedOfDelegate {
  const { value, context } = chart;
  if (context.isArchived || value === 'complete') return 'stopped';
  if (value === 'paused') return 'paused';
  return 'active' in value ? 'running' : 'stopped';
}

/** Only a turn that leads on hands its work over. */
export const mayDelegate = (chart: ChartSnapshot): boolean =>
  isOpen(chart) && wantedOfDelegates(chart) === 'running';

/** How a result lies in the goal's inbox: one that is `silent` wakes nobody. */
const DELIVERY: Readonly<Record<DelegateReturn, 'wake' | 'silent_wake' | 'silent'>> = {
  normal: 'wake',
  silent: 'silent',
  silent_wake: 'silent_wake',
  post_compaction: 'silent',
};

export const deliveryOf = (returns: DelegateReturn) => DELIVERY[returns];

/** Returns of delegates whose result a goal waits for. */
export const awaitedReturns: readonly DelegateReturn[] = (
  Object.keys(DELIVERY) as DelegateReturn[]
).filter((returns) => DELIVERY[returns] !== 'silent');

const RANK: Readonly<Record<Mode, number>> = { gather: 0, plan: 1, agent: 2 };

/** A goal that may not write hands nobody the right to. */
export const mayAskFor = (own: Mode, asked: Mode): boolean => RANK[asked] <= RANK[own];

export interface GrantContext {
  readonly running: number;
  readonly depth: number;
  readonly hop: number;
  /** Used by the chain's delegates so far. */
  readonly chainTokens: number;
  readonly isCycle: boolean;
  /** Null: too little is left. */
  readonly share: DelegateShare | null;
  readonly limits: Pick<
    Continuation,
    'delegatesRunning' | 'delegateDepth' | 'chainLength' | 'chainTokens'
  >;
}

export interface GrantRefusal {
  readonly limit: DelegateLimit;
  readonly value: number;
  readonly allowed: number;
}

/** The bound that a delegate meets when it is about to begin; null = it begins. */
export function refuseGrant(context: GrantContext): GrantRefusal | null {
  const { running, depth, hop, chainTokens, isCycle, share, limits } = context;
  if (isCycle) return { limit: 'cycle', value: 1, allowed: 0 };
  if (depth > limits.delegateDepth) return over('delegateDepth', depth, limits.delegateDepth);
  if (hop > limits.chainLength) return over('chainLength', hop, limits.chainLength);
  if (limits.chainTokens > 0 && chainTokens >= limits.chainTokens)
    return over('chainTokens', chainTokens, limits.chainTokens);
  if (running >= limits.delegatesRunning)
    return over('delegatesRunning', running + 1, limits.delegatesRunning);
  return share === null ? { limit: 'budget', value: 0, allowed: 0 } : null;
}

const over = (limit: DelegateLimit, value: number, allowed: number): GrantRefusal => ({
  limit,
  value,
  allowed,
});

/** The same words, however they are spaced. */
export function isSameTask(left: string, right: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
  return plain(left) === plain(right);
}
