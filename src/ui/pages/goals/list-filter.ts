import type { GoalQuery, GoalStatus } from '../../api/types.ts';

export const sorts = [
  ['updated', 'Sort: last activity'],
  ['waiting', 'Sort: waiting longest'],
  ['limit', 'Sort: nearest limit'],
  ['cost', 'Sort: cost'],
  ['newest', 'Sort: newest'],
] as const;

export type Sort = (typeof sorts)[number][0];
export type Filter = 'all' | 'you' | GoalStatus;

export interface ListState {
  readonly filter: Filter;
  readonly q: string;
  readonly sort: Sort;
  readonly isGrouped: boolean;
  readonly isBoard: boolean;
}

const filters: readonly string[] = ['you', 'active', 'paused', 'budget_limited', 'complete'];

/** The address says what is shown, so that a link shows the same. */
export function readListState(search: URLSearchParams): ListState {
  const filter = search.get('filter') ?? '';
  const sort = sorts.find(([name]) => name === search.get('sort'))?.[0] ?? 'updated';
  return {
    filter: filters.includes(filter) ? (filter as Filter) : 'all',
    q: search.get('q') ?? '',
    sort,
    isGrouped: search.get('group') !== 'none',
    isBoard: search.get('view') === 'board',
  };
}

/** The request to the service: it filters, sorts, groups and pages. */
export function queryOf({ filter, q, sort, isGrouped }: ListState): GoalQuery {
  return {
    sort,
    ...(isGrouped ? { group: 'actor' as const } : {}),
    ...(q.trim() === '' ? {} : { q: q.trim().slice(0, 200) }),
    ...(filter === 'all'
      ? {}
      : filter === 'you'
        ? { actor: ['You' as const] }
        : { status: [filter] }),
  };
}
