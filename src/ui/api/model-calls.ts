import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { keys } from './keys.ts';
import { fetchTimeline } from './queries.ts';
import type { ModelCall } from './types.ts';

export const modelCallsQuery = (goalId: string, turn: number) =>
  queryOptions({
    queryKey: keys.detail(goalId, `model calls of ${turn}`),
    queryFn: async () => {
      const params = { path: { goalId, turn } };
      const path = '/v1/goals/{goalId}/turns/{turn}/model-calls';
      return (await answerOf(api.GET(path, { params }))).items;
    },
  });

/** Number of the newest turn; 0 before the first. */
export const newestTurnQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'newest turn'),
    queryFn: async () => (await fetchTimeline(goalId, 1)).items[0]?.turn ?? 0,
  });

/** Null where the goal has no such turn. */
export const turnQuery = (goalId: string, turn: number) =>
  queryOptions({
    queryKey: keys.detail(goalId, `turn ${turn}`),
    queryFn: async () => {
      const params = { path: { goalId }, query: { limit: 1, before: turn + 1 } };
      const { items } = await answerOf(api.GET('/v1/goals/{goalId}/turns', { params }));
      return items.find((one) => one.turn === turn) ?? null;
    },
  });

/** Its state is part of the name: what ended doesn't change. */
export const modelCallQuery = (goalId: string, call: ModelCall) =>
  queryOptions({
    queryKey: keys.modelCall(goalId, call),
    queryFn: () => {
      const { turn, kind, step, attempt } = call;
      const params = { path: { goalId, turn, kind, step, attempt } };
      const path = '/v1/goals/{goalId}/turns/{turn}/model-calls/{kind}/{step}/{attempt}';
      return answerOf(api.GET(path, { params }));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
