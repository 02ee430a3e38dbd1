import { request } from 'node:http';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SecurityEntry } from '../../schema/security-log.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { identities, neverAsked } from './identities.ts';

let world: GoalWorld;
let as: ReturnType<typeof identities>['as'];
let make: ReturnType<typeof identities>['make'];
beforeAll(async () => {
  world = await openGoalWorld({ script: neverAsked, worker: false });
  ({ as, make } = identities(world));
});
afterAll(() => world.close());

const entries = async (): Promise<SecurityEntry[]> =>
  (await as(TOKENS.admin)('GET /v1/security-log?limit=200')).body.items;

const signIn = (body: object) =>
  fetch(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the security log', () => {
  test('tells who did what from where, and what came of it (WHO-10)', async () => {
    const answer = await signIn({ token: TOKENS.operator });
    const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const browser = { origin: world.url, cookie, 'x-goalkeeper-console': consoleSecret };
    await fetch(`${world.url}/v1/session`, { method: 'DELETE', headers: browser });
    await signIn({ token: 'guessed-at-the-door' });
    await as('guessed-as-a-bearer')('GET /v1/goals');
    const made = await make({ name: 'bot', workspaces: ['shop'] });
    await as(made.token)('GET /v1/spend');
    await as(TOKENS.viewer)('POST /v1/tokens', { name: 'x', role: 'viewer' });
    const path = await world.workspace({});
    const { body: goal } = await as(TOKENS.admin)('POST /v1/goals', {
      ...{ objective: 'go', workspace: { path }, criteria: [{ kind: 'command', command: 'true' }] },
    });
    await as(made.token)(`GET /v1/goals/${goal.goalId}`);
    await as(TOKENS.admin)('DELETE /v1/tokens/bot');
    const all = (await entries()).reverse();
    const told = all.map(({ who, what, subject, result }) => [
      who?.replace(/-[0-9a-f]{8}$/, '') ?? null,
      ...[what, subject, result],
    ]);
    expect(told).toEqual([
      [null, 'log_sealed', null, 'done'],
      ['operator', 'sign_in', null, 'done'],
      ['operator', 'sign_out', null, 'done'],
      [null, 'sign_in_refused', 'POST /v1/session', 'refused'],
      [null, 'sign_in_refused', 'GET /v1/goals', 'refused'],
      ['admin', 'token_made', 'bot', 'done'],
      ['bot', 'action_refused', 'GET /v1/spend', 'refused'],
      ['viewer', 'action_refused', 'POST /v1/tokens', 'refused'],
      ['bot', 'action_refused', `GET /v1/goals/${goal.goalId}`, 'refused'],
      ['admin', 'token_revoked', 'bot', 'done'],
    ]);
    const [begun, ...asked] = all;
    expect(begun?.address).toBeNull();
    expect(new Set(asked.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    const text = JSON.stringify(all);
    for (const secret of [made.token, TOKENS.operator, 'guessed-', consoleSecret]) {
      expect(text).not.toContain(secret);
    }
  });

  test('tells a flood of the same once, and is read in pages by admins alone (WHO-10)', async () => {
    const before = (await entries()).length;
    for (let time = 0; time < 5; time += 1) await as(TOKENS.operator)('GET /v1/security-log');
    const after = await entries();
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({ what: 'action_refused', data: { code: 'forbidden' } });
    const seqs: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await as(TOKENS.admin)(`GET /v1/security-log?${query}`);
      seqs.push(...body.items.map(({ seq }: SecurityEntry) => seq));
      cursor = body.nextCursor;
    }
    expect(seqs).toEqual(after.map(({ seq }) => seq));
  });

  test('is added to by the service, and changed by nobody (WHO-11)', async () => {
    const writer = postgres(world.environment.DATABASE_URL ?? '', { max: 1 });
    try {
      await expect(writer`UPDATE security_log SET who = 'x'`).rejects.toThrow(/permission denied/);
      await expect(writer`DELETE FROM security_log`).rejects.toThrow(/permission denied/);
      await expect(writer`UPDATE token SET role = 'admin'`).rejects.toThrow(/permission denied/);
    } finally {
      await writer.end();
    }
    const db = world.database;
    await expect(db`UPDATE security_log SET who = 'x'`).rejects.toThrow(/append-only/);
    await expect(db`DELETE FROM security_log`).rejects.toThrow(/append-only/);
    await expect(db`TRUNCATE security_log`).rejects.toThrow(/append-only/);
  });

  test('is exported on the command line, one entry a line (WHO-10)', async () => {
    const environment = { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin };
    const all = await start(['security-log', '--json'], environment).done;
    const lines = all.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual(await entries());
    const text = await start(['security-log', '--limit', '1'], environment).done;
    expect(text.out).toMatch(/operator-\w+ \(operator\) from 127\.0\.0\.1: action_refused GET/);
    const whole = await start(['security-log', '--limit', '200'], environment).done;
    expect(whole.out).toMatch(/^\S+ the service: log_sealed · done$/m);
  });

  test('is narrowed by event, principal and result, page by page (WHO-10)', async () => {
    await as(TOKENS.viewer)('GET /v1/security-log');
    const all = await entries();
    const [{ who } = { who: null }] = all;
    const query = `what=action_refused&who=${who}&result=refused`;
    const found: SecurityEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await as(TOKENS.admin)(`GET /v1/security-log?${query}&limit=1${next}`);
      found.push(...body.items);
      cursor = body.nextCursor;
    }
    const isFound = (one: SecurityEntry) => one.what === 'action_refused' && one.who === who;
    expect(found).toEqual(all.filter(isFound));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    const { status, body } = await as(TOKENS.admin)('GET /v1/security-log?what=everything');
    expect([status, body.field]).toEqual([400, 'what']);
  });

  test('holds no token that somebody pasted in the place of its name (WHO-53)', async () => {
    const { token } = await make({ name: 'pasted' });
    await as(TOKENS.agent)(`DELETE /v1/tokens/${token}`);
    await as(TOKENS.viewer)(`DELETE /v1/sessions/${TOKENS.operator}`);
    const all = JSON.stringify(await entries());
    expect(all).toContain('DELETE /v1/tokens/[masked]');
    expect(all).toContain('DELETE /v1/sessions/[masked]');
    for (const secret of [token, TOKENS.operator]) expect(all).not.toContain(secret);
  });
});

