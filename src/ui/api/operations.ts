import { queryOptions } from '@tanstack/react-query';
import { useIsOffline } from '../live/live-context.tsx';
import { answerOf, api } from './client.ts';
import type { operations } from './schema.d.ts';

export const workersQuery = queryOptions({
  queryKey: ['operations', 'workers'],
  queryFn: async () => (await answerOf(api.GET('/v1/workers'))).items,
});

export const toolPinsQuery = queryOptions({
  queryKey: ['operations', 'tool-pins'],
  queryFn: async () => (await answerOf(api.GET('/v1/tool-pins'))).items,
});

export const queuesQuery = queryOptions({
  queryKey: ['operations', 'queues'],
  queryFn: async () => (await answerOf(api.GET('/v1/queues'))).items,
});

export const alertsQuery = queryOptions({
  queryKey: ['operations', 'alerts'],
  queryFn: () => answerOf(api.GET('/v1/alerts')),
});

export type Period = 'hour' | 'today' | 'yesterday' | 'month';

export const providersQuery = queryOptions({
  queryKey: ['operations', 'providers'],
  queryFn: async () => {
    const query = { from: rangeOf('today').from };
    return (await answerOf(api.GET('/v1/providers', { params: { query } }))).items;
  },
});

type SpendBy = NonNullable<operations['getSpend']['parameters']['query']>['by'];

export const spendLimitsQuery = queryOptions({
  queryKey: ['operations', 'spend-limits'],
  queryFn: async () => (await answerOf(api.GET('/v1/costs/limits'))).items,
});

/** Days are in the viewer's time zone. */
export const spendQuery = (period: Period, by: NonNullable<SpendBy>) =>
  queryOptions({
    queryKey: ['operations', 'spend', period, by],
    queryFn: () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return answerOf(
        api.GET('/v1/spend', { params: { query: { ...rangeOf(period), by, timeZone } } }),
      );
    },
  });

/** The range of the last hour, of one calendar day, or of the last thirty including today. */
function rangeOf(period: Period): { from: string; to?: string } {
  const day = (before: number) => {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - before).toISOString();
  };
  if (period === 'hour') return { from: new Date(Date.now() - 3_600_000).toISOString() };
  if (period === 'yesterday') return { from: day(1), to: day(0) };
  return { from: day(period === 'today' ? 0 : 29) };
}

/** No event announces changes of these, so views poll them, except while the service is away. */
export function usePolling(everyMs: number): { refetchInterval: number | false } {
  return { refetchInterval: useIsOffline() ? false : everyMs };
}
