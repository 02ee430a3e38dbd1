import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { isOpen, isWaiting } from '../src/goal/view.ts';
import type { CarryOver } from './goal.contract.ts';
import { type GoalEffects, goalEffects, isSuperseded } from './goal.effects.ts';
import { endOfPatience, waitForAnswer } from './goal.expiry.ts';
import { registerHandlers } from './goal.handlers.ts';
import { adopt, createSession, isOver, type Session } from './goal.session.ts';
import { runSlice } from './goal.turns.ts';
import { waitItOut } from './goal.waits.ts';

/** Of 2,000 that the server allows a run. */
const MAX_UPDATES = 1500;

/**
 * One execution of a goal: the only writer of its status while it runs. Everything that it knows
 * comes from the record, so a run can begin anywhere: after an accept, a continue-as-new, or a
 * recovery under a new epoch.
 */
export async function goalWorkflow(carry: CarryOver): Promise<void> {
  const { runId } = workflowInfo();
  const { goalId, epoch } = carry;
  const session = createSession({ goalId, epoch, runId }, carry);
  let effects = goalEffects('unknown');
  registerHandlers(session, () => effects);
  try {
    const state = await effects.commit.openExecution(session.execution, carry.previousRunId);
    effects = goalEffects(state.taskQueue);
    adopt(session, state);
    await drive(session, effects, carry);
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
    troubleAt: session.troubleAt,
  });
}

async function drive(session: Session, effects: GoalEffects, carry: CarryOver): Promise<void> {
  while (!isOver(session) && !isRunFull(session, carry)) {
    const { state } = session;
    if (state === null) return;
    if (isWaiting(state.chart)) await waitItOutOrFill(session, effects, carry);
    else if (isOpen(state.chart)) await runSlice(session, effects);
    else if (endOfPatience(state) !== null)
      await waitForAnswer(session, effects, () => isRunFull(session, carry));
    else await condition(() => hasMoved(session, state.revision) || isRunFull(session, carry));
  }
}

const hasMoved = (session: Session, revision: number): boolean =>
  session.isSuperseded || session.state?.revision !== revision;

async function waitItOutOrFill(
  session: Session,
  effects: GoalEffects,
  carry: CarryOver,
): Promise<void> {
  if (isRunFull(session, carry)) return;
  await waitItOut(session, effects);
}

function isRunFull(session: Session, { maxEvents }: CarryOver): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const isFull =
    continueAsNewSuggested || historyLength > maxEvents || session.updates > MAX_UPDATES;
  return isFull && session.turnstile.isIdle();
}
