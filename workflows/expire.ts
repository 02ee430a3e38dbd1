import { condition } from '@temporalio/workflow';
import type { GoalState } from '../src/contract/goal-state.ts';
import { pauseOf } from '../src/goal/chart/view.ts';
import { commitChange } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { isHistoryFull } from './history-limits.ts';
import type { Session } from './session.ts';

/** When the default answer of the question that pauses the goal holds; null = never. */
export const endOfPatience = ({ chart }: GoalState): string | null => pauseOf(chart)?.until ?? null;

/** Sleeps until somebody changes the goal or the question's time is over. */
export async function waitForAnswer(session: Session, effects: GoalEffects): Promise<void> {
  const { state } = session;
  const until = state === null ? null : endOfPatience(state);
  if (state === null || until === null) return;
  const isChanged = () =>
    session.isSuperseded || session.state?.revision !== state.revision || isHistoryFull(session);
  const left = Math.max(0, Date.parse(until) - Date.now());
  if (left > 0 && (await condition(isChanged, left))) return;
  await commitExpiry(session, effects);
}

/** Commits the timeout of an answer or decision. */
export const commitExpiry = (session: Session, effects: GoalEffects): Promise<void> =>
  commitChange(session, {
    name: 'expired',
    isDue: isLate,
    commit: (execution, change) => effects.commit.expire(execution, change),
  });

function isLate(state: GoalState): boolean {
  const { wait } = state.chart.context;
  const until = endOfPatience(state) ?? (wait?.on === 'approval' ? wait.until : null);
  return until !== null && Date.parse(until) <= Date.now();
}
