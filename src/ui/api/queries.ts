import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { withTold } from '../view/temporal-notice.ts';
import { answerOf, api } from './client.ts';
import { keys } from './keys.ts';
import { isPassing, isUnauthorized } from './problem.ts';
import type { CallQuery, GoalQuery, PointPlace, Turn } from './types.ts';

const GOALS_A_PAGE = 100;
const TURNS_A_PAGE = 30;
const CALLS_A_PAGE = 100;
/** Of each kind in the palette. */
const FOUND = 4;

const ofGoal = (goalId: string) => ({ params: { path: { goalId } } });

/** null = not signed in. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async () => {
    try {
      return await answerOf(api.GET('/v1/session'));
    } catch (error) {
      if (isUnauthorized(error)) return null;
      throw error;
    }
  },
});

export const signInMethodsQuery = queryOptions({
  queryKey: keys.signInMethods,
  queryFn: () => answerOf(api.GET('/v1/session/methods')),
});

export const modelsQuery = queryOptions({
  queryKey: keys.models,
  queryFn: async () => (await answerOf(api.GET('/v1/models'))).items,
});

export const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: async () => (await answerOf(api.GET('/v1/agents'))).items,
});

export const workspacesQuery = queryOptions({
  queryKey: keys.workspaces,
  queryFn: async () => (await answerOf(api.GET('/v1/workspaces'))).items,
});

export const countsQuery = queryOptions({
  queryKey: keys.counts,
  queryFn: () => answerOf(api.GET('/v1/goals/counts')),
});

export const goalsQuery = (query: GoalQuery) =>
  infiniteQueryOptions({
    queryKey: keys.goals(query),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/goals', {
          params: {
            query: {
              limit: GOALS_A_PAGE,
              ...query,
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Turns and calls of all goals, a page a second of looking. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: keys.search(q),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/search', {
          params: { query: { q, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Goals go on: what was found is looked for again by the next who asks.
    gcTime: 0,
  });

export const goalQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.goal(goalId),
    queryFn: () => answerOf(api.GET('/v1/goals/{goalId}', ofGoal(goalId))),
  });

export const todosQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'todos'),
    queryFn: () => answerOf(api.GET('/v1/goals/{goalId}/todos', ofGoal(goalId))),
  });

export const gateQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'gate'),
    queryFn: () => answerOf(api.GET('/v1/goals/{goalId}/gate', ofGoal(goalId))),
  });

/** The signed file; what it says doesn't change. */
export const proofQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'proof'),
    queryFn: () =>
      answerOf(api.GET('/v1/goals/{goalId}/proof', { ...ofGoal(goalId), parseAs: 'text' })),
    retry: (count, error) => isPassing(error) && count < 3,
  });

/** What the file says and its runs printed, as one page of HTML. */
export const fetchProofPage = async (goalId: string): Promise<string> => {
  const params = { path: { goalId }, query: { as: 'html' } } as const;
  return await answerOf(api.GET('/v1/goals/{goalId}/proof', { params, parseAs: 'text' }));
};

export const proofLinksQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'proof-links'),
    queryFn: () => answerOf(api.GET('/v1/goals/{goalId}/proof/links', ofGoal(goalId))),
  });

/** The most turns that the map shows: older turns are in the list. */
export const TURNS_ON_MAP = 1000;

export const fetchTimeline = (goalId: string, limit: number) =>
  answerOf(
    api.GET('/v1/goals/{goalId}/timeline', { params: { path: { goalId }, query: { limit } } }),
  );

export const timelineQuery = (goalId: string) =>
  infiniteQueryOptions({
    queryKey: keys.timeline(goalId),
    queryFn: () => fetchTimeline(goalId, TURNS_ON_MAP),
    initialPageParam: null as string | null,
    getNextPageParam: () => null,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });

export const delegatesQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'delegates'),
    queryFn: () => answerOf(api.GET('/v1/goals/{goalId}/delegates', ofGoal(goalId))),
  });

export const attachmentsQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'attachments'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/goals/{goalId}/attachments', ofGoal(goalId)))).items,
  });

/** What a hash names never changes. */
export const attachmentQuery = (goalId: string, sha256: string) =>
  queryOptions({
    queryKey: keys.attachment(goalId, sha256),
    queryFn: async () => {
      const params = { path: { goalId, sha256 } };
      const path = '/v1/goals/{goalId}/attachments/{sha256}';
      return (await answerOf(api.GET(path, { params, parseAs: 'blob' }))) as Blob;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const questionQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'question'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/goals/{goalId}/question', ofGoal(goalId)))).question,
  });

/** Who answered its newest answered question; null = nobody was asked. */
export const answeredQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'answered'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/goals/{goalId}/question', ofGoal(goalId)))).answered,
  });

const NOTICES = 20;

