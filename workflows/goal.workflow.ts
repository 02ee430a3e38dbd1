import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import { isOpen, isWaiting } from '../src/goal/chart/view.ts';
import { advanceTurn } from './advance-turn.ts';
import { type GoalEffects, goalEffects } from './effects.ts';
import { endOfPatience, waitForAnswer } from './expire.ts';
import { isSuperseded } from './failures.ts';
import type { CarryOver } from './goal.contract.ts';
import { registerHandlers } from './handlers.ts';
import { isHistoryFull } from './history-limits.ts';
import { LEAVES_BUSY } from './patches.ts';
import { adopt, createSession, isOver, type Session } from './session.ts';
import { waitItOut } from './waits.ts';

/**
 * One execution of a goal: the only writer of its status while it runs. Everything that it knows
 * comes from the record, so a run can begin anywhere: after an accept, a continue-as-new, or a
 * recovery under a new epoch.
 */
export async function goalWorkflow(carry: CarryOver): Promise<void> {
  const { runId } = workflowInfo();
  const { goalId, epoch, installation } = carry;
  const of = installation === undefined ? {} : { installation };
  const execution = { goalId, epoch, runId, ...of };
  const session = createSession(execution, carry, patched(LEAVES_BUSY));
  let effects = goalEffects('unknown');
  registerHandlers(session, () => effects);
  try {
    const state = await effects.commit.openExecution(session.execution, carry.previousRunId);
    effects = goalEffects(state.taskQueue);
    adopt(session, state);
    await drive(session, effects);
    session.isLeaving = !isOver(session);
  } catch (error) {
    if (!isSuperseded(error)) throw error;
    session.isSuperseded = true;
  }
  await condition(allHandlersFinished);
  if (isOver(session)) return;
  await continueAsNew<typeof goalWorkflow>({
    ...carry,
    previousRunId: runId,
    providerRetries: session.providerRetries,
    troubleAt: session.failedCall,
  });
}

/** Runs the step that the chart asks for, until the goal is over or this run's history is full. */
async function drive(session: Session, effects: GoalEffects): Promise<void> {
  while (!isOver(session) && !isHistoryFull(session)) {
    const { state } = session;
    if (state === null) return;
    if (isWaiting(state.chart)) await waitItOut(session, effects);
    else if (isOpen(state.chart)) await advanceTurn(session, effects);
    else if (endOfPatience(state) !== null) await waitForAnswer(session, effects);
    else await condition(() => hasChanged(session, state.revision) || isHistoryFull(session));
  }
}

const hasChanged = (session: Session, revision: number): boolean =>
  session.isSuperseded || session.state?.revision !== revision;
