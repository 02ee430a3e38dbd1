import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { isUnauthorized } from './problem.ts';
import type {
  AnchorVerdict,
  LogEntry,
  LogFilter,
  MadeToken,
  MadeTrigger,
  NewToken,
  NewTrigger,
} from './types.ts';

const ENTRIES_A_PAGE = 100;
const ENTRIES_AN_EXPORT = 200;

// No event announces changes of these: each look at a page reads them again.
const fresh = { staleTime: 0 } as const;

export const tokensQuery = queryOptions({
  ...fresh,
  queryKey: ['access', 'tokens'],
  queryFn: async () => (await answerOf(api.GET('/v1/tokens'))).items,
});

export const rulesQuery = queryOptions({
  ...fresh,
  queryKey: ['access', 'rules'],
  queryFn: async () => (await answerOf(api.GET('/v1/rules'))).items,
});

export const openSessionsQuery = queryOptions({
  ...fresh,
  queryKey: ['access', 'sessions'],
  queryFn: async () => (await answerOf(api.GET('/v1/sessions'))).items,
});

const fetchLog = (filter: LogFilter, limit: number, cursor: string | null) =>
  answerOf(
    api.GET('/v1/security-log', {
      params: { query: { limit, ...filter, ...(cursor === null ? {} : { cursor }) } },
    }),
  );

export const securityLogQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    ...fresh,
    queryKey: ['access', 'security-log', filter],
    queryFn: ({ pageParam }) => fetchLog(filter, ENTRIES_A_PAGE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** All entries that the filter leaves, newest first. */
export async function readWholeLog(filter: LogFilter): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof fetchLog>> = await fetchLog(
      filter,
      ENTRIES_AN_EXPORT,
      cursor,
    );
    entries.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return entries;
}

/** Every entry is looked at, so it is asked once a visit and on demand. */
export const logVerdictQuery = queryOptions({
  ...fresh,
  queryKey: ['access', 'security-log-verdict'],
  queryFn: () => answerOf(api.GET('/v1/security-log/verify')),
});

export const anchorsQuery = queryOptions({
  ...fresh,
  queryKey: ['access', 'anchors'],
  queryFn: () => answerOf(api.GET('/v1/anchors')),
});

export const verifyAnchors = (): Promise<AnchorVerdict> =>
  answerOf(api.POST('/v1/anchors/verify', { body: {} }));

export const revokeToken = (name: string) =>
  answerOf(api.DELETE('/v1/tokens/{name}', { params: { path: { name } } }));

export const revokeRule = (ruleId: string) =>
  answerOf(api.DELETE('/v1/rules/{ruleId}', { params: { path: { ruleId } } }));

export const endSessions = (name: string) =>
  answerOf(api.DELETE('/v1/sessions/{name}', { params: { path: { name } } }));

/** Not the session's end, which a 401 of the session itself would be. */
export class MakerUnknown extends Error {
  constructor(cause?: unknown) {
    super('This token is not known here, or has ended.', { cause });
    this.name = 'MakerUnknown';
  }
}

/**
 * A session makes nothing that would outlive it: a token of the person does.
 * @throws MakerUnknown
 */
async function byToken<Made>(
  maker: string,
  make: (options: {
    readonly headers: { readonly authorization: string };
    readonly credentials: 'omit';
  }) => Promise<Made>,
): Promise<Made> {
  if (!/^[\x21-\x7e]+$/.test(maker)) throw new MakerUnknown();
  try {
    return await make({ headers: { authorization: `Bearer ${maker}` }, credentials: 'omit' });
  } catch (error) {
    throw isUnauthorized(error) ? new MakerUnknown(error) : error;
  }
}

export const createToken = (body: NewToken, maker: string): Promise<MadeToken> =>
  byToken(maker, (options) => answerOf(api.POST('/v1/tokens', { body, ...options })));

export const createTrigger = (body: NewTrigger, maker: string): Promise<MadeTrigger> =>
  byToken(maker, (options) => answerOf(api.POST('/v1/triggers', { body, ...options })));