export const notificationsQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'notifications'),
    queryFn: async () => {
      const params = { path: { goalId }, query: { limit: NOTICES } };
      return (await answerOf(api.GET('/v1/goals/{goalId}/notifications', { params }))).items;
    },
  });

export const sentMessagesQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'messages'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/goals/{goalId}/messages', ofGoal(goalId)))).items,
  });

export const disputesQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'disputes'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/goals/{goalId}/disputes', ofGoal(goalId)))).items,
  });

export const approvalsQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'approvals'),
    queryFn: async () =>
      (await answerOf(api.GET('/v1/approvals', { params: { query: { goalId } } }))).items,
  });

export const chainQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'chain'),
    queryFn: async () => {
      const params = { path: { goalId }, query: { limit: 1 } };
      return (await answerOf(api.GET('/v1/goals/{goalId}/ledger', { params }))).chain ?? null;
    },
  });

/** Turns above the asked-for one that come along, so that it isn't the first on the page. */
const TURNS_ABOVE = 10;

export const fetchTurns = (goalId: string, cursor: string | null, from: number | null = null) =>
  answerOf(
    api.GET('/v1/goals/{goalId}/turns', {
      params: {
        path: { goalId },
        query: {
          limit: TURNS_A_PAGE,
          ...(cursor === null ? {} : { cursor }),
          ...(from === null ? {} : { before: from + TURNS_ABOVE }),
        },
      },
    }),
  );

/** The newest turns whose words hold it. */
export const foundTurnsQuery = (goalId: string, q: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, `turns with ${q}`),
    queryFn: async () => {
      const params = { path: { goalId }, query: { limit: FOUND, q } };
      return (await answerOf(api.GET('/v1/goals/{goalId}/turns', { params }))).items;
    },
  });

/** The newest calls that did or printed it. */
export const foundCallsQuery = (goalId: string, q: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, `calls with ${q}`),
    queryFn: async () => (await fetchCalls(goalId, { q, limit: FOUND }, null)).items,
  });

/** Pages from the newest one on, or around a requested one. */
export const turnsQuery = (goalId: string, from: number | null) =>
  infiniteQueryOptions({
    queryKey: keys.turns(goalId, from),
    queryFn: ({ pageParam }) => fetchTurns(goalId, pageParam, from),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const fetchCalls = (goalId: string, query: CallQuery, cursor: string | null) =>
  answerOf(
    api.GET('/v1/goals/{goalId}/calls', {
      params: {
        path: { goalId },
        query: { limit: CALLS_A_PAGE, ...query, ...(cursor === null ? {} : { cursor }) },
      },
    }),
  );

export const callsQuery = (goalId: string, query: CallQuery) =>
  infiniteQueryOptions({
    queryKey: keys.calls(goalId, query),
    queryFn: ({ pageParam }) => fetchCalls(goalId, query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The calls of one turn; a turn with more is read in the ledger. Those of a settled one stay. */
export const turnCallsQuery = (goalId: string, { turn, state }: Pick<Turn, 'turn' | 'state'>) =>
  queryOptions({
    queryKey:
      state === 'open' ? keys.detail(goalId, `calls of ${turn}`) : keys.settledCalls(goalId, turn),
    queryFn: () => fetchCalls(goalId, { turn, limit: 200 }, null),
    // Each turn of a goal that is followed is open for a while.
    gcTime: 60_000,
  });

const HISTORY_A_PAGE = 20;

interface HistoryPlace {
  readonly cursor?: string | null;
  readonly before?: number | null;
  readonly limit?: number;
  readonly hasTasks: boolean;
}

export async function fetchHistory(goalId: string, place: HistoryPlace) {
  const { cursor, before, limit = HISTORY_A_PAGE, hasTasks } = place;
  const query = {
    limit,
    tasks: hasTasks ? ('true' as const) : ('false' as const),
    ...(cursor ? { cursor } : {}),
    ...(before ? { before } : {}),
  };
  const params = { path: { goalId }, query };
  return withTold(await answerOf(api.GET('/v1/goals/{goalId}/history', { params })));
}

/** Pages from the newest turn on, or around a requested one. */
export const historyQuery = (goalId: string, from: number | null, hasTasks: boolean) =>
  infiniteQueryOptions({
    queryKey: keys.history(goalId, from, hasTasks),
    queryFn: ({ pageParam }) => fetchHistory(goalId, { cursor: pageParam, before: from, hasTasks }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const pointQuery = (goalId: string, place: PointPlace | null) =>
  queryOptions({
    queryKey: keys.point(goalId, place),
    queryFn: () =>
      answerOf(
        api.GET('/v1/goals/{goalId}/history/point', {
          params: { path: { goalId }, query: place ?? {} },
        }),
      ),
  });

export const callQuery = (goalId: string, seq: number) =>
  queryOptions({
    queryKey: keys.call(goalId, seq),
    queryFn: () =>
      answerOf(api.GET('/v1/goals/{goalId}/calls/{seq}', { params: { path: { goalId, seq } } })),
  });
