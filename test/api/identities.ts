import type { MadeToken, NewToken } from '../../schema/token.ts';
import { type GoalWorld, TOKENS } from '../support/goal-world.ts';
import type { Called } from './calls.ts';

/** The script of goals that no worker takes up. */
export const neverAsked = (): never => {
  throw new Error('nobody asks the model here');
};

/** Requests as any bearer, and tokens that the admin makes. */
export function identities(world: Pick<GoalWorld, 'url'>) {
  const as = (bearer: string) => async (line: string, body?: unknown) => {
    const [method = 'GET', path = '/'] = line.split(' ');
    const answer = await fetch(world.url + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const called: Called = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: isJson ? JSON.parse(text) : text,
    };
    return called;
  };
  const make = async (token: Partial<NewToken> & { name: string }): Promise<MadeToken> => {
    const { status, body } = await as(TOKENS.admin)('POST /v1/tokens', { role: 'agent', ...token });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  return { as, make };
}

export type Identities = ReturnType<typeof identities>;
export type Caller = ReturnType<Identities['as']>;

/** The body of a new goal. */
export const newGoal = (workspace: object, more: object = {}) => ({
  ...{ objective: 'go', criteria: [{ kind: 'command', command: 'true' }], workspace, ...more },
});

/** Two workspaces with a goal of the admin's in each, and a person who is bound to the first. */
export async function twoShops(world: Pick<GoalWorld, 'url' | 'workspace'>) {
  const { as, make } = identities(world);
  const admin = as(TOKENS.admin);
  const served = async () => {
    const path = await world.workspace({});
    const { body } = await admin('POST /v1/goals', newGoal({ path }));
    return { name: body.workspace.name as string, goalId: body.goalId as string };
  };
  const [shop, till] = [await served(), await served()];
  const { token } = await make({ name: 'keeper', role: 'operator', workspaces: [shop.name] });
  return { admin, shop: shop.name, till: till.name, foreign: till.goalId, keeperToken: token };
}

/** Opens an event stream; `ended` resolves when the service ends it. */
export async function openStream(world: Pick<GoalWorld, 'url'>, headers: Record<string, string>) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const answer = await fetch(`${world.url}/v1/events`, { headers, signal });
  let text = '';
  let onMore = () => {};
  const decoder = new TextDecoder();
  const ended = (async () => {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      onMore();
    }
  })();
  return {
    status: answer.status,
    ended,
    told: () => text,
    /** Resolves when more was told. */
    more: () => new Promise<void>((resolve) => (onMore = resolve)),
    leave: async () => {
      leaving.abort();
      await ended.catch(() => undefined);
    },
  };
}
