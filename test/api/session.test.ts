import { describe, expect, it } from 'vitest';
import { sessionSchema } from '../../schema/session.ts';
import { buildServer } from '../../src/api/server.ts';
import { hashOfSecret } from '../../src/api/session-cookie.ts';
import { createMemory, memoryPorts, memorySessions, settings, tokens } from './memory-ports.ts';

const HOST = '127.0.0.1:7420';
const own = { host: HOST, origin: `http://${HOST}`, 'x-goalkeeper-console': '1' };

function open(change: Parameters<typeof memoryPorts>[1] = {}) {
  const sessions = memorySessions();
  const memory = createMemory();
  const server = buildServer(memoryPorts(memory, { sessions, ...change }));
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string> = {},
    payload?: object,
  ) => {
    const answer = await server.inject({
      method,
      url,
      headers: { host: HOST, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.body, answer };
  };
  const signIn = async (body: object, headers: Record<string, string> = own) => {
    const { answer, status } = await call('POST', '/v1/session', headers, body);
    const [cookie] = answer.cookies;
    const { consoleSecret = '' } = JSON.parse(answer.body) as { consoleSecret?: string };
    return {
      status,
      cookie: cookie === undefined ? '' : `${cookie.name}=${cookie.value}`,
      /** What a request of the console itself carries. */
      own: { ...own, 'x-goalkeeper-console': consoleSecret },
      answer,
    };
  };
  return { server, sessions, call, signIn };
}

describe('a browser session', () => {
  it('is a cookie that no script reads and no other site sends, and speaks as its token', async () => {
    const { call, signIn, sessions } = open();
    const { cookie, answer, own: mine } = await signIn({ token: tokens.operator });
    expect(answer.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Strict/);
    expect(answer.body).not.toContain(tokens.operator);
    expect(cookie).not.toContain(tokens.operator);
    expect(JSON.parse((await call('GET', '/v1/session', { cookie, ...mine })).body)).toMatchObject({
      role: 'operator',
    });
    expect((await call('GET', '/v1/goals', { cookie, ...mine })).status).toBe(200);
    expect((await call('GET', '/v1/goals', mine)).status).toBe(401);
    const kept = JSON.stringify(await sessions.find(hashOfSecret(cookie.split('=')[1] ?? '')));
    expect(kept).not.toContain(mine['x-goalkeeper-console']);
  });

  it('is worth nothing to whoever has the cookie alone, as servers on other ports get it', async () => {
    const { call, signIn } = open();
    const { cookie, own: mine } = await signIn({ token: tokens.admin });
    const other = (await signIn({ token: tokens.admin })).own;
    const asked = (method: 'GET' | 'POST' | 'DELETE', path: string, headers: object) =>
      call(method, path, { cookie, ...headers }).then(({ status }) => status);
    for (const headers of [{}, own, { 'x-goalkeeper-console': '' }, other]) {
      expect(await asked('GET', '/v1/goals', headers)).toBe(401);
      expect(await asked('GET', '/v1/events', headers)).toBe(401);
      expect([401, 403]).toContain(await asked('POST', '/v1/goals', headers));
      await asked('DELETE', '/v1/session', headers);
    }
    expect(await asked('GET', '/v1/goals', mine)).toBe(200);
  });

  it('changes things only from the console itself', async () => {
    const { call, signIn } = open();
    const { cookie, own: mine } = await signIn({ token: tokens.operator });
    const goal = { objective: 'x', workspace: { name: 'shop' } };
    const start = (headers: Record<string, string>) =>
      call('POST', '/v1/goals', { cookie, ...headers }, goal).then(({ status }) => status);
    const secret = mine['x-goalkeeper-console'];
    expect(await start({})).toBe(403);
    expect(await start({ ...mine, origin: 'http://127.0.0.1:3000' })).toBe(403);
    expect(await start({ ...mine, origin: 'https://evil.example' })).toBe(403);
    expect(await start({ host: HOST, origin: own.origin })).toBe(403);
    expect(await start({ host: HOST, 'x-goalkeeper-console': secret })).toBe(403);
    expect(await start(mine)).toBe(201);
  });

  it('begins for no foreign page, and for no unknown token', async () => {
    const { signIn } = open();
    const foreign = await signIn({ token: tokens.admin }, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.cookie]).toEqual([403, '']);
    const unknown = await signIn({ token: 'guessed' });
    expect([unknown.status, unknown.cookie]).toEqual([401, '']);
  });

  it('ends for good when its browser signs out, and when its token is taken away', async () => {
    const { call, signIn, sessions } = open();
    const { cookie, own: mine } = await signIn({ token: tokens.viewer });
    const elsewhere = open({
      sessions,
      settings: { ...settings, tokens: [{ role: 'admin', token: tokens.admin }] },
    });
    expect((await elsewhere.call('GET', '/v1/session', { cookie, ...mine })).status).toBe(401);
    expect((await call('DELETE', '/v1/session', { cookie })).status).toBe(403);
    expect((await call('GET', '/v1/session', { cookie, ...mine })).status).toBe(200);
    expect((await call('DELETE', '/v1/session', { cookie, ...mine })).status).toBe(204);
    expect((await call('GET', '/v1/session', { cookie, ...mine })).status).toBe(401);
  });

  it('also begins with a code that a token made, once, and makes no codes itself', async () => {
    const { call, signIn } = open();
    const asAgent = { authorization: `Bearer ${tokens.agent}` };
    const asLess = { authorization: `Bearer ${tokens.admin}`, 'goalkeeper-role': 'agent' };
    expect((await call('POST', '/v1/session/codes', asLess)).status).toBe(403);
    const made = await call('POST', '/v1/session/codes', asAgent);
    const { code } = JSON.parse(made.body) as { code: string };
    const { cookie, status, own: mine } = await signIn({ code });
    expect(status).toBe(200);
    expect(JSON.parse((await call('GET', '/v1/session', { cookie, ...mine })).body)).toMatchObject({
      role: 'agent',
    });
    expect((await signIn({ code })).status).toBe(401);
    expect((await call('POST', '/v1/session/codes', { cookie, ...mine })).status).toBe(403);
    // A session's secret is no code, and a code is no session.
    expect((await signIn({ code: cookie.split('=')[1] ?? '' })).status).toBe(401);
  });

  it('speaks no MCP, whose tools take tokens alone (WHO-49)', async () => {
    const { call, signIn } = open();
    const { cookie, own: mine } = await signIn({ token: tokens.admin });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { status, body } = await call('POST', '/mcp', { cookie, ...mine }, message);
    expect([status, JSON.parse(body).code]).toEqual([403, 'forbidden']);
  });

  it('can not be guessed at: attempts are counted', async () => {
    const { signIn } = open();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 22; attempt += 1) {
      statuses.push((await signIn({ token: `guess-${attempt}` })).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    const last = await signIn({ token: tokens.admin });
    expect(last.status).toBe(429);
    expect(JSON.parse(last.answer.body)).toMatchObject({ code: 'rate_limited' });
  });
});

describe('the pages of the console', () => {
  it('let in only what comes from here, by a nonce of their own each time', async () => {
    const { call } = open();
    const policies = await Promise.all(
      ['/', '/goals', '/goals/g-1/gate', '/signin'].map(async (path) => {
        const { status, answer } = await call('GET', path);
        expect([path, status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
        return String(answer.headers['content-security-policy']);
      }),
    );
    expect(new Set(policies).size).toBe(policies.length);
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    }
  });

  it('API-60 have files, and whatever else is asked for beside them is not found', async () => {
    const { call } = open();
    for (const path of ['/assets/', '/assets/%00', '/assets/none.js', '/assets/..%2findex.html']) {
      expect([path, (await call('GET', path)).status]).toEqual([path, 404]);
    }
  });

  it('are no answer to a foreign Host name, nor to paths of the API', async () => {
    const { call } = open();
    expect((await call('GET', '/goals', { host: 'evil.example' })).status).toBe(403);
    expect((await call('GET', '/v1/nothing')).answer.headers['content-type']).toContain('problem');
  });
});

it('API-12 who speaks is told as the document says, also by a caller who lowers his role', async () => {
  const { call } = open();
  const { body } = await call('GET', '/v1/session', {
    authorization: `Bearer ${tokens.admin}`,
    'goalkeeper-role': 'agent',
  });
  expect(sessionSchema.parse(JSON.parse(body))).toMatchObject({ role: 'agent' });
});
