import { type ChatRequest, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { barrier } from './helpers.ts';

export const delegate = (task: string, more: Record<string, unknown> = {}) =>
  reply.call('delegate', { task, ...more });
export const wait = reply.text('Nothing else to do until then.');
export const claim = reply.call('attempt_completion', { result: 'The answer is written.' });
export const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });
export const CRITERION = { kind: 'command', command: 'grep -qx 42 answer.txt' } as const;

/** Messages of a request that bring news of a delegate, in the host's voice. */
export const newsIn = ({ messages }: ChatRequest): string[] =>
  messages
    .filter(({ role, text }) => role === 'user' && /^<host[^>]*>\s*Delegate d-/.test(text))
    .map(({ text }) => text);

/** As if the conversation began with the news of that number. */
export function behindNews(request: ChatRequest, number: number): ChatRequest {
  let seen = 0;
  const from = request.messages.findIndex(({ text }) => {
    seen += /^<host[^>]*>\s*Delegate d-/.test(text) ? 1 : 0;
    return seen === number;
  });
  return { ...request, messages: request.messages.slice(Math.max(0, from)) };
}

/** Delegates whose task begins with `slow` answer when the gate is open. */
export interface DelegateWorld extends GoalWorld {
  readonly requests: readonly ChatRequest[];
  /** A closed gate for the tasks that begin with `slow <name>:`. */
  gate(name: string): ReturnType<typeof barrier>;
  begin(objective: string, more?: Partial<StartGoal>): Promise<Goal>;
  delegates(goalId: string): Promise<readonly Delegate[]>;
  events(goalId: string, type: string): Promise<readonly Record<string, unknown>[]>;
  news(goalId: string): Promise<readonly string[]>;
}

const find = sequence([
  reply.call('read_file', { path: 'notes.txt' }),
  reply.text('Found it: 42. <finding> Let me know if you need more.'),
]);

export async function openDelegateWorld(
  scripts: Readonly<Record<string, Script>>,
  worker = true,
): Promise<DelegateWorld> {
  const requests: ChatRequest[] = [];
  const gates = new Map<string, ReturnType<typeof barrier>>();
  const gate = (name: string) => {
    const known = gates.get(name) ?? barrier();
    gates.set(name, known);
    return known;
  };
  const script: Script = async (request) => {
    requests.push(request);
    const objective = objectiveOf(request);
    const slow = /^slow ([^:]*):/.exec(objective)?.[1];
    if (slow !== undefined) await gate(slow).pass();
    if (slow !== undefined || objective.startsWith('find')) return await find(request);
    return await (scripts[objective.split(':')[0] ?? ''] ?? sequence([reply.text('?')]))(request);
  };
  const world = await openGoalWorld({ script, worker });
  const { client, database } = world;
  return {
    ...world,
    requests,
    gate,
    async begin(objective, more = {}) {
      const path = await world.workspace({ 'notes.txt': 'The answer is 42.\n' });
      return await world.start({ objective, criteria: [CRITERION], workspace: { path }, ...more });
    },
    delegates: async (goalId) =>
      (await client.get<{ items: Delegate[] }>(`/v1/goals/${goalId}/delegates`)).items,
    events: async (goalId, type) =>
      (
        await database<{ data: Record<string, unknown> }[]>`
          SELECT data FROM event WHERE goal_id = ${goalId} AND type = ${type} ORDER BY seq`
      ).map(({ data }) => data),
    news: async (goalId) =>
      (
        await database<{ text: string }[]>`
          SELECT text FROM inbox WHERE goal_id = ${goalId} AND kind = 'delegate'
          ORDER BY created_at`
      ).map(({ text }) => text),
  };
}
