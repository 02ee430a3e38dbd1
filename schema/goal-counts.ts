import { z } from 'zod';

/**
 * The next actors, in list order; `waiting` goals go on by themselves, `complete` ones need nobody.
 */
export const goalGroupSchema = z.enum(['you', 'agent', 'waiting', 'team', 'complete']);

const count = z.int().min(0);

/** Counts of goals that aren't archived. */
export const goalCountsSchema = z.strictObject({
  total: count,
  statuses: z.strictObject({
    active: count,
    paused: count,
    budget_limited: count,
    complete: count,
  }),
  groups: z.strictObject({
    you: count,
    agent: count,
    waiting: count,
    team: count,
    complete: count,
  }),
});

export type GoalGroup = z.infer<typeof goalGroupSchema>;
export type GoalCounts = z.infer<typeof goalCountsSchema>;
