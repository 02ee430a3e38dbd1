import type { GoalEvent } from '../../contract/goal-event.ts';
import type { GoalState } from '../../contract/goal-state.ts';
import type { Execution } from '../../contract/record.ts';
import { findLimit } from '../../goal/budget/budget.ts';
import { canTake, step } from '../../goal/chart/machine.ts';
import { statusOf } from '../../goal/chart/view.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import { hasWakingResult } from '../delegates/delegates.ts';
import type { LockedGoal } from '../locked-goal.ts';
import type { Row } from '../row.ts';
import { heldBy, lockGoal, saveRevision } from './goal-state.ts';

interface Asked {
  readonly event: GoalEvent;
  /** For a delegate: true when its parent's pause holds it from now on. */
  readonly isHeld?: boolean;
}

/**
 * Applies what a goal's parent asks of it, or ends a wait because a delegate's result arrived. The
 * operation is idempotent: with nothing to do, the state is unchanged.
 */
export async function syncDelegation(
  tx: Transaction,
  execution: Execution,
  change: { readonly commitId: string; readonly expectedRevision: number },
): Promise<GoalState> {
  const { goalId } = execution;
  const locked = await lockGoal(tx, goalId);
  const known = await readCommit<GoalState>(tx, goalId, change.commitId);
  if (known !== null) return known;
  const goal = heldBy(locked, execution);
  assertRevision(goal.state, change.expectedRevision);
  const now = new Date().toISOString();
  const asked = (await parentsWish(tx, goal, now)) ?? (await resultOf(tx, goal, now));
  if (asked === null || !canTake(goal.state.chart, asked.event)) return goal.state;
  const next = await saveRevision(tx, goal, {
    chart: step(goal.state.chart, asked.event),
    now,
    events: [],
  });
  if (asked.isHeld !== undefined) await hold(tx, goalId, asked.isHeld);
  await storeCommit(tx, next, change.commitId, next);
  return next;
}

const hold = (tx: Transaction, goalId: string, isHeld: boolean) =>
  tx`UPDATE delegate SET is_held_by_parent = ${isHeld} WHERE child_goal_id = ${goalId}`;

async function parentsWish(
  tx: Transaction,
  { state, usage }: LockedGoal,
  now: string,
): Promise<Asked | null> {
  if (state.isDelegate !== true) return null;
  const [row] = await tx<Row<'delegate', 'wanted' | 'is_held_by_parent'>[]>`
    SELECT wanted, is_held_by_parent FROM delegate
    WHERE child_goal_id = ${state.goalId} AND state = 'running'`;
  const { chart, budget } = state;
  const isPaused = chart.value === 'paused';
  if (row?.wanted === 'stopped') return { event: { type: 'goal.cleared' } };
  if (row?.wanted === 'paused' && statusOf(chart) === 'active') {
    const message = 'Paused with the goal that it works for';
    const pause = { reason: 'person', message, missing: [], since: now } as const;
    return { event: { type: 'goal.paused', pause: { ...pause, missing: [] } }, isHeld: true };
  }
  if (row?.wanted !== 'running' || !row.is_held_by_parent || !isPaused) return null;
  const limit = findLimit(budget, usage, now);
  const next = state.isTurnOpen ? chart.context.next : 'resume';
  return { event: { type: 'goal.resumed', limit, next }, isHeld: false };
}

const ENDED_BY_RESULTS: readonly (string | undefined)[] = ['delegate', 'timer', 'condition'];

/** The delegates' usage may have exhausted the budget. */
async function resultOf(
  tx: Transaction,
  { state, usage }: LockedGoal,
  now: string,
): Promise<Asked | null> {
  const { goalId, chart, budget } = state;
  if (!ENDED_BY_RESULTS.includes(chart.context.wait?.on)) return null;
  if (!(await hasWakingResult(tx, goalId))) return null;
  const limit = findLimit(budget, usage, now);
  return { event: limit === null ? { type: 'wait.ended' } : { type: 'limit.passed', limit } };
}
