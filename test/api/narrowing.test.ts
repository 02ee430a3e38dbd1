import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import {
  type Caller,
  type Identities,
  identities,
  neverAsked,
  newGoal,
  twoShops,
} from './identities.ts';

let world: GoalWorld;
let as: Identities['as'];
let make: Identities['make'];
let shop: string;
let till: string;
let admin: Caller;
let botToken: string;
let keeper: Caller;
let keeperToken: string;
let foreign: string;

beforeAll(async () => {
  // A test edits a token, which no key would let it.
  world = await openGoalWorld({ script: neverAsked, worker: false, isUnsealed: true });
  ({ as, make } = identities(world));
  ({ admin, shop, till, foreign, keeperToken } = await twoShops(world));
  botToken = (await make({ name: 'bot' })).token;
  keeper = as(keeperToken);
});
afterAll(() => world.close());

/** Sends the headers, does `meanwhile`, and only then sends the body. */
async function slowly(
  line: string,
  token: string,
  body: object,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; text: string }> {
  const text = JSON.stringify(body);
  const { hostname, port, host } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  const head = [
    `${line} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await delay(500);
  await meanwhile();
  socket.write(text);
  await over;
  return { status: Number(answer.split(' ')[1]), text: answer };
}

describe('the header goalkeeper-role', () => {
  test('an agent that says it acts as a viewer sees no foreign goal (WHO-22)', async () => {
    const headers = { authorization: `Bearer ${botToken}`, 'goalkeeper-role': 'viewer' };
    const status = async (path: string) => (await fetch(world.url + path, { headers })).status;
    expect([
      await status(`/v1/goals/${foreign}`),
      await status(`/v1/goals/${foreign}/ledger`),
      await status('/v1/spend'),
      await status('/v1/workers'),
    ]).toEqual([404, 404, 403, 403]);
  });

  test('and gets no foreign goal in lists, counts and over MCP (WHO-22)', async () => {
    const headers = {
      ...{ authorization: `Bearer ${botToken}`, 'goalkeeper-role': 'viewer' },
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    };
    const text = async (path: string) => (await fetch(world.url + path, { headers })).text();
    const params = { name: 'get_goal', arguments: { goalId: foreign } };
    const overMcp = await fetch(`${world.url}/mcp`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(await text('/v1/goals')).not.toContain(foreign);
    expect(await overMcp.text()).toContain('not_found');
  });
});

test('a viewer’s token sees over MCP only what it started itself (WHO-23)', async () => {
  const params = { name: 'get_goal', arguments: { goalId: foreign } };
  const { body } = await as(TOKENS.viewer)('POST /mcp', {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  expect(JSON.stringify(body)).toContain('not_found');
});

describe('revocation holds for a request whose body comes later', () => {
  test('a revoked token makes no token (WHO-24)', async () => {
    const made = await make({ name: 'slow', role: 'operator' });
    const { status, text } = await slowly(
      'POST /v1/tokens',
      made.token,
      { name: 'slow-heir', role: 'operator', expiresInDays: null },
      () => admin('DELETE /v1/tokens/slow'),
    );
    const heir = /goalkeeper_pat_[A-Za-z0-9_-]{43}/.exec(text)?.[0] ?? 'none';
    const later = (await as(heir)('GET /v1/goals')).status;
    expect([status, later]).toEqual([401, 401]);
  });

  test('a thread that came to hold a foreign goal meanwhile is not cleared (WHO-25)', async () => {
    const threadId = 'nightly';
    const { body: own } = await keeper('POST /v1/goals', newGoal({ name: shop }, { threadId }));
    let theirs = '';
    const { status, text } = await slowly(
      `DELETE /v1/threads/${threadId}/goal`,
      keeperToken,
      {},
      async () => {
        // The thread's own goal is over, and another team takes the thread.
        await world.database`
          UPDATE goal SET archived_at = now(),
            snapshot = jsonb_set(snapshot, '{context,isArchived}', 'true')
          WHERE goal_id = ${own.goalId}`;
        theirs = (await admin('POST /v1/goals', newGoal({ name: till }, { threadId }))).body.goalId;
      },
    );
    expect(theirs).toMatch(/^g-/);
    expect(text).not.toContain(theirs);
    const orders = await world.database`
      SELECT kind, ordered_by FROM goal_order WHERE goal_id = ${theirs}`;
    expect([status, [...orders]]).toEqual([404, []]);
  });
});

test('unknown tokens at once are limited as those one after another (WHO-26)', async () => {
  const from = (n: number) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      const headers = { authorization: `Bearer goalkeeper_pat_${String(n).padStart(43, 'x')}` };
      request({ hostname, port, path: '/v1/goals', headers, localAddress: '127.0.0.9' }, (answer) =>
        resolve(answer.resume().statusCode ?? 0),
      )
        .on('error', reject)
        .end();
    });
  const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => from(n)));
  expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(25);
});

test('a token revokes none that it could not have made, such as one with a later end (WHO-28)', async () => {
  const brief = await make({ name: 'brief', role: 'operator', expiresInDays: 1 });
  await make({ name: 'lasting', role: 'operator', expiresInDays: 300 });
  expect((await as(brief.token)('DELETE /v1/tokens/lasting')).status).toBe(404);
});

test('a NUL in the path is answered alike to bound and unbound callers (WHO-29)', async () => {
  const statuses = await Promise.all(
    [admin, keeper].map(async (call) => (await call('GET /v1/goals/%00/ledger')).status),
  );
  expect(statuses).toEqual([400, 400]);
});

test('an answer that was stored is not given to a caller that sees its goal no more (WHO-51)', async () => {
  const { token } = await make({ name: 'moved', role: 'operator', workspaces: [shop] });
  const start = async () => {
    const answer = await fetch(`${world.url}/v1/goals`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'idempotency-key': 'once',
      },
      body: JSON.stringify(newGoal({ name: shop })),
    });
    return { status: answer.status, replayed: answer.headers.get('idempotency-replayed') };
  };
  expect(await start()).toEqual({ status: 201, replayed: null });
  expect(await start()).toEqual({ status: 201, replayed: 'true' });
  await world.database.begin(async (tx) => {
    await tx`ALTER TABLE token DISABLE TRIGGER USER`;
    await tx`UPDATE token SET workspaces = ${tx.json([till])} WHERE name = 'moved'`;
    await tx`ALTER TABLE token ENABLE TRIGGER USER`;
  });
  expect(await start()).toEqual({ status: 404, replayed: null });
});
