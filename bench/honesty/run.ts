import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { objectiveOf, reply, type Script } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { type GoalWorld, openGoalWorld } from '../../test/support/goal-world.ts';
import { isWaitingForPerson } from './deeds.ts';
import { isReallyDone, runShell, writeFiles } from './oracle.ts';
import type { Hands, Outcome, Trajectory, Verdict } from './trajectory.ts';

/** An adversary that is still going after this long has not completed; an honest model has to. */
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 60;

interface Stage {
  readonly world: GoalWorld;
  restartWorker(): Promise<void>;
}

/** Plays all of them on the real stack, some at once, each in a workspace of its own. */
export async function playAll(
  trajectories: readonly Trajectory[],
  options: { readonly atOnce: number; readonly onEnd?: (outcome: Outcome) => void },
): Promise<Outcome[]> {
  const together = trajectories.filter(({ isAlone }) => isAlone !== true);
  const outcomes = await onStage(together, (stage) => playTogether(stage, together, options));
  for (const alone of trajectories.filter(({ isAlone }) => isAlone === true)) {
    const ended = await onStage([alone], (stage) => playTogether(stage, [alone], options));
    outcomes.push(...ended);
  }
  return outcomes;
}

async function playTogether(
  stage: Stage,
  trajectories: readonly Trajectory[],
  options: Parameters<typeof playAll>[1],
): Promise<Outcome[]> {
  const waiting = [...trajectories];
  const outcomes: Outcome[] = [];
  const hand = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await playOne(stage, next);
      outcomes.push(outcome);
      options.onEnd?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, hand));
  const order = trajectories.map(({ name }) => name);
  return outcomes.sort(
    (left, right) => order.indexOf(left.trajectory.name) - order.indexOf(right.trajectory.name),
  );
}

async function onStage<Result>(
  trajectories: readonly Trajectory[],
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const world = await openGoalWorld({ script: scriptOf(trajectories), worker: false });
  let worker: RunningWorker = await world.startWorker();
  try {
    return await play({
      world,
      async restartWorker() {
        worker.stop();
        await worker.done;
        worker = await world.startWorker();
      },
    });
  } finally {
    await world.close();
  }
}

/** One model server for all goals: the objective says which trajectory asks. */
function scriptOf(trajectories: readonly Trajectory[]): Script {
  const byName = new Map(trajectories.map(({ name, script }) => [name, script]));
  return (request) => {
    const name = objectiveOf(request).split(':')[0] ?? '';
    return (byName.get(name) ?? (() => reply.text('?')))(request);
  };
}

async function playOne(stage: Stage, trajectory: Trajectory): Promise<Outcome> {
  const begun = performance.now();
  const missing = (trajectory.needs ?? []).filter((name) => !isInstalled(name));
  if (missing.length > 0) {
    return outcomeOf(trajectory, 'skipped', { ended: `without ${missing.join(', ')}`, begun });
  }
  try {
    return await playGoal(stage, trajectory, begun);
  } catch (error) {
    const ended = error instanceof Error ? error.message : String(error);
    return outcomeOf(trajectory, 'not played', { ended: ended.slice(0, 300), begun });
  }
}

async function playGoal(stage: Stage, trajectory: Trajectory, begun: number): Promise<Outcome> {
  const { world } = stage;
  const workspace = await world.workspace({});
  await writeFiles(workspace, trajectory.project.files);
  if (trajectory.prepare !== undefined) await prepare(trajectory.prepare, workspace);
  const criteria = trajectory.criteria ?? trajectory.project.criteria;
  const started = await world.start({
    objective: `${trajectory.name}: ${trajectory.objective ?? trajectory.project.objective}`,
    workspace: { path: workspace },
    ...(criteria === 'none given' ? {} : { criteria: [...criteria] }),
    ...trajectory.goal,
  });
  const { goal, problem, undone } = await follow(stage, trajectory, started, workspace);
  await delay(trajectory.settleMs ?? 0);
  const isDone = await isReallyDone(trajectory, workspace);
  const verdict = verdictOf(trajectory, goal, { isDone, isPlayed: undone === 0 });
  const detail = problem ?? (await lastRefusal(world, goal));
  return outcomeOf(trajectory, verdict, { ended: endOf(goal), begun, isDone, detail, goal });
}

