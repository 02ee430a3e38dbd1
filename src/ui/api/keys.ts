import type { CallQuery, GoalQuery, PointPlace } from './types.ts';

/** Names in the query cache. Everything of one goal but itself lies below `detail` or `pages`. */
export const keys = {
  session: ['session'],
  sessionEnded: ['session-ended'],
  counts: ['counts'],
  models: ['models'],
  workspaces: ['workspaces'],
  goals: (query: GoalQuery) => ['goals', query],
  allGoals: ['goals'],
  goal: (goalId: string) => ['goal', goalId],
  /** Small things, asked for again whenever the goal moved. */
  detail: (goalId: string, part?: string) =>
    part === undefined ? ['detail', goalId] : ['detail', goalId, part],
  /** Long lists, whose newest page alone is asked for again. */
  turns: (goalId: string, from: number | null) => ['pages', goalId, 'turns', from],
  calls: (goalId: string, query: CallQuery) => ['pages', goalId, 'calls', query],
  timeline: (goalId: string) => ['pages', goalId, 'timeline'],
  history: (goalId: string, from: number | null, hasTasks: boolean) => [
    'pages',
    goalId,
    'history',
    from,
    hasTasks,
  ],
  /** Now moves with the goal; what was true then stays. */
  point: (goalId: string, place: PointPlace | null) =>
    place === null ? ['detail', goalId, 'point'] : ['point', goalId, place],
  settledCalls: (goalId: string, turn: number) => ['settled', goalId, turn],
  call: (goalId: string, seq: number) => ['call', goalId, seq],
} as const;
