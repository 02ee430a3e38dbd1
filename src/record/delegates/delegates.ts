import type { Budget } from '../../../schema/budget.ts';
import type {
  DelegateLimit,
  DelegateOutcome,
  DelegateReturn,
  DelegateShare,
} from '../../../schema/delegate.ts';
import type { Mode } from '../../../schema/goal.ts';
import type { Continuation, Policy } from '../../../schema/policy.ts';
import type { Decision } from '../../contract/decision.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import { step } from '../../goal/chart/machine.ts';
import { isOpen, isOver, isWaiting, statusOf } from '../../goal/chart/view.ts';
import { resolvePolicy } from '../../goal/defaults.ts';

export type DelegateEnd = Extract<
  DelegateOutcome,
  { kind: 'finding' | 'failed' | 'limited' | 'stopped' | 'lost' | 'dropped' }
>;

/**
 * Null while somebody will go on: it runs or waits, or somebody paused it and a person can resume it. Any
 * other pause waits for a person whom nobody sent for, so it is an end.
 */
export function endOfDelegate({ value, context }: ChartSnapshot): DelegateEnd | null {
  if (value === 'complete') return { kind: 'finding', reason: 'done' };
  if (context.isArchived) return { kind: 'stopped', reason: 'it was cleared' };
  if (value === 'paused' && context.pause !== null) {
    const { reason, message } = context.pause;
    if (reason === 'person' || reason === 'program' || reason === 'message') return null;
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
  return isOver(chart) ? chart : step(chart, { type: 'goal.cleared' });
}

export type WantedOfDelegate = 'running' | 'paused' | 'stopped';

/** The state that a goal's own state asks of its delegates. */
export function wantedOfDelegates(chart: ChartSnapshot): WantedOfDelegate {
  const { value } = chart;
  if (isOver(chart) || value === 'complete') return 'stopped';
  if (value === 'paused') return 'paused';
  return 'active' in value ? 'running' : 'stopped';
}

/** Only a turn that leads on hands its work over. */
export const leadsOn = ({ outcome }: Pick<Decision, 'outcome'>, chart: ChartSnapshot): boolean =>
  outcome.action !== 'hold' && isOpen(chart) && wantedOfDelegates(chart) === 'running';

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

/**
 * May a delegate whose time has come begin now? A running slice uses the budget of its beginning,
 * so the delegate then begins when its turn settles.
 */
export const mayBeginDue = ({ chart, isTurnOpen }: Pick<GoalState, 'chart' | 'isTurnOpen'>) =>
  statusOf(chart) === 'active' && (!isTurnOpen || isWaiting(chart));

/** The end of a delegate that is over, or gone (null), and reported nothing. */
export const unseenEnd = (chart: ChartSnapshot | null): DelegateEnd =>
  chart?.value === 'complete'
    ? { kind: 'finding', reason: 'done' }
    : { kind: 'lost', reason: 'its end was not seen' };

/** When a delegate begins that its turn asked for. */
export function startOf(delegate: {
  readonly returns: DelegateReturn;
  readonly delaySeconds: number;
}): 'now' | 'after_delay' | 'after_compaction' {
  if (delegate.returns === 'post_compaction') return 'after_compaction';
  return delegate.delaySeconds > 0 ? 'after_delay' : 'now';
}

interface Terms {
  readonly budget: Budget;
  readonly policy: Policy;
}

/**
 * A delegate gets its share and its parent's deadline. No person accepts its finding or
 * is asked about its requirements, because its parent's gate judges the outcome.
 */
export function termsOf(parent: Terms, share: DelegateShare | null): Terms {
  const { deadline } = parent.budget;
  const budget = { tokens: null, costUsd: null, turns: null, activeSeconds: null, ...share };
  return {
    budget: { ...budget, deadline },
    policy: { ...resolvePolicy(parent.policy), completion: 'supported', coverage: 'open' },
  };
}

/** A delegate that writes beside others gets a worktree of its own if possible. */
export const prefersWorktree = (mode: Mode): boolean => mode === 'agent';

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
