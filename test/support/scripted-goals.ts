import { goalIdOf, objectiveOf, reply, type Script } from '../../demo/script.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { WorkerOptions } from '../../src/app/worker/options.ts';
import type { Page, TurnRow } from '../../src/contract/reads.ts';
import type { ModelConfig } from '../../src/model/providers.ts';
import type { TemporalAddress } from '../../src/temporal/connection.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { type GoalWorld, openGoalWorld } from './goal-world.ts';

/** A world whose goals follow the script that their objective begins with, and what tests do to them. */
export interface ScriptedGoals {
  readonly world: GoalWorld;
  /** @param name of the script; the goal asks for `answer.txt` unless told otherwise */
  start(name: string, goal?: Partial<StartGoal>): Promise<string>;
  /** Started, and driven until nothing goes on by itself. */
  run(name: string, goal?: Partial<StartGoal>): Promise<Goal>;
  rest(goalId: string): Promise<Goal>;
  send(goalId: string, what: string, body?: object): Promise<Goal>;
  amend(goalId: string, body: object): Promise<Goal>;
  /** Oldest first. */
  turns(goalId: string): Promise<readonly TurnRow[]>;
  /** Its turns so far, each as rule, action and kind. */
  story(goalId: string): Promise<string[]>;
  /** Until the model was asked for this goal. */
  asked(goalId: string): Promise<unknown>;
  /** Until the newest turn is settled. */
  settled(goalId: string): Promise<unknown>;
}

export const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;
export const claim = reply.call('attempt_completion', { result: 'It is written.' });
export const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });

export async function openScriptedGoals(
  scripts: Readonly<Record<string, Script>>,
  options: {
    worker?: boolean;
    wrapPorts?: WorkerOptions['wrapPorts'];
    models?: (url: string) => Partial<ModelConfig>;
    environment?: Readonly<Record<string, string>>;
    isUnsealed?: true;
    temporal?: Partial<Pick<TemporalAddress, 'address' | 'tls' | 'namespace'>>;
  } = {},
): Promise<ScriptedGoals> {
  const script: Script = (request) =>
    scripts[objectiveOf(request).split(':')[0] ?? '']?.(request) ?? reply.text('?');
  const { worker: _, wrapPorts: __, ...ofWorld } = options;
  const world = await openGoalWorld({ script, worker: false, ...ofWorld });
  if (options.worker !== false) await world.startWorker(options.wrapPorts);
  return goalsOf(world);
}

function goalsOf(world: GoalWorld): ScriptedGoals {
  const { client } = world;
  const turns = async (goalId: string) => {
    const { items } = await client.get<Page<TurnRow>>(`/v1/goals/${goalId}/turns?limit=100`);
    return items.toReversed();
  };
  const goals: ScriptedGoals = {
    world,
    turns,
    async start(name, goal = {}) {
      const workspace = goal.workspace ?? { path: await world.workspace({}) };
      const asked = { objective: `${name}: go`, criteria: [answerExists], ...goal, workspace };
      return (await world.start(asked)).goalId;
    },
    run: async (name, goal) => goals.rest(await goals.start(name, goal)),
    rest: (goalId) =>
      world.until(
        goalId,
        ({ status, activity }) => status !== 'active' && activity.state === 'idle',
      ),
    send: (goalId, what, body = {}) =>
      client.send<Goal>('POST', `/v1/goals/${goalId}/${what}`, body),
    amend: (goalId, body) => client.send<Goal>('PATCH', `/v1/goals/${goalId}`, body),
    story: async (goalId) =>
      (await turns(goalId)).map(
        ({ kind, decision }) => `${kind}: ${decision?.rule} ${decision?.action}`,
      ),
    asked: (goalId) =>
      waitUntil(() => world.model.requests.some((request) => goalIdOf(request) === goalId)),
    settled: (goalId) => waitUntil(async () => (await turns(goalId)).at(-1)?.decision),
  };
  return goals;
}
