import { symlink } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIntake } from '../../src/store/intake/intake.ts';
import { createWorkspaces } from '../../src/temporal/workspaces.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import {
  type Caller,
  type Identities,
  identities,
  neverAsked,
  newGoal,
  openStream,
  twoShops,
} from './identities.ts';

let world: GoalWorld;
let as: Identities['as'];
let make: Identities['make'];
/** Names of two served workspaces. */
let shop: string;
let till: string;
let admin: Caller;
/** Two programs, one of them bound to `shop`; and a person bound to `shop`. */
let bot: Caller;
let other: Caller;
let keeper: Caller;
let keeperToken: string;
/** Started by the admin in `till`, which neither program nor person may see. */
let foreign: string;

beforeAll(async () => {
  world = await openGoalWorld({ script: neverAsked, worker: false });
  ({ as, make } = identities(world));
  ({ admin, shop, till, foreign, keeperToken } = await twoShops(world));
  bot = as((await make({ name: 'bot' })).token);
  other = as((await make({ name: 'other', workspaces: [shop] })).token);
  keeper = as(keeperToken);
});
afterAll(() => world.close());

const startedBy = async (call: Caller, workspace: object, more: object = {}): Promise<string> => {
  const { status, body } = await call('POST /v1/goals', newGoal(workspace, more));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.goalId;
};

const idsOf = ({ body }: Awaited<ReturnType<Caller>>): string[] =>
  body.items.map(({ goalId }: { goalId: string }) => goalId);

/** Every operation of the document that names a goal, with ids filled in. */
async function requestsAbout(goalId: string): Promise<string[]> {
  const { paths } = (await admin('GET /openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.includes('{goalId}'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        const filled = path.replace('{goalId}', goalId).replaceAll(/\{\w+\}/g, '1');
        return `${method.toUpperCase()} ${filled}`;
      }),
    );
}

describe('a goal out of sight', () => {
  test('is answered by every operation as one that does not exist (WHO-6)', async () => {
    const unknown = 'g-0000000000000000';
    const requests = await requestsAbout(foreign);
    expect(requests.length).toBeGreaterThan(30);
    for (const call of [bot, other, keeper]) {
      for (const line of requests) {
        const isRead = line.startsWith('GET');
        const [theirs, none] = await Promise.all(
          [foreign, unknown].map((goalId) =>
            call(line.replace(foreign, goalId), isRead ? undefined : {}),
          ),
        );
        const told = JSON.stringify(theirs?.body).replaceAll(foreign, unknown);
        expect([line, theirs?.status, JSON.parse(told)]).toEqual([line, none?.status, none?.body]);
        expect([line, [403, 404].includes(theirs?.status ?? 0)]).toEqual([line, true]);
      }
    }
    expect((await bot(`GET /v1/goals/${foreign.slice(0, 8)}`)).status).toBe(404);
    expect((await admin(`GET /v1/goals/${foreign}`)).status).toBe(200);
  });

  test('is in no list, count, thread or stream of theirs; their own are (WHO-7)', async () => {
    const stream = await openStream(world, { authorization: `Bearer ${keeperToken}` });
    const mine = await startedBy(bot, { name: shop });
    const theirs = await startedBy(other, { name: shop });
    const elsewhere = await startedBy(bot, { name: till });
    expect(idsOf(await bot('GET /v1/goals')).sort()).toEqual([mine, elsewhere].sort());
    expect(idsOf(await other('GET /v1/goals'))).toEqual([theirs]);
    expect(idsOf(await keeper('GET /v1/goals?q=go'))).toEqual(
      expect.arrayContaining([mine, theirs]),
    );
    expect(idsOf(await keeper('GET /v1/goals'))).not.toContain(elsewhere);
    expect(idsOf(await admin('GET /v1/goals'))).toEqual(
      expect.arrayContaining([foreign, mine, theirs, elsewhere]),
    );
    expect((await bot('GET /v1/goals/counts')).body.total).toBe(2);
    expect((await other('GET /v1/goals/counts')).body.total).toBe(1);
    expect((await bot(`GET /v1/goals/${mine}`)).status).toBe(200);
    expect((await bot(`GET /v1/goals/${theirs}`)).status).toBe(404);
    const last = await startedBy(other, { name: shop });
    while (!stream.told().includes(last)) await stream.more();
    expect(stream.told()).not.toContain(elsewhere);
    expect(stream.told()).not.toContain(foreign);
    await stream.leave();
  });

  test('keeps its thread, and what asks for an approval is not told (WHO-7)', async () => {
    const threadId = 'held-by-admin';
    const held = await startedBy(admin, { name: till }, { threadId });
    const path = `/v1/threads/${threadId}/goal`;
    expect((await bot(`GET ${path}`)).body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await keeper(`DELETE ${path}`, {})).status).toBe(404);
    const take = { ...newGoal({ name: shop }), replace: true, expectedGoalId: held };
    for (const call of [bot, other, keeper]) {
      const taken = await call(`PUT ${path}`, take);
      expect(taken.body).toMatchObject({ status: 409, code: 'goal_conflict' });
      expect(JSON.stringify(taken.body)).not.toContain(held);
    }
    expect((await admin(`GET ${path}`)).body).toMatchObject({ goalId: held });
    await world.database`
      INSERT INTO approval (approval_id, goal_id, kind, turn, data, state)
      VALUES ('a-held', ${held}, 'completion', 1, '{}', 'open')`;
    const approvals = async (call: Caller, query = '') =>
      (await call(`GET /v1/approvals${query}`)).body.items.length;
    expect([await approvals(admin), await approvals(keeper), await approvals(bot)]).toEqual([
      1, 0, 0,
    ]);
    expect(await approvals(keeper, `?goalId=${held}`)).toBe(0);
  });
});

