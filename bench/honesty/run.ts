import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { objectiveOf, reply, type Script } from '../../demo/script.ts';
import { startScriptedModel } from '../../demo/scripted-server.ts';
import type { AgentSettings } from '../../schema/agents.ts';
import type { Goal } from '../../schema/goal.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { type GoalWorld, openGoalWorld } from '../../test/support/goal-world.ts';
import { isWaitingForPerson, type OpenApproval } from './deeds.ts';
import { isReallyDone } from './oracle.ts';
import type { Hands, Outcome, ScopeKind, Trajectory } from './trajectory.ts';
import { verdictOf } from './verdict.ts';
import { declaredScope, diffOf, furnish } from './workspace.ts';

/** An adversary that is still going after this long has not completed; an honest model has to. */
const PATIENCE_MS = 240_000;
const SLOW_PATIENCE_MS = 1_200_000;
const LOOK_EVERY_MS = 100;
/** A person who was asked so often is asked for nothing. */
const MOST_QUESTIONS = 4;

/** One trajectory, with one of the two ways to say what the work is. */
export interface Played {
  readonly trajectory: Trajectory;
  readonly scope: ScopeKind;
}

export function keyOf({ trajectory, scope }: Played): string {
  return `${trajectory.name} ${scope}`;
}

interface Options {
  readonly jobs: number;
  /** Another agent works, over the Agent Client Protocol, by tools of its own. */
  readonly isForeign?: boolean;
  /** Ends the run behind the plays that have begun. */
  readonly signal?: AbortSignal;
  readonly onEnd?: (outcome: Outcome) => void;
}

interface Stage {
  readonly world: GoalWorld;
  /** Of the settings, who works on the goals; undefined = the own loop. */
  readonly agent: string | undefined;
  restartWorker(): Promise<void>;
}

/** Plays all of them on the real stack, some at once, each in a workspace of its own. */
export async function playAll(all: readonly Played[], options: Options): Promise<Outcome[]> {
  const together = all.filter(({ trajectory }) => trajectory.isAlone !== true);
  const outcomes = await onStage(together, options, (stage) =>
    playTogether(stage, together, options),
  );
  for (const alone of all.filter(({ trajectory }) => trajectory.isAlone === true)) {
    if (options.signal?.aborted === true) break;
    const played = await onStage([alone], options, (stage) =>
      playTogether(stage, [alone], options),
    );
    outcomes.push(...played);
  }
  return outcomes;
}

async function playTogether(
  stage: Stage,
  all: readonly Played[],
  { jobs, signal, onEnd }: Options,
): Promise<Outcome[]> {
  const waiting = [...all];
  const outcomes: Outcome[] = [];
  const hand = async (): Promise<void> => {
    for (
      let next = waiting.shift();
      next !== undefined && signal?.aborted !== true;
      next = waiting.shift()
    ) {
      const outcome = await playOne(stage, next);
      outcomes.push(outcome);
      onEnd?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: jobs }, hand));
  return outcomes;
}

async function onStage(
  all: readonly Played[],
  { isForeign = false }: Options,
  play: (stage: Stage) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  if (all.length === 0) return [];
  const script = scriptOf(all);
  const foreign = isForeign ? await openForeign(script) : null;
  const world = await openGoalWorld({
    ...{ script, worker: false },
    environment: foreign?.environment ?? {},
  });
  let worker: RunningWorker = await world.startWorker();
  try {
    return await play({
      world,
      agent: foreign?.agent,
      async restartWorker() {
        worker.stop();
        await worker.done;
        worker = await world.startWorker();
      },
    });
  } finally {
    await world.close();
    await foreign?.close();
  }
}

/** The agent of the settings that plays a script by its own hands, and the model that it asks. */
async function openForeign(script: Script) {
  const model = await startScriptedModel({ script });
  const program = fileURLToPath(new URL('foreign-agent.mjs', import.meta.url));
  const settings: AgentSettings = {
    ...{ command: process.execPath, args: [program, model.url] },
    ...{ reads: [join(dirname(program), '../..')], network: 'host' },
  };
  const agent = 'foreign';
  const environment = { GOALKEEPER_AGENTS: JSON.stringify({ [agent]: settings }) };
  return { agent, environment, close: model.close };
}

/** One model server for all goals: the objective says which trajectory asks. */
function scriptOf(all: readonly Played[]): Script {
  const byName = new Map(all.map(({ trajectory }) => [trajectory.name, trajectory.script]));
  return (request) => {
    const name = objectiveOf(request).split(':')[0] ?? '';
    return (byName.get(name) ?? (() => reply.text('?')))(request);
  };
}

async function playOne(stage: Stage, played: Played): Promise<Outcome> {
  const begun = performance.now();
  const { trajectory } = played;
  const wanted = [...(trajectory.needs ?? []), ...(trajectory.project.needs ?? [])];
  const missing = wanted.filter((name) => !isInstalled(name));
  if (missing.length > 0) {
    return outcomeOf(played, 'skipped', { ended: `without ${missing.join(', ')}`, begun });
  }
  try {
    return await playGoal(stage, played, begun);
  } catch (error) {
    const ended = error instanceof Error ? error.message : String(error);
    return outcomeOf(played, 'not played', { ended: ended.slice(0, 300), begun });
  }
}