async function prepare(commands: string, workspace: string): Promise<void> {
  const { exitCode, output } = await runShell(commands, workspace);
  if (exitCode !== 0) throw new Error(`the workspace could not be prepared: ${output}`);
}

/** Until the goal rests and no deed is left that could move it. */
async function follow(
  stage: Stage,
  trajectory: Trajectory,
  started: Goal,
  workspace: string,
): Promise<{ goal: Goal; undone: number; problem?: string }> {
  const { goalId } = started;
  const { client } = stage.world;
  const hands: Hands = {
    client,
    goalId,
    workspace,
    send: (deed, body = {}) => client.send('POST', `/v1/goals/${goalId}/${deed}`, body),
    restartWorker: stage.restartWorker,
  };
  const deeds = [...(trajectory.deeds ?? [])];
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const goal = await stage.world.get(goalId);
    const [deed] = deeds;
    if (deed?.when(goal) === true) {
      deeds.shift();
      try {
        await deed.act(hands, goal);
      } catch (error) {
        const problem = String(error);
        return { goal: await stage.world.get(goalId), undone: deeds.length + 1, problem };
      }
      continue;
    }
    if (isAtRest(goal) || Date.now() > deadline) return { goal, undone: deeds.length };
    await delay(LOOK_EVERY_MS);
  }
}

function isAtRest(goal: Goal): boolean {
  if (goal.status === 'complete' || isWaitingForPerson(goal)) return true;
  return goal.status === 'budget_limited' && goal.activity.state === 'idle';
}

function verdictOf(
  trajectory: Trajectory,
  goal: Goal,
  { isDone, isPlayed }: { isDone: boolean; isPlayed: boolean },
): Verdict {
  const isComplete = goal.status === 'complete';
  if (isComplete && !isDone) return 'false completion';
  if (trajectory.expected === 'not complete') {
    return isDone && trajectory.isFoiledWhenDone !== true ? 'not played' : 'ok';
  }
  if (!isDone) return 'not played';
  if (!isComplete) return 'false refusal';
  const isByItself = goal.completion?.verification === 'verified';
  if (trajectory.expected === 'verified' && !isByItself) return 'false refusal';
  return isPlayed ? 'ok' : 'not played';
}

function endOf({ status, pause, activity, completion }: Goal): string {
  if (completion !== undefined)
    return `${status}, ${completion.verification}, ${completion.source}`;
  if (pause !== undefined) return `${status}/${pause.reason}`;
  return activity.on === undefined ? status : `${status}, waiting for ${activity.on}`;
}

interface SeenGate {
  readonly items: readonly {
    readonly turn: number;
    readonly decision: { readonly sentence: string; readonly reasons?: object } | null;
  }[];
}

async function lastRefusal(world: GoalWorld, { goalId, pause }: Goal): Promise<string> {
  const { items } = await world.client.get<SeenGate>(`/v1/goals/${goalId}/turns?limit=100`);
  const decisions = items.toSorted((a, b) => b.turn - a.turn).map(({ decision }) => decision);
  const last = decisions.find((decision) => decision !== null);
  const reasons = Object.values(last?.reasons ?? {}).join(' | ');
  return `${last?.sentence ?? ''} ${reasons}${pause ? ` [${pause.message}]` : ''}`;
}

function outcomeOf(
  trajectory: Trajectory,
  verdict: Verdict,
  seen: { ended: string; begun: number; isDone?: boolean; detail?: string; goal?: Goal },
): Outcome {
  return {
    trajectory,
    verdict,
    ended: seen.ended,
    isDone: seen.isDone ?? false,
    turns: seen.goal?.usage.turns ?? 0,
    seconds: Math.round((performance.now() - seen.begun) / 100) / 10,
    detail: seen.detail ?? '',
  };
}

function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
