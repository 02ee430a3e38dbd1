import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '../../src/api/session-cookie.ts';
import type { NewSecurityEntry } from '../../src/contract/security-log.ts';
import { createTokenStore } from '../../src/store/intake/tokens.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { identities, neverAsked, openStream } from './identities.ts';

let world: GoalWorld;
let as: ReturnType<typeof identities>['as'];
let make: ReturnType<typeof identities>['make'];
beforeAll(async () => {
  world = await openGoalWorld({ script: neverAsked, worker: false });
  ({ as, make } = identities(world));
});
afterAll(() => world.close());

/** A browser that signed in with this token. */
async function browserOf(token: string) {
  const own = { origin: world.url };
  const answer = await fetch(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { ...own, cookie, 'x-goalkeeper-console': consoleSecret };
}

describe('a token that the service makes', () => {
  test('is shown once, kept as a hash, and says when it was used (WHO-1)', async () => {
    const made = await make({ name: 'ci', role: 'operator' });
    expect(made.token).toMatch(/^goalkeeper_pat_[A-Za-z0-9_-]{43}$/);
    const rows = await world.database`SELECT t::text AS row FROM token t WHERE name = 'ci'`;
    expect(rows[0]?.row).toContain(hashOfSecret(made.token));
    expect(rows[0]?.row).not.toContain(made.token.slice(15));
    const asAdmin = as(TOKENS.admin);
    const before = await asAdmin('GET /v1/tokens');
    expect(JSON.stringify(before.body)).not.toContain(made.token.slice(15));
    expect(before.body.items).toMatchObject([{ name: 'ci', lastUsedAt: null, revokedAt: null }]);
    const days = (Date.parse(made.expiresAt ?? '') - Date.parse(made.createdAt)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect((await as(made.token)('GET /v1/session')).body).toMatchObject({
      name: 'ci',
      role: 'operator',
      workspaces: null,
      templates: null,
      expiresAt: made.expiresAt,
    });
    const [after] = (await asAdmin('GET /v1/tokens')).body.items;
    expect(Date.parse(after.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(made.createdAt) - 1000);
  });

  test('stands in the records by its name, as the tokens of the settings by theirs (WHO-1)', async () => {
    const made = await make({ name: 'nightly', role: 'operator' });
    const path = await world.workspace({});
    const goal = { objective: 'go', criteria: [{ kind: 'command', command: 'true' }] };
    const by = async (bearer: string) => {
      const { body } = await as(bearer)('POST /v1/goals', { ...goal, workspace: { path } });
      const [row] =
        await world.database`SELECT created_by FROM goal WHERE goal_id = ${body.goalId}`;
      return row?.created_by;
    };
    expect(await by(made.token)).toBe('nightly');
    expect(await by(TOKENS.operator)).toMatch(/^operator-[0-9a-f]{8}$/);
  });

  test('may no more than its maker, and ends no later (WHO-2)', async () => {
    const maker = await make({
      ...{ name: 'lead', role: 'operator', workspaces: ['shop', 'till'], expiresInDays: 5 },
    });
    const asLead = as(maker.token);
    const made = async (token: object) => (await asLead('POST /v1/tokens', token)).body;
    expect(await made({ name: 'x', role: 'admin' })).toMatchObject({ code: 'forbidden' });
    expect(await made({ name: 'x', role: 'agent', workspaces: ['shop', 'bank'] })).toMatchObject({
      ...{ code: 'invalid_request', field: 'workspaces' },
    });
    const all = await made({ name: 'lead-all', role: 'agent', expiresInDays: null });
    expect(all).toMatchObject({ workspaces: ['shop', 'till'], expiresAt: maker.expiresAt });
    const some = await made({ name: 'lead-some', role: 'viewer', workspaces: ['till'] });
    expect(some).toMatchObject({ workspaces: ['till'], createdBy: 'lead' });
    const names = (await asLead('GET /v1/tokens')).body.items.map(({ name }: never) => name);
    expect(names).toEqual(['lead', 'lead-all', 'lead-some']);
    expect((await asLead('DELETE /v1/tokens/ci')).status).toBe(404);
    for (const role of ['agent', 'viewer'] as const) {
      expect((await as(TOKENS[role])('POST /v1/tokens', { name: 'x', role })).status).toBe(403);
    }
    const lesser = await fetch(`${world.url}/v1/tokens`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKENS.admin}`,
        'goalkeeper-role': 'operator',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'x', role: 'admin' }),
    });
    expect(lesser.status).toBe(403);
    const headers = { ...(await browserOf(TOKENS.admin)), 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'x', role: 'viewer' });
    expect((await fetch(`${world.url}/v1/tokens`, { method: 'POST', headers, body })).status).toBe(
      403,
    );
  });

  test('ends at once when it is revoked: requests, sessions and open streams (WHO-3)', async () => {
    const made = await make({ name: 'leaver', role: 'operator' });
    const browser = await browserOf(made.token);
    const session = () => fetch(`${world.url}/v1/session`, { headers: browser });
    expect((await session()).status).toBe(200);
    const { body: code } = await as(made.token)('POST /v1/session/codes');
    const streams = await Promise.all([
      openStream(world, { authorization: `Bearer ${made.token}` }),
      openStream(world, browser),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const revoked = await as(TOKENS.admin)('DELETE /v1/tokens/leaver');
    expect(revoked.body).toMatchObject({
      name: 'leaver',
      revokedBy: expect.stringMatching(/^admin-/),
    });
    expect((await as(made.token)('GET /v1/goals')).status).toBe(401);
    expect((await session()).status).toBe(401);
    const byCode = await fetch(`${world.url}/v1/session`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', origin: world.url } },
      body: JSON.stringify({ code: code.code }),
    });
    expect(byCode.status).toBe(401);
    await Promise.all(streams.map(({ ended }) => ended));
    const again = await as(TOKENS.admin)('DELETE /v1/tokens/leaver');
    expect(again.body.revokedAt).toBe(revoked.body.revokedAt);
  });

  test('ends by itself at its time, with its session and its streams (WHO-4)', async () => {
    const tokens = createTokenStore(world.store, world.ledgerKeys);
    const endsIn = async (name: string, ms: number) => {
      const secret = `goalkeeper_pat_${name.padEnd(43, 'x')}`;
      const expiresAt = new Date(Date.now() + ms).toISOString();
      const all = { workspaces: null, templates: null };
      const bounds = { role: 'viewer', ...all, createdBy: 'test', expiresAt } as const;
      const entry: NewSecurityEntry = {
        ...{ who: 'test', role: null, address: null, what: 'token_made', subject: name },
        ...{ result: 'done', data: {} },
      };
      await tokens.add({ name, secretHash: hashOfSecret(secret), ...bounds }, entry);
      return secret;
    };
    expect((await as(await endsIn('past', -1))('GET /v1/goals')).status).toBe(401);
    const soon = await endsIn('soon', 1500);
    const browser = await browserOf(soon);
    const streams = await Promise.all([
      openStream(world, { authorization: `Bearer ${soon}` }),
      openStream(world, browser),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(streams.map(({ ended }) => ended));
    expect((await as(soon)('GET /v1/goals')).status).toBe(401);
    expect((await fetch(`${world.url}/v1/session`, { headers: browser })).status).toBe(401);
  });

  test("stays where its end can't be told: the row and its entry are one (WHO-50)", async () => {
    const { token } = await make({ name: 'untold', role: 'viewer' });
    const tokens = createTokenStore(world.store, world.ledgerKeys);
    const entry = {
      ...{ who: 'test', role: null, address: null, what: 'token_revoked', subject: 'untold' },
      ...{ result: null, data: {} },
    } as never;
    await expect(tokens.revoke('untold', 'test', entry)).rejects.toThrow();
    expect((await as(token)('GET /v1/goals')).status).toBe(200);
    const told = () =>
      world.database`
        SELECT 1 FROM security_log WHERE what = 'token_revoked' AND subject = 'untold'`;
    expect(await told()).toHaveLength(0);
    await as(TOKENS.admin)('DELETE /v1/tokens/untold');
    expect(await told()).toHaveLength(1);
    expect((await as(token)('GET /v1/goals')).status).toBe(401);
  });

  test('keeps its name and its bounds for good: not even the table gives them away (WHO-5)', async () => {
    await make({ name: 'gone', role: 'viewer' });
    await as(TOKENS.admin)('DELETE /v1/tokens/gone');
    const again = await as(TOKENS.admin)('POST /v1/tokens', { name: 'gone', role: 'viewer' });
    expect(again.body).toMatchObject({ status: 409, code: 'name_taken', field: 'name' });
    const like = await as(TOKENS.admin)('POST /v1/tokens', {
      name: 'admin-0123abcd',
      role: 'viewer',
    });
    expect(like.body).toMatchObject({ code: 'invalid_request', field: 'name' });
    const db = world.database;
    await expect(db`UPDATE token SET role = 'admin' WHERE name = 'gone'`).rejects.toThrow(
      /revoked/,
    );
    await expect(db`UPDATE token SET revoked_at = NULL WHERE name = 'gone'`).rejects.toThrow();
    await expect(db`DELETE FROM token`).rejects.toThrow(/only revoked/);
  });

  test('is made, listed and revoked on the command line (WHO-1)', async () => {
    const environment = { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin };
    const goalkeeper = (...args: string[]) => start(args, environment).done;
    const made = await goalkeeper(
      'token',
      'create',
      'bot',
      '--role',
      'agent',
      '--workspace',
      'shop',
    );
    expect([made.exitCode, made.err]).toEqual([0, expect.stringContaining('bot agent · shop')]);
    const asBot = as(made.out.trim());
    expect((await asBot('GET /v1/session')).body).toMatchObject({ name: 'bot', role: 'agent' });
    expect((await goalkeeper('token', 'list')).out).toMatch(
      /^bot agent · shop · made .* last used/m,
    );
    expect((await goalkeeper('token', 'revoke', 'bot')).out).toMatch(/revoked .* by admin-/);
    expect((await asBot('GET /v1/session')).status).toBe(401);
    const bad = await goalkeeper('token', 'create', 'bot', '--role', 'agent');
    expect(bad.err).toContain('Choose another name.');
  });
});

test('signing out ends the streams of the session (WHO-45)', async () => {
  const own = { origin: world.url };
  const answer = await fetch(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ token: TOKENS.operator }),
  });
  const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const browser = { ...own, cookie, 'x-goalkeeper-console': consoleSecret };
  const stream = await openStream(world, browser);
  await fetch(`${world.url}/v1/session`, { method: 'DELETE', headers: browser });
  const ended = await Promise.race([stream.ended.then(() => true), delay(5000, false)]);
  await stream.leave();
  expect(ended).toBe(true);
});