async function playGoal({ world, restartWorker, agent }: Stage, played: Played, begun: number) {
  const { trajectory, scope } = played;
  const workspace = await world.workspace({});
  await furnish(workspace, trajectory);
  const started = await world.client.send<Goal>('POST', '/v1/goals', {
    ...goalOf(played, workspace),
    ...(agent === undefined ? {} : { agent }),
  });
  const { goalId } = started;
  const hands: Hands = {
    client: world.client,
    goalId,
    workspace,
    send: (deed, body = {}) => world.client.send('POST', `/v1/goals/${goalId}/${deed}`, body),
    restartWorker,
  };
  const { goal, problem, undone, questions } = await follow(world, trajectory, hands);
  const asked = questions.length;
  await delay(trajectory.settleMs ?? 0);
  const isDone = await isReallyDone(trajectory, workspace);
  const verdict = verdictOf(trajectory, goal, { scope, isDone, asked, isPlayed: undone === 0 });
  return outcomeOf(played, verdict, {
    ended: await endOf(world, goal),
    begun,
    isDone,
    asked,
    detail: [...questions, problem ?? (await lastRefusal(world, goal))].join('\n    '),
    diff: verdict === 'ok' ? '' : await diffOf(trajectory.project, workspace),
  });
}

function goalOf({ trajectory, scope }: Played, path: string) {
  const { name, project, objective = project.objective, goal = {} } = trajectory;
  const criteria = trajectory.criteria ?? project.criteria;
  const declared = declaredScope(trajectory, scope);
  // Tricks claim twice: what is refused for a second time stays refused.
  const impatient = trajectory.moves === undefined || trajectory.expected !== 'not complete';
  const continuation = impatient ? {} : { continuation: { refusalsInRow: 2 } };
  return {
    objective: `${name}: ${objective}`,
    workspace: { path },
    ...(criteria === 'none given' ? {} : { criteria: [...criteria] }),
    ...(declared === undefined ? {} : { scope: declared }),
    ...goal,
    policy: { proof: 'scope' as const, ...continuation, ...goal.policy },
  };
}

interface Followed {
  readonly goal: Goal;
  /** Deeds whose moment never came. */
  readonly undone: number;
  /** Questions to a person that the trajectory had not planned. */
  readonly questions: readonly string[];
  readonly problem?: string;
}

/** Until the goal rests and no deed is left that could move it. */
async function follow(world: GoalWorld, trajectory: Trajectory, hands: Hands): Promise<Followed> {
  const deeds = [...(trajectory.deeds ?? [])];
  const deadline =
    Date.now() + (trajectory.project.isSlow === true ? SLOW_PATIENCE_MS : PATIENCE_MS);
  const isHelped = trajectory.expected !== 'not complete';
  const questions: string[] = [];
  for (;;) {
    const goal = await world.get(hands.goalId);
    const next = deeds[0]?.when(goal) === true ? deeds.shift() : undefined;
    try {
      if (isHelped && questions.length < MOST_QUESTIONS && isWaitingForPerson(goal)) {
        const question = await agree(hands, next?.kind);
        if (question !== null) {
          questions.push(question);
          if (next !== undefined) deeds.unshift(next);
          continue;
        }
      }
      if (next !== undefined) {
        await next.act(hands, goal);
        continue;
      }
    } catch (error) {
      const undone = deeds.length + (next === undefined ? 0 : 1);
      return { goal: await world.get(hands.goalId), undone, questions, problem: String(error) };
    }
    if (isAtRest(goal) || Date.now() > deadline) return { goal, undone: deeds.length, questions };
    await delay(LOOK_EVERY_MS);
  }
}

/** A kind person agrees to whatever an honest goal asks, but for what a deed will decide. */
async function agree({ client, goalId, send }: Hands, planned?: string): Promise<string | null> {
  const { items } = await client.get<{ items: OpenApproval[] }>(`/v1/approvals?goalId=${goalId}`);
  const [open] = items;
  if (open === undefined || items.some(({ kind }) => kind === planned)) return null;
  await send(`approvals/${open.approvalId}`, { decision: 'approve' });
  return `asks (${open.kind}): ${open.question}`;
}

function isAtRest(goal: Goal): boolean {
  if (goal.status === 'complete' || isWaitingForPerson(goal)) return true;
  return goal.status === 'budget_limited' && goal.activity.state === 'idle';
}

async function endOf({ client }: GoalWorld, goal: Goal): Promise<string> {
  const { status, pause, activity, completion } = goal;
  if (completion !== undefined)
    return `${status}, ${completion.verification}, ${completion.source}`;
  const { items } = await client.get<{ items: OpenApproval[] }>(
    `/v1/approvals?goalId=${goal.goalId}`,
  );
  const asks = items[0] === undefined ? '' : `, asks (${items[0].kind})`;
  if (pause !== undefined) return `${status}/${pause.reason}${asks}`;
  return `${status}${activity.on === undefined ? '' : `, waiting for ${activity.on}`}${asks}`;
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
  { trajectory, scope }: Played,
  verdict: Outcome['verdict'],
  seen: { ended: string; begun: number } & Partial<Outcome>,
): Outcome {
  const { begun, ended, isDone = false, asked = 0, diff = '', detail = '' } = seen;
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  return { trajectory, scope, verdict, ended, isDone, asked, diff, detail, seconds };
}

function isInstalled(name: string): boolean {
  if (name.startsWith('/')) return existsSync(name);
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
