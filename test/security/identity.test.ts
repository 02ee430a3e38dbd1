import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { openStream } from '../api/identities.ts';
import { openBrowser } from '../support/browser.ts';
import { type OidcServer, startOidc } from '../support/oidc-server.ts';
import { type Mode, playClass } from './attempts.ts';
import { type Callers, openCallers, plainGoal } from './callers.ts';
import { fill, operationsOf } from './operations.ts';
import { openService, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const SECRET = 'secret-of-the-client-0000';
const ACCOUNTS = {
  ann: { email: 'ann@shop.example', email_verified: true, groups: ['leads'] },
  eve: { email: 'ann@shop.example', email_verified: false, groups: ['leads'] },
  joe: { email: 'joe@shop.example', email_verified: true, groups: ['guests'] },
  sly: {
    email: 'sly@shop.example',
    email_verified: true,
    groups: ['__proto__', 'constructor', 'leads ', 'LEADS'],
  },
};

let service: Service;
let callers: Callers;
let provider: OidcServer;
beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidc({ url, secret: SECRET, accounts: ACCOUNTS });
  const oidc = {
    issuer: provider.issuer,
    clientId: 'goalkeeper',
    url,
    roles: { leads: 'operator' },
  };
  service = await openService(MODE, {
    GOALKEEPER_PORT: String(port),
    GOALKEEPER_OIDC: JSON.stringify(oidc),
    GOALKEEPER_OIDC_SECRET: SECRET,
    GOALKEEPER_APPROVERS: 'others',
  });
  callers = await openCallers(service);
}, 300_000);
afterAll(async () => {
  await service.close();
  await provider.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let names = 0;
const aName = () => {
  names += 1;
  return `made-${names}`;
};
const revoke = (name: string) => service.call(`DELETE /v1/tokens/${name}`);
const status = (line: string, as: string | null, body?: object) =>
  service.call(line, { as, ...(body && { body }) }).then((answer) => answer.status);
const make = (as: string, body: object) => service.call('POST /v1/tokens', { as, body });

/** A browser's session by this token: the headers that the console sends. */
async function session(body: object): Promise<{ status: number; own: Record<string, string> }> {
  const answer = await service.call('POST /v1/session', {
    as: null,
    body,
    headers: { origin: service.url },
  });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const own = {
    cookie,
    origin: service.url,
    'x-goalkeeper-console': answer.body.consoleSecret ?? '',
  };
  return { status: answer.status, own };
}

const reads = (own: Record<string, string>) =>
  service.call('GET /v1/goals', { as: null, headers: own }).then((answer) => answer.status);

const isOurs = (url: string) => url.startsWith(`${service.url}/signin#`);
const isBack = (url: string) => url.startsWith(`${service.url}/v1/oidc/callback`);
const login = () => `${service.url}/v1/oidc/login`;
const REFUSED = /\/signin#refused=/;

async function signedIn(account: keyof typeof ACCOUNTS): Promise<Record<string, string>> {
  provider.signInAs(account);
  const browser = openBrowser();
  const at = await browser.follow(login(), isOurs);
  const code = new URLSearchParams(new URL(at).hash.slice(1)).get('code');
  const answer = await browser.go(`${service.url}/v1/session`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { consoleSecret = '' } = (await answer.json()) as { consoleSecret?: string };
  return {
    origin: service.url,
    cookie: browser.cookie(service.url),
    'x-goalkeeper-console': consoleSecret,
  };
}

playClass('identity', MODE, {
  'IDN-1': async () => {
    const { token, name } = await callers.make({ name: aName(), role: 'admin' });
    expect(await status('GET /v1/goals', token)).toBe(200);
    await revoke(name);
    const lines = [
      'GET /v1/goals',
      'GET /v1/events',
      `GET /v1/goals/${callers.goalId}/events`,
      'GET /v1/session',
      'POST /v1/session/codes',
      'POST /v1/tokens',
      'POST /mcp',
      'DELETE /v1/tokens/bounded',
    ];
    for (const line of lines)
      expect([line, await status(line, token, line.startsWith('POST') ? {} : undefined)]).toEqual([
        line,
        401,
      ]);
    expect((await session({ token })).status).toBe(401);
    return lines.length + 1;
  },
  'IDN-2': async () =>
    'a token lives for a day at least: the rule is played by test/api/tokens.test.ts',
  'IDN-3': async () => {
    const { token, name } = await callers.make({ name: aName(), role: 'operator' });
    const { own } = await session({ token });
    expect(await reads(own)).toBe(200);
    await revoke(name);
    expect(await reads(own)).toBe(401);
    return 1;
  },
  'IDN-4': async () => {
    const { token, name } = await callers.make({ name: aName(), role: 'viewer' });
    const stream = await openStream(service, { authorization: `Bearer ${token}` });
    expect(stream.status).toBe(200);
    await revoke(name);
    await Promise.race([
      stream.ended,
      new Promise((_, no) => setTimeout(() => no(new Error('the stream goes on')), 70_000)),
    ]);
    return 1;
  },
  'IDN-5': async () => {
    const { token, name } = await callers.make({ name: aName(), role: 'operator' });
    const { code } = (await service.call('POST /v1/session/codes', { as: token, body: {} })).body;
    expect(code).toEqual(expect.any(String));
    await revoke(name);
    expect((await session({ code })).status).toBe(401);
    return 1;
  },
  'IDN-6': async () => {
    for (const role of ['admin', 'root', 'ADMIN', '', null, ['admin']]) {
      const answer = await make(TOKENS.operator, { name: aName(), role });
      expect([role, answer.status >= 400]).toEqual([role, true]);
    }
    return 6;
  },
  'IDN-7': async () => {
    for (const workspaces of [
      ['shop'],
      ['till', 'shop'],
      ['*'],
      [''],
      [],
      ['TILL'],
      ['till/../shop'],
      [null],
    ]) {
      const answer = await make(callers.bounded, { name: aName(), role: 'agent', workspaces });
      expect([workspaces, answer.status >= 400]).toEqual([workspaces, true]);
    }
    const unsaid = await make(callers.bounded, { name: aName(), role: 'agent' });
    expect([unsaid.status, unsaid.body.workspaces]).toEqual([201, ['till']]);
    return 9;
  },
  'IDN-8': async () => {
    const { token, expiresAt } = await callers.make({
      name: aName(),
      role: 'operator',
      expiresInDays: 2,
    });
    if (expiresAt === null) throw new Error('it has no end');
    for (const expiresInDays of [3, 90, 3650, 1e9, -1, 0]) {
      const answer = await make(token, { name: aName(), role: 'agent', expiresInDays });
      const isRefused = answer.status >= 400 || answer.body.expiresAt <= expiresAt;
      expect([expiresInDays, isRefused]).toEqual([expiresInDays, true]);
    }
    const asLong = await make(token, { name: aName(), role: 'agent', expiresInDays: null });
    expect(asLong.body.expiresAt).not.toBeNull();
    return 7;
  },
  'IDN-9': async () => {
    for (const as of [TOKENS.agent, TOKENS.viewer]) {
      expect(await status('GET /v1/tokens', as)).toBe(403);
      expect((await make(as, { name: aName(), role: 'viewer' })).status).toBe(403);
      expect(await status('DELETE /v1/tokens/bounded', as)).toBe(403);
    }
    return 6;
  },
  'IDN-10': async () => {
    for (const name of ['bounded', 'revoked'])
      expect((await make(TOKENS.operator, { name, role: 'agent' })).status).toBe(409);
    return 2;
  },
  'IDN-11': async () => {
    const bad = [
      'oidc:ann@shop.example',
      'admin-0123abcd',
      'operator-ffffffff',
      'Ann',
      ' ann',
      'ann ',
      'a\nb',
      'a\u200bb',
      'аnn',
      'a/b',
      '../x',
      '',
      'x'.repeat(64),
      'Clock',
      'a%00',
    ];
    for (const name of bad)
      expect([name, (await make(TOKENS.admin, { name, role: 'agent' })).status >= 400]).toEqual([
        name,
        true,
      ]);
    return bad.length;
  },
  'IDN-12': async () => {
    const { body } = await service.call('GET /v1/tokens', { as: callers.bounded });
    expect(JSON.stringify(body)).not.toMatch(/other-agent|"revoked"/);
    expect(await status('DELETE /v1/tokens/other-agent', callers.bounded)).toBe(404);
    expect(await status('GET /v1/goals', callers.otherAgent)).toBe(200);
    return 2;
  },
  'IDN-13': async () => {
    for (const role of ['operator', 'agent', 'viewer']) {
      const headers = { 'goalkeeper-role': role };
      const answer = await service.call('POST /v1/tokens', {
        headers,
        body: { name: aName(), role: 'admin' },
      });
      expect([role, answer.status]).toEqual([role, 403]);
    }
    return 3;
  },
  'IDN-14': async () => (await approvals(TOKENS.operator, [TOKENS.operator])).length,
  'IDN-15': async () => {
    const lead = await callers.make({ name: aName(), role: 'operator' });
    const made = (await make(lead.token, { name: aName(), role: 'operator' })).body.token as string;
    const sibling = (await make(lead.token, { name: aName(), role: 'operator' })).body
      .token as string;
    return (await approvals(made, [made, lead.token, sibling])).length;
  },
  'IDN-16': async () => {
    for (const as of [TOKENS.agent, TOKENS.viewer, TOKENS.operator, callers.bounded])
      expect(await status('GET /v1/security-log', as)).toBe(403);
    return 4;
  },
  'IDN-17': async () => {
    const { body } = await service.call('GET /v1/security-log?limit=200');
    const what = new Set(body.items.map((entry: { what: string }) => entry.what));
    for (const name of ['token_made', 'token_revoked', 'sign_in_refused', 'action_refused'])
      expect([...what]).toContain(name);
    expect(JSON.stringify(body)).not.toContain('goalkeeper_pat_');
    return 4;
  },
  'IDN-18': async () => {
    const operations = (await operationsOf(service)).filter(
      ({ method, path }) => method === 'GET' && path.includes('{goalId}'),
    );
    for (const { method, path } of operations) {
      expect([
        path,
        await status(`${method} ${fill(path, { goalId: callers.goalId })}`, callers.boundedViewer),
      ]).toEqual([path, expect.toSatisfy((s) => s === 404 || s === 403)]);
    }
    return operations.length;
  },
  'IDN-19': async () => {
    provider.signInAs('ann');
    const browser = openBrowser();
    const back = await browser.follow(login(), isBack);
    for (const change of [
      (u: URL) => u.searchParams.delete('state'),
      (u: URL) => u.searchParams.set('state', 'x'),
      (u: URL) => u.searchParams.set('code', 'x'),
      (u: URL) => u.searchParams.set('iss', 'https://evil.example'),
    ]) {
      const other = openBrowser();
      const url = new URL(await other.follow(login(), isBack));
      change(url);
      expect(await other.follow(url.href, isOurs)).toMatch(REFUSED);
    }
    const cookie = browser.cookie(service.url);
    expect(await browser.follow(back, isOurs)).toContain('#code=');
    const again = await fetch(back, { redirect: 'manual', headers: { cookie } });
    expect(again.headers.get('location')).toMatch(REFUSED);
    return 5;
  },
  'IDN-20': async () => {
    provider.signInAs('ann');
    const back = await openBrowser().follow(login(), isBack);
    expect(await openBrowser().follow(back, isOurs)).toMatch(REFUSED);
    const mallory = openBrowser();
    await mallory.go(login());
    expect(await mallory.follow(back, isOurs)).toMatch(REFUSED);
    const victim = openBrowser();
    const at = await victim.follow(login(), isOurs);
    const code = new URLSearchParams(new URL(at).hash.slice(1)).get('code');
    expect((await session({ code })).status).toBe(401);
    return 3;
  },
  'IDN-21': async () => 'played by test/api/id-token.test.ts (SEC-30)',
  'IDN-22': async () => {
    for (const account of ['joe', 'eve', 'sly'] as const) {
      provider.signInAs(account);
      expect([account, await openBrowser().follow(login(), isOurs)]).toEqual([
        account,
        expect.stringMatching(REFUSED),
      ]);
    }
    return 3;
  },
  'IDN-23': async () => {
    const own = await signedIn('ann');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: provider.issuer,
      aud: 'goalkeeper',
      sub: 'ann',
      iat: Math.floor(Date.now() / 1000),
      jti: 'x',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`;
    const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
    const byName = `${text}.${createHmac('sha256', 'goalkeeper').update(text).digest('base64url')}`;
    const bySecret = `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
    for (const token of [unsigned, byName, bySecret, '', 'x', 'a.b.c']) {
      const answer = await fetch(`${service.url}/v1/oidc/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
      expect([token.slice(0, 20), answer.status >= 400]).toEqual([token.slice(0, 20), true]);
    }
    expect(await reads(own)).toBe(200);
    return 6;
  },
  'IDN-24': async () => {
    for (const query of [
      'next=https://evil.example',
      'redirect_uri=https://evil.example',
      'returnTo=//evil.example',
      'url=https://evil.example',
      'issuer=https://evil.example',
    ]) {
      const answer = await fetch(`${login()}?${query}`, { redirect: 'manual' });
      const to = new URL(answer.headers.get('location') ?? service.url, service.url);
      expect([query, [new URL(provider.issuer).origin, service.url].includes(to.origin)]).toEqual([
        query,
        true,
      ]);
      expect(decodeURIComponent(to.href)).not.toContain('evil.example');
    }
    return 5;
  },
  'IDN-25': async () => {
    for (const line of [
      `GET /v1/goals/${callers.goalId}/delegates`,
      `GET /v1/goals?parent=${callers.goalId}`,
    ]) {
      const answer = await service.call(line, { as: callers.otherAgent });
      expect(answer.text).not.toMatch(/heliotrope/);
      expect(answer.status >= 400 || answer.body.items.length === 0).toBe(true);
    }
    expect(
      (
        await service.call('POST /v1/goals', {
          as: callers.otherAgent,
          body: plainGoal({ name: 'shop' }, { parentGoalId: callers.goalId }),
        })
      ).status,
    ).toBe(400);
    return 3;
  },
  'IDN-26': async () => 'played by test/store/ended-callers.test.ts (WHO-54)',
  'IDN-30': async () => 'played by test/store/rights.test.ts',
  'IDN-31': async () => 'played by test/store/rights.test.ts',
  'IDN-32': async () => 'played by test/store/rights.test.ts',
  'IDN-33': async () => 'played by test/store/rights.test.ts',
  'IDN-34': async () => 'played by test/store/rights.test.ts',
});

/** A claim of a goal that `starter` has, which none of these may grant; the admin may. */
async function approvals(starter: string, by: readonly string[]): Promise<number[]> {
  const calls = [reply.call('attempt_completion', { result: 'It is done.' })];
  const { goalId } = await service.play(calls, { criteria: [] }, starter);
  const { items } = (await service.call('GET /v1/approvals')).body;
  const { approvalId } = items.find((one: { goalId: string }) => one.goalId === goalId);
  const path = `POST /v1/goals/${goalId}/approvals/${approvalId}`;
  const seen: number[] = [];
  for (const as of by) {
    const approved = await service.call(path, { as, body: { decision: 'approve' } });
    expect(approved.body.code).toBe('approver_is_starter');
    const completed = await service.call(`POST /v1/goals/${goalId}/complete`, {
      as,
      body: { result: 'Mine.' },
    });
    expect(completed.body.code).toBe('approver_is_starter');
    seen.push(approved.status, completed.status);
  }
  expect((await service.call(path, { body: { decision: 'approve' } })).status).toBe(200);
  return seen;
}
