import type { Alert, Provider, Queue, Worker } from '../api/types.ts';
import type { ActorKind, NextAct } from './actor.ts';
import { dollars, duration, plural } from './format.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An act for a person shows as "You" to users who may do it, and as "Team" to others. */
export function actOfAlert({ actor, action }: Alert, mayAct: boolean): NextAct {
  if (actor === null) return { kind: 'none', actor: '', reason: action };
  if (actor === 'You' && !mayAct) return { kind: 'team', actor: 'Team', reason: action };
  return { kind: actor.toLowerCase() as ActorKind, actor, reason: action };
}

export function workersSummary(workers: readonly Worker[]): { up: number; rest: string } {
  const of = (state: Worker['state']) => workers.filter((worker) => worker.state === state).length;
  const others = [
    ...(of('lost') > 0 ? [`${of('lost')} lost`] : []),
    ...(of('draining') > 0 ? [`${of('draining')} draining`] : []),
  ];
  return { up: of('up'), rest: [`of ${workers.length}`, ...others].join(', ') };
}

/** Seconds that the oldest task waits; null = none does. */
export function oldestTask(queues: readonly Queue[]): number | null {
  const waiting = queues.filter(({ backlog }) => backlog > 0).map(({ ageSeconds }) => ageSeconds);
  return waiting.length === 0 ? null : Math.max(...waiting);
}

/** `at most 12, 4 minutes ago`: minute by minute, the present one last; null = nobody looked. */
export function backlogText(recent: readonly (number | null)[]): string {
  const seen = recent.filter((backlog) => backlog !== null);
  const looked = seen.length === recent.length ? '' : `; seen in ${plural(seen.length, 'minute')}`;
  const highest = Math.max(0, ...seen);
  if (seen.length === 0) return 'Nobody has looked yet';
  if (highest === 0) return `Nothing waited${looked}`;
  const ago = recent.length - 1 - recent.lastIndexOf(highest);
  return `At most ${highest}, ${ago === 0 ? 'now' : `${plural(ago, 'minute')} ago`}${looked}`;
}

/** Today's cost at the end of the day, if it goes on as in the last hour; null where nothing did. */
export function byMidnight(todayUsd: string, lastHourUsd: string, now: number): number | null {
  if (Number(lastHourUsd) === 0) return null;
  const date = new Date(now);
  const end = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  return Number(todayUsd) + (Number(lastHourUsd) * (end - now)) / HOUR_MS;
}

export interface SpendBar {
  /** The bar's height as a share of the highest bar. */
  readonly share: number;
  readonly costUsd: string;
  readonly at: number;
}

/** A bar for every hour of the day, or for each of the last thirty days. */
export function spendBars(
  items: readonly { readonly key: string; readonly costUsd: string }[],
  range: { readonly from: string; readonly by: 'hour' | 'day' },
): SpendBar[] {
  const bars = range.by === 'hour' ? 24 : 30;
  const width = range.by === 'hour' ? HOUR_MS : DAY_MS;
  const first = Date.parse(range.from);
  const costs = Array.from({ length: bars }, () => '0');
  for (const { key, costUsd } of items) {
    // A day that is an hour short or long still is that day.
    const index = Math.round((Date.parse(key) - first) / width);
    if (index >= 0 && index < bars) costs[index] = costUsd;
  }
  const highest = Math.max(...costs.map(Number), Number.MIN_VALUE);
  return costs.map((costUsd, index) => ({
    costUsd,
    share: Number(costUsd) / highest,
    at: first + index * width,
  }));
}

const recentSum = ({ recentErrors }: Provider): number =>
  recentErrors.reduce((sum, errors) => sum + errors, 0);

export const isDegraded = (provider: Provider): boolean => recentSum(provider) >= 3;

export const recentErrorsText = (provider: Provider): string =>
  `${plural(recentSum(provider), 'error')} in the last ${plural(provider.recentErrors.length, 'minute')}`;

export function providerText({ calls, p50Seconds, p95Seconds, costUsd }: Provider): string {
  const times =
    p50Seconds === null || p95Seconds === null
      ? []
      : [`p50 ${duration(p50Seconds)}`, `p95 ${duration(p95Seconds)}`];
  return [...times, dollars(costUsd), plural(calls, 'call')].join(', ');
}

/** `3 errors (2 rate limit, 1 timeout)`; empty for none. */
export function errorsText({ errors, kinds }: Provider): string {
  if (errors === 0) return '';
  const named = kinds.map(({ kind, calls }) => `${calls} ${kind.replace('_', ' ')}`);
  return `${plural(errors, 'error')} (${named.join(', ')})`;
}
