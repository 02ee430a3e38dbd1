import type { OwnTransition } from '../src/contract/goal-event.ts';
import type { GoalState, Wait } from '../src/contract/goal-state.ts';
import type { Execution } from '../src/contract/record.ts';
import { canTake } from '../src/goal/chart/machine.ts';
import type { GoalEffects } from './effects.ts';
import { adopt, isOver, type Session } from './session.ts';

interface Change {
  /** Idempotency key: a repeat gets the first result. */
  readonly commitId: string;
  readonly expectedRevision: number;
}

interface Commit {
  readonly name: string;
  /** Evaluated in the mutex, because somebody may have changed the goal meanwhile. */
  readonly isDue: (state: GoalState) => boolean;
  readonly commit: (execution: Execution, change: Change) => Promise<GoalState>;
}

/** Commits a change of the workflow's own, one after the other, each on the newest state. */
export async function commitChange(
  session: Session,
  { name, isDue, commit }: Commit,
): Promise<void> {
  await session.mutex.run(async () => {
    const { state, execution } = session;
    if (state === null || isOver(session) || !isDue(state)) return;
    const { revision } = state;
    const commitId = `${name}-${revision + 1}-${execution.epoch}`;
    adopt(session, await commit(execution, { commitId, expectedRevision: revision }));
  });
}

/** Commits the beginning of a wait. */
export const beginWait = (session: Session, effects: GoalEffects, wait: Wait): Promise<void> =>
  commitChange(session, {
    name: 'wait-began',
    isDue: ({ chart }) => chart.context.wait === null && isRunning(chart.value),
    commit: (execution, change) => effects.commit.commitWait(execution, { ...change, wait }),
  });

/** Commits the end of a wait. */
export const endWait = (session: Session, effects: GoalEffects): Promise<void> =>
  commitChange(session, {
    name: 'wait-ended',
    isDue: ({ chart }) => chart.context.wait !== null,
    commit: (execution, change) => effects.commit.commitWait(execution, { ...change, wait: null }),
  });

/** Commits a transition that the workflow alone decides, if the state still allows it. */
export const commitTransition = (
  session: Session,
  effects: GoalEffects,
  event: OwnTransition,
): Promise<void> =>
  commitChange(session, {
    name: event.type,
    isDue: ({ chart }) => canTake(chart, event),
    commit: (execution, change) => effects.commit.commitTransition(execution, { ...change, event }),
  });

function isRunning(value: GoalState['chart']['value']): boolean {
  if (typeof value !== 'object') return false;
  return 'active' in value ? value.active === 'running' : value.budget_limited === 'wrapping_up';
}
