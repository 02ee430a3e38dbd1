import {
  ActivityFailure,
  CancellationScope,
  condition,
  patched,
  sleep,
} from '@temporalio/workflow';
import type { Budget } from '../schema/budget.ts';
import type { Wait } from '../src/contract/goal-state.ts';
import { findLimit, noUsage } from '../src/goal/budget/budget.ts';
import { statusOf } from '../src/goal/chart/view.ts';
import { commitChange, commitTransition, endWait } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { commitExpiry } from './expire.ts';
import { isSuperseded } from './failures.ts';
import { leavesToNextRun } from './history-limits.ts';
import { DEADLINE_IN_WAITS, QUIET_LOOKS } from './patches.ts';
import type { Session } from './session.ts';
import { syncDelegation } from './sync-delegation.ts';
import { fireWait, lookOnce, type Waiting } from './wake-requests.ts';

const now = (): number => Date.now();

/** Sleeps until the wait's deadline, or until somebody changes the goal. */
export async function waitItOut(session: Session, effects: GoalEffects): Promise<void> {
  const { state } = session;
  const wait = state?.chart.context.wait;
  if (!state || !wait) return;
  if (wait.on === 'delegate' || session.hasDelegationNews) {
    // A result may have arrived while this wait was being decided.
    session.hasDelegationNews = false;
    await syncDelegation(session, effects);
    if (session.isSuperseded || session.state?.revision !== state.revision) return;
  }
  const { revision } = state;
  const { changes } = session;
  const isQuiet = wait.on === 'condition' && patched(QUIET_LOOKS);
  const isChanged = () =>
    session.isSuperseded ||
    (isQuiet ? session.changes !== changes : session.state?.revision !== revision);
  const isCut = () => isChanged() || leavesToNextRun(session);
  const { deadline } = state.budget;
  // A goal that wraps up has reached a limit already.
  if (deadline !== null && statusOf(state.chart) === 'active' && patched(DEADLINE_IN_WAITS)) {
    await untilDeadline(session, effects, { wait, isChanged, isCut, deadline });
  } else await untilWaited(session, effects, { wait, isChanged, isCut });
  // The wait ended before its deadline, so somebody wants the provider asked again.
  const isCutShort = isChanged() && session.state?.chart.context.wait == null;
  if (isCutShort && wait.on === 'provider' && !hasPassed(wait)) session.providerRetries = 0;
}

const hasPassed = ({ until }: Wait): boolean => until !== null && Date.parse(until) <= now();

async function untilWaited(
  session: Session,
  effects: GoalEffects,
  waiting: Waiting,
): Promise<void> {
  const { wait, isChanged, isCut } = waiting;
  if (wait.on === 'worker') return await waitForWorker(session, effects, isChanged);
  if (wait.on === 'workspace') return await waitInLine(session, effects, isCut);
  if (wait.on === 'condition') return await lookOnce(session, effects, waiting);
  if (wait.on === 'spend') return await waitForSpend(session, effects, waiting);
  if (wait.until === null) {
    await condition(isCut);
    return;
  }
  const left = Math.max(0, Date.parse(wait.until) - now());
  if (left > 0 && (await condition(isCut, left))) return;
  if (wait.on === 'timer') await fireWait(session, effects, 'fired');
  else if (wait.on === 'approval') await commitExpiry(session, effects);
  else await endWait(session, effects);
}

/** Until the period begins anew, or a worker says that the limits are others. */
async function waitForSpend(
  session: Session,
  effects: GoalEffects,
  { wait, isCut }: Waiting,
): Promise<void> {
  const isTold = () => session.isToldToLook;
  const left = Math.max(0, Date.parse(wait.until ?? '') - now());
  if (left > 0 && (await condition(() => isCut() || isTold(), left)) && !isTold()) return;
  session.isToldToLook = false;
  await endWait(session, effects);
}

/** The deadline also ends the wait of a goal that waits for others. */
async function untilDeadline(
  session: Session,
  effects: GoalEffects,
  { wait, isChanged, isCut, deadline }: Waiting & { readonly deadline: string },
): Promise<void> {
  const clock = new CancellationScope({ cancellable: true });
  let isLate = false;
  const watched = clock.run(async () => {
    await sleep(Math.max(1, Date.parse(deadline) - now()));
    if (isChanged()) return;
    isLate = true;
    const limit = findLimit(onlyDeadline(deadline), noUsage, new Date().toISOString());
    if (limit !== null) await commitTransition(session, effects, { type: 'limit.passed', limit });
  });
  watched.catch(() => {});
  await untilWaited(session, effects, {
    wait,
    isChanged: () => isLate || isChanged(),
    isCut: () => isLate || isCut(),
  });
  if (isLate) await watched;
  else clock.cancel();
}

const onlyDeadline = (deadline: string): Budget => ({
  tokens: null,
  costUsd: null,
  turns: null,
  activeSeconds: null,
  deadline,
});

/** Tries once, because the workspace may have become free before the wait; then at every signal. */
async function waitInLine(
  session: Session,
  effects: GoalEffects,
  isCut: () => boolean,
): Promise<void> {
  for (;;) {
    session.isWorkspaceFree = false;
    await takeWorkspace(session, effects);
    await condition(() => isCut() || session.isWorkspaceFree);
    if (isCut()) return;
  }
}

/** Ends the wait if the workspace is free and nobody stands in line before this goal. */
const takeWorkspace = (session: Session, effects: GoalEffects): Promise<void> =>
  commitChange(session, {
    name: 'wait-ended',
    isDue: ({ chart }) => chart.context.wait?.on === 'workspace',
    commit: (execution, change) => effects.commit.endWorkspaceWait(execution, change),
  });

async function waitForWorker(
  session: Session,
  effects: GoalEffects,
  isChanged: () => boolean,
): Promise<void> {
  try {
    await effects.probe.greet();
  } catch (error) {
    // No worker took the look, or its worker died: it is repeated, by the next run if this one is
    // full.
    if (isSuperseded(error) || !(error instanceof ActivityFailure)) throw error;
    return;
  }
  if (!isChanged()) await endWait(session, effects);
}
