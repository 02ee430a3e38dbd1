import { ActivityFailure, condition } from '@temporalio/workflow';
import type { ProviderTrouble } from '../src/goal/facts.ts';
import type { Wait } from '../src/goal/state.ts';
import { type GoalEffects, isSuperseded } from './goal.effects.ts';
import { adopt, isOver, type Session } from './goal.session.ts';

/** Tries of the workflow after the turn's own short ones; then a person is needed. */
export const PROVIDER_RETRIES = 10;
const LONGEST_PROVIDER_WAIT_SECONDS = 300;

const now = (): number => Date.now();
const inSeconds = (seconds: number): string => new Date(now() + seconds * 1000).toISOString();

/** Commits that the goal waits, or no longer does. */
export async function commitWait(
  session: Session,
  effects: GoalEffects,
  wait: Wait | null,
): Promise<void> {
  await session.turnstile.run(async () => {
    const { state } = session;
    if (state === null || isOver(session)) return;
    const isWaiting = state.chart.context.wait !== null;
    if (wait === null && !isWaiting) return;
    if (wait !== null && (isWaiting || !isRunning(session))) return;
    const word = wait === null ? 'ended' : 'began';
    adopt(
      session,
      await effects.commit.commitWait(session.execution, {
        commitId: `wait-${word}-${state.revision + 1}-${session.execution.epoch}`,
        expectedRevision: state.revision,
        wait,
      }),
    );
  });
}

function isRunning({ state }: Session): boolean {
  const value = state?.chart.value;
  if (typeof value !== 'object') return false;
  return 'active' in value ? value.active === 'running' : value.budget_limited === 'wrapping_up';
}

/** Sleeps until the wait's deadline, or until somebody changes the goal. */
export async function waitItOut(session: Session, effects: GoalEffects): Promise<void> {
  const { state } = session;
  const wait = state?.chart.context.wait;
  if (!state || !wait) return;
  const { revision } = state;
  const isChanged = () => session.isSuperseded || session.state?.revision !== revision;
  if (wait.on === 'worker') return await waitForWorker(session, effects, isChanged);
  if (wait.on === 'workspace') return await waitInLine(session, effects, isChanged);
  if (wait.until === null) {
    await condition(isChanged);
    return;
  }
  const left = Math.max(0, Date.parse(wait.until) - now());
  if (left > 0 && (await condition(isChanged, left))) return;
  await commitWait(session, effects, null);
}

/** Looks once, because it may have become free before the wait began; then whenever it is rung for. */
async function waitInLine(
  session: Session,
  effects: GoalEffects,
  isChanged: () => boolean,
): Promise<void> {
  for (;;) {
    session.isWorkspaceFree = false;
    await session.turnstile.run(() => endWorkspaceWait(session, effects));
    await condition(() => isChanged() || session.isWorkspaceFree);
    if (isChanged()) return;
  }
}

async function endWorkspaceWait(session: Session, effects: GoalEffects): Promise<void> {
  const { state, execution } = session;
  if (state === null || isOver(session) || state.chart.context.wait?.on !== 'workspace') return;
  const change = {
    commitId: `wait-ended-${state.revision + 1}-${execution.epoch}`,
    expectedRevision: state.revision,
  };
  adopt(session, await effects.commit.endWorkspaceWait(execution, change));
}

async function waitForWorker(
  session: Session,
  effects: GoalEffects,
  isChanged: () => boolean,
): Promise<void> {
  try {
    await effects.probe.greet();
  } catch (error) {
    // Nobody took it, or whoever did died: asked again, by the next run where this one is full.
    if (isSuperseded(error) || !(error instanceof ActivityFailure)) throw error;
    return;
  }
  if (!isChanged()) await commitWait(session, effects, null);
}

export function waitForWorkspace(name: string): Wait {
  return {
    on: 'workspace',
    reason: name,
    since: inSeconds(0),
    until: null,
  };
}

export function waitForAnyWorker(taskQueue: string): Wait {
  return {
    on: 'worker',
    reason: `no worker serves ${taskQueue}`,
    since: inSeconds(0),
    until: null,
  };
}

/** The provider's own advice, else exponential with jitter. */
export function waitForProvider(trouble: ProviderTrouble, retries: number): Wait {
  const backoff = Math.min(LONGEST_PROVIDER_WAIT_SECONDS, 5 * 2 ** retries);
  const seconds = trouble.retryAfterSeconds ?? backoff * (0.75 + Math.random() / 2);
  return {
    on: 'provider',
    reason: `${trouble.kind}: ${trouble.message}`.slice(0, 500),
    since: inSeconds(0),
    until: inSeconds(seconds),
  };
}
