import type { CallQuery, GoalQuery, ModelCall, PointPlace } from './types.ts';

/** Names in the query cache. Everything of one goal but itself lies below `detail` or `pages`. */
export const keys = {
  session: ['session'],
  sessionEnded: ['session-ended'],
  signInMethods: ['sign-in-methods'],
  counts: ['counts'],
  inbox: ['inbox'],
  models: ['models'],
  agents: ['agents'],
  workspaces: ['workspaces'],
  goals: (query: GoalQuery) => ['goals', query],
  allGoals: ['goals'],
  search: (q: string) => ['search', q],
  goal: (goalId: string) => ['goal', goalId],
  /** Small queries, refetched whenever the goal changed. */
  detail: (goalId: string, part?: string) =>
    part === undefined ? ['detail', goalId] : ['detail', goalId, part],
  /** Long lists, of which only the newest page is refetched. */
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
  /** The present state changes with the goal; past states don't change. */
  point: (goalId: string, place: PointPlace | null) =>
    place === null ? ['detail', goalId, 'point'] : ['point', goalId, place],
  settledCalls: (goalId: string, turn: number) => ['settled', goalId, turn],
  attachment: (goalId: string, sha256: string) => ['attachment', goalId, sha256],
  changes: (goalId: string, from: string, to: string, state: string) => [
    'changes',
    goalId,
    from,
    to,
    state,
  ],
  fileChanges: (goalId: string, from: string, to: string, path: string, state: string) => [
    'file-changes',
    goalId,
    from,
    to,
    path,
    state,
  ],
  modelCall: (goalId: string, { turn, kind, step, attempt, state }: ModelCall) => [
    'model-call',
    goalId,
    turn,
    kind,
    step,
    attempt,
    state,
  ],
  call: (goalId: string, seq: number) => ['call', goalId, seq],
} as const;