test('a name that would be stored as it is holds no secret (MSK-4)', async () => {
  const asked = { objective: 'go', workspace: { path: await world.workspace({}) } };
  const start = (line: string, body: object, key = 'a-key') =>
    fetch(world.url + line.replace(/^\w+ /, ''), {
      method: line.split(' ')[0] ?? '',
      headers: {
        authorization: `Bearer ${TOKENS.admin}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    }).then(async (answer) => [answer.status, await answer.json()]);
  const refused = (field: string) => [400, expect.objectContaining({ field })];
  const threadId = TOKENS.operator;
  expect(await start('POST /v1/goals', { ...asked, threadId })).toEqual(refused('threadId'));
  expect(await start(`PUT /v1/threads/${threadId}/goal`, asked)).toEqual(refused('url'));
  expect(await start('POST /v1/goals', asked, threadId)).toEqual(refused('Idempotency-Key'));
  for (const table of ['request', 'goal', 'event', 'security_log']) {
    const rows = await world.database.unsafe(`SELECT t::text AS row FROM "${table}" t`);
    expect(rows.filter(({ row }) => row.includes(threadId))).toEqual([]);
  }
});

test('the security log says from where an MCP client was refused (WHO-46)', async () => {
  const { hostname, port } = new URL(world.url);
  const { token: botToken } = await make({ name: 'mcp-bot' });
  const { body: goal } = await as(TOKENS.admin)('POST /v1/goals', {
    ...{ objective: 'go', criteria: [{ kind: 'command', command: 'true' }] },
    workspace: { path: await world.workspace({}) },
  });
  const foreign: string = goal.goalId;
  const params = { name: 'get_goal', arguments: { goalId: foreign } };
  await new Promise<void>((resolve) => {
    const headers = {
      ...{ authorization: `Bearer ${botToken}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    };
    request(
      { hostname, port, path: '/mcp', method: 'POST', headers, localAddress: '127.0.0.7' },
      (answer) => answer.resume().on('end', () => resolve()),
    ).end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  });
  const { items } = (await as(TOKENS.admin)('GET /v1/security-log')).body;
  const entry = items.find(
    ({ who, subject }: { who: string; subject: string }) =>
      who === 'mcp-bot' && subject === `GET /v1/goals/${foreign}`,
  );
  expect(entry?.address).toBe('127.0.0.7');
});

test('a sign-in code stands in the security log when it is made (WHO-48)', async () => {
  await as(TOKENS.operator)('POST /v1/session/codes');
  const [entry] = await entries();
  expect(entry).toMatchObject({ what: 'code_made', role: 'operator', result: 'done' });
});
