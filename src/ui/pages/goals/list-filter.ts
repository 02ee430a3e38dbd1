import type { Goal, GoalQuery, GoalStatus } from '../../api/types.ts';
import type { Group } from '../../view/groups.ts';

export const sorts = [
  ['updated', 'Sort: last activity'],
  ['waiting', 'Sort: waiting longest'],
  ['limit', 'Sort: nearest limit'],
  ['cost', 'Sort: cost'],
  ['newest', 'Sort: newest'],
] as const;

export type Sort = (typeof sorts)[number][0];
export type Filter = 'all' | 'you' | GoalStatus;
type Reason = NonNullable<Goal['pause']>['reason'];

/** What stops goals, in words. */
export const reasons: readonly (readonly [Reason, string])[] = [
  ['question', 'Asked a question'],
  ['blocked', 'Blocked'],
  ['disputed', 'Disputes a criterion'],
  ['unverified_claim', 'Unverified claim'],
  ['no_progress', 'No progress'],
  ['gate_exhausted', 'Refused too often'],
  ['provider_error', 'Provider failed'],
  ['tool_error_cap', 'Tools failed'],
  ['person', 'Paused by a person'],
  ['program', 'Paused by a program'],
  ['recovery', 'Needs a look after a crash'],
];

export const dates = [
  ['1', 'Started today'],
  ['7', 'Started in 7 days'],
  ['30', 'Started in 30 days'],
] as const;

export interface ListState {
  readonly filter: Filter;
  readonly q: string;
  /** Empty = all. */
  readonly workspace: string;
  readonly model: string;
  readonly reason: Reason | '';
  readonly days: (typeof dates)[number][0] | '';
  readonly sort: Sort;
  readonly isGrouped: boolean;
  readonly isBoard: boolean;
}

const filters: readonly string[] = ['you', 'active', 'paused', 'budget_limited', 'complete'];

/** The address says what is shown, so that a link shows the same. */
export function readListState(search: URLSearchParams): ListState {
  const filter = search.get('filter') ?? '';
  const known = <Name extends string>(all: readonly (readonly [Name, string])[], name: string) =>
    all.find(([one]) => one === search.get(name))?.[0] ?? '';
  return {
    filter: filters.includes(filter) ? (filter as Filter) : 'all',
    q: search.get('q') ?? '',
    workspace: search.get('workspace') ?? '',
    model: search.get('model') ?? '',
    reason: known(reasons, 'reason'),
    days: known(dates, 'days'),
    sort: sorts.find(([name]) => name === search.get('sort'))?.[0] ?? 'updated',
    isGrouped: search.get('group') !== 'none',
    isBoard: search.get('view') === 'board',
  };
}

/** What is shown is not everything there is. */
export const isNarrowed = ({ filter, q, workspace, model, reason, days }: ListState): boolean =>
  filter !== 'all' || [q, workspace, model, reason, days].some((one) => one !== '');

const DAY_MS = 86_400_000;

/** The beginning of the day so many days back, so that a list asks the same all day. */
const sinceOf = (days: string, now: number): string =>
  new Date(Math.floor(now / DAY_MS) * DAY_MS - (Number(days) - 1) * DAY_MS).toISOString();

/** The request to the service: it filters, sorts, groups and pages. */
export function queryOf(state: ListState, now = Date.now()): GoalQuery {
  const { filter, q, workspace, model, reason, days, sort, isGrouped } = state;
  return {
    sort,
    ...(isGrouped ? { group: 'actor' as const } : {}),
    ...(q.trim() === '' ? {} : { q: q.trim().slice(0, 200) }),
    ...(workspace === '' ? {} : { workspace }),
    ...(model === '' ? {} : { model }),
    ...(reason === '' ? {} : { reason: [reason] }),
    ...(days === '' ? {} : { since: sinceOf(days, now) }),
    ...(filter === 'all'
      ? {}
      : filter === 'you'
        ? { actor: ['You' as const] }
        : { status: [filter] }),
  };
}

/** Who acts next, as the service is asked for it. */
export const groupQueries: Readonly<Record<Group, GoalQuery>> = {
  you: { actor: ['You'] },
  agent: { actor: ['Agent'] },
  waiting: { actor: ['Clock', 'Provider', 'Worker'] },
  team: { actor: ['Team'] },
  complete: { status: ['complete'] },
};
