import { condition } from '@temporalio/workflow';
import type { GoalState } from '../src/contract/goal-state.ts';
import { pauseOf } from '../src/goal/chart/view.ts';
import type { GoalEffects } from './effects.ts';
import { isHistoryFull } from './history-limits.ts';
import { adopt, isOver, type Session } from './session.ts';

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

/** Nobody answered or decided in time. */
export async function commitExpiry(session: Session, effects: GoalEffects): Promise<void> {
  await session.mutex.run(async () => {
    const { state, execution } = session;
    if (state === null || isOver(session) || !isLate(state)) return;
    const change = {
      commitId: `expired-${state.revision + 1}-${execution.epoch}`,
      expectedRevision: state.revision,
    };
    adopt(session, await effects.commit.expire(execution, change));
  });
}

function isLate(state: GoalState): boolean {
  const { wait } = state.chart.context;
  const until = endOfPatience(state) ?? (wait?.on === 'approval' ? wait.until : null);
  return until !== null && Date.parse(until) <= Date.now();
}