describe('a principal bound to workspaces', () => {
  test('starts, estimates and checks there alone; another is answered as an unknown one (WHO-8)', async () => {
    for (const line of ['POST /v1/goals', 'POST /v1/goals/estimate', 'PUT /v1/threads/t-8/goal']) {
      const there = await keeper(line, newGoal({ name: till }));
      const nowhere = await keeper(line, newGoal({ name: 'nowhere' }));
      expect([line, there.body.code]).toEqual([line, 'unknown_workspace']);
      const told = JSON.stringify(there.body).replaceAll(till, 'nowhere');
      expect(JSON.parse(told)).toEqual(nowhere.body);
      const { items } = (await admin('GET /v1/workspaces')).body;
      const { path } = items.find(({ name }: { name: string }) => name === till);
      for (const folder of [path, await world.workspace({})]) {
        const byPath = await keeper(line, newGoal({ path: folder }));
        expect([line, byPath.body.code]).toEqual([line, 'unknown_workspace']);
      }
    }
    const check = { workspace: { name: till }, criterion: { kind: 'command', command: 'true' } };
    expect((await keeper('POST /v1/checks', check)).body.code).toBe('unknown_workspace');
    const { items } = (await keeper('GET /v1/workspaces')).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual([shop]);
  });

  test('gets no sums over all goals, and neither does a program (WHO-8)', async () => {
    for (const path of ['workers', 'queues', 'providers', 'spend', 'alerts']) {
      for (const call of [bot, keeper]) {
        const { body } = await call(`GET /v1/${path}`);
        expect([path, body.code]).toEqual([path, 'forbidden']);
      }
      expect([path, (await admin(`GET /v1/${path}`)).status]).toEqual([path, 200]);
    }
  });

  test('is bound over MCP as well (WHO-8)', async () => {
    const tool = async (call: Caller, name: string, args: object) => {
      const params = { name, arguments: args };
      const { body } = await call('POST /mcp', {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
      return JSON.stringify(body);
    };
    expect(await tool(bot, 'get_goal', { goalId: foreign })).toContain('not_found');
    expect(await tool(keeper, 'list_goals', {})).not.toContain(foreign);
    expect(await tool(admin, 'get_goal', { goalId: foreign })).toContain(foreign);
  });
});

test('a path of a served workspace leads into it, not beside it, by whatever way it is given (WHO-30)', async () => {
  const path = await world.workspace({});
  // As a worker does for `GOALKEEPER_WORKSPACES=desk=PATH`.
  await createWorkspaces(createIntake(world.store, { ledgerKeys: world.ledgerKeys })).registerAs(
    'desk',
    path,
  );
  const link = `${path}-link`;
  await symlink(path, link);
  const clerk = as((await make({ name: 'clerk', role: 'operator', workspaces: ['desk'] })).token);
  for (const call of [clerk, admin]) {
    for (const given of [path, link, `${path}/.`]) {
      const estimate = await call('POST /v1/goals/estimate', newGoal({ path: given }));
      expect(estimate.body.workspace).toEqual({ name: 'desk', isKnown: true });
      const { status, body } = await call('POST /v1/goals', newGoal({ path: given }));
      const seen = (await clerk(`GET /v1/goals/${body.goalId}`)).status;
      expect([status, body.workspace?.name, seen]).toEqual([201, 'desk', 200]);
      const check = { workspace: { path: given }, criterion: { kind: 'command', command: 'true' } };
      expect((await call('POST /v1/checks', check)).body.code).toBe('worker_unavailable');
    }
  }
  const rows = await world.database`SELECT name FROM workspace WHERE path = ${path}`;
  expect(rows.map(({ name }) => name)).toEqual(['desk']);
});

test('an estimate tells an agent and a bound token nothing of goals out of sight (WHO-31)', async () => {
  await world.database`UPDATE journal SET turns = 7, cost_usd = 12.5, active_ms = 60000
    WHERE goal_id = ${foreign}`;
  for (const call of [keeper, bot]) {
    const { body } = await call('POST /v1/goals/estimate', newGoal({ name: shop }));
    expect(body.past).toMatchObject({ scope: 'none', goals: 0 });
  }
  const { body } = await admin('POST /v1/goals/estimate', newGoal({ name: shop }));
  expect(body.past).toMatchObject({ scope: 'model', goals: 1 });
});

test('what was sealed elsewhere opens to no bound token; what it sealed itself does (WHO-32)', async () => {
  const sealedBy = async (call: Caller): Promise<string> => {
    const { body, status } = await call('POST /v1/sealed', {
      criterion: {
        ...{ kind: 'command', sealed: true, name: 'hidden', description: 'it holds' },
        command: 'test -f secret-of-till',
      },
    });
    expect([status, body.sealedId ?? body]).toEqual([201, expect.any(String)]);
    return body.sealedId;
  };
  const naming = (sealedId: string) => ({ criteria: [{ kind: 'sealed', sealedId }] });
  const unknown = 'sl-0000000000000000';
  const foreignSeal = await sealedBy(admin);
  const none = await keeper('POST /v1/goals', newGoal({ name: shop }, naming(unknown)));
  const theirs = await keeper('POST /v1/goals', newGoal({ name: shop }, naming(foreignSeal)));
  expect(none.status).toBeGreaterThanOrEqual(400);
  const told = JSON.stringify(theirs.body).replaceAll(foreignSeal, unknown);
  expect(JSON.parse(told)).toEqual(none.body);
  const goalId = await startedBy(keeper, { name: shop }, naming(await sealedBy(keeper)));
  const shown = await keeper(`GET /v1/goals/${goalId}/sealed`);
  expect(JSON.stringify(shown.body)).toContain('secret-of-till');
  const amended = await keeper(`PATCH /v1/goals/${goalId}`, naming(foreignSeal));
  expect(JSON.parse(JSON.stringify(amended.body).replaceAll(foreignSeal, unknown))).toEqual(
    (await keeper(`PATCH /v1/goals/${goalId}`, naming(unknown))).body,
  );
});

test('a delegate in a worktree of its parent’s worktree is in sight where its parent is (WHO-33)', async () => {
  const { body: parent } = await keeper('POST /v1/goals', newGoal({ name: shop }));
  const { body: child } = await keeper('POST /v1/goals', newGoal({ name: shop }));
  // As `insertWorktree` stores them for a goal in a worktree and for its delegate.
  for (const [goalId, origin] of [
    [parent.goalId, shop],
    [child.goalId, `worktree-${parent.goalId}`],
  ]) {
    const name = `worktree-${goalId}`;
    await world.database`
      INSERT INTO workspace (name, path, host, marker, origin, branch, is_repository)
      SELECT ${name}, '', host, ${name}, ${origin as string}, ${`goal/${goalId}`}, true
      FROM workspace WHERE name = ${shop}`;
    await world.database`UPDATE goal SET workspace_name = ${name} WHERE goal_id = ${goalId}`;
  }
  await world.database`
    UPDATE goal SET parent_goal_id = ${parent.goalId} WHERE goal_id = ${child.goalId}`;
  const status = async (goalId: string) => (await keeper(`GET /v1/goals/${goalId}`)).status;
  expect([await status(parent.goalId), await status(child.goalId)]).toEqual([200, 200]);
  expect(idsOf(await keeper('GET /v1/goals'))).toContain(parent.goalId);
});
