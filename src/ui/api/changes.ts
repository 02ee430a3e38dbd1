import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { keys } from './keys.ts';
import { isPassing } from './problem.ts';

const FILES_A_PAGE = 5000;
const LINES_A_PAGE = 500;

/** Names of checkpoints; `now` = the files as they are. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const whilePassing = (count: number, error: Error) => isPassing(error) && count < 3;

export const checkpointsQuery = (goalId: string) =>
  queryOptions({
    queryKey: keys.detail(goalId, 'checkpoints'),
    queryFn: () =>
      answerOf(api.GET('/v1/goals/{goalId}/checkpoints', { params: { path: { goalId } } })),
  });

const pageOfChanges = (goalId: string, query: Partial<Range> & { readonly cursor?: string }) =>
  answerOf(
    api.GET('/v1/goals/{goalId}/changes', {
      params: { path: { goalId }, query: { ...query, limit: FILES_A_PAGE } },
    }),
  );

let early: { readonly goalId: string; readonly page: ReturnType<typeof pageOfChanges> } | null =
  null;

/** Asks for all that a goal changed before its checkpoints are known; the next such query takes it. */
export function askChangesEarly(goalId: string): void {
  early = { goalId, page: pageOfChanges(goalId, {}) };
  // The page asks again for what can't be had, and says so.
  early.page.catch(() => undefined);
}

async function takeEarly(goalId: string, { from, to }: Range) {
  const asked = early;
  early = null;
  const page = asked?.goalId === goalId ? await asked.page.catch(() => null) : null;
  return page?.from === from && page.to === to ? page : null;
}

/** @param state stands for all that may have written: another one is another question */
export const changesQuery = (goalId: string, range: Range, state: string) =>
  infiniteQueryOptions({
    queryKey: keys.changes(goalId, range.from, range.to, state),
    queryFn: async ({ pageParam }) =>
      pageParam === null
        ? ((await takeEarly(goalId, range)) ?? (await pageOfChanges(goalId, range)))
        : await pageOfChanges(goalId, { ...range, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    retry: whilePassing,
  });

/** @param state stands for the contents that are compared: another one is another question */
export const fileChangesQuery = (goalId: string, range: Range, path: string, state: string) =>
  infiniteQueryOptions({
    queryKey: keys.fileChanges(goalId, range.from, range.to, path, state),
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/goals/{goalId}/changes/file', {
          params: {
            path: { goalId },
            query: {
              ...{ ...range, path, limit: LINES_A_PAGE },
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    retry: whilePassing,
  });

export const fetchDiff = (goalId: string, range: Range, cursor: string | null) =>
  answerOf(
    api.GET('/v1/goals/{goalId}/diff', {
      params: {
        path: { goalId },
        query: { ...range, ...(cursor === null ? {} : { cursor }) },
      },
    }),
  );
