import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SecurityEntry } from '../../schema/security-log.ts';
import { hashOfSecret, newSecret } from '../../src/api/session-cookie.ts';
import { createOidc } from '../../src/oidc/provider.ts';
import { createSessions } from '../../src/store/intake/sessions.ts';
import { openBrowser } from '../support/browser.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { ID_TOKEN_LIVES, type OidcServer, startOidc } from '../support/oidc-server.ts';
import { identities, neverAsked, openStream } from './identities.ts';

const secret = 'secret-of-the-client-0000';
const accounts = {
  ann: { email: 'ann@shop.example', email_verified: true, groups: ['staff', 'leads'] },
  ben: { email: 'ben@shop.example', email_verified: true, groups: ['staff'] },
  eve: { email: 'ann@shop.example', email_verified: false, groups: ['leads'] },
  kim: { email: 'kim@shop.example', email_verified: true, groups: ['staff', 'till', 'desk'] },
  joe: { email: 'joe@shop.example', email_verified: true, groups: ['guests'] },
};

let world: GoalWorld;
let provider: OidcServer;
beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidc({ url, secret, accounts });
  const settings = {
    ...{ issuer: provider.issuer, clientId: 'goalkeeper', url },
    roles: {
      leads: 'operator',
      staff: 'viewer',
      till: { role: 'operator', workspaces: ['till'] },
      desk: { role: 'operator', workspaces: ['desk', 'till'] },
    },
  };
  world = await openGoalWorld({
    script: neverAsked,
    worker: false,
    environment: {
      GOALKEEPER_PORT: String(port),
      GOALKEEPER_OIDC: JSON.stringify(settings),
      GOALKEEPER_OIDC_SECRET: secret,
    },
  });
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isOurs = (url: string) => url.startsWith(`${world.url}/signin#`);
const isBack = (url: string) => url.startsWith(`${world.url}/v1/oidc/callback`);
const loginPage = () => `${world.url}/v1/oidc/login`;

/** Through the provider and back, up to the console's own page. */
async function arrive(account: keyof typeof accounts) {
  provider.signInAs(account);
  const browser = openBrowser();
  return { browser, at: await browser.follow(loginPage(), isOurs) };
}

async function signIn(account: keyof typeof accounts) {
  const { browser, at } = await arrive(account);
  const code = new URLSearchParams(new URL(at).hash.slice(1)).get('code');
  const answer = await browser.go(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const session = (await answer.json()) as Record<string, string>;
  const own = () => ({
    origin: world.url,
    cookie: browser.cookie(world.url),
    'x-goalkeeper-console': session.consoleSecret ?? '',
  });
  return { browser, session, own };
}

describe('sign-in at a provider', () => {
  test('opens a session in the name and role that the claims give, until they end (WHO-17)', async () => {
    const before = Date.now();
    const ann = await signIn('ann');
    expect(ann.session).toMatchObject({ name: 'oidc:ann@shop.example', role: 'operator' });
    const lives = Date.parse(ann.session.expiresAt ?? '') - before;
    expect(lives / 1000).toBeGreaterThan(ID_TOKEN_LIVES - 60);
    expect(lives / 1000).toBeLessThan(ID_TOKEN_LIVES + 60);
    expect((await signIn('ben')).session).toMatchObject({
      ...{ name: 'oidc:ben@shop.example', role: 'viewer' },
    });
    const { as } = identities(world);
    const { items } = (await as(TOKENS.admin)('GET /v1/security-log')).body;
    expect(items[1]).toMatchObject({ who: 'oidc:ann@shop.example', what: 'sign_in' });
    expect((await as(TOKENS.admin)('GET /v1/session/methods')).body).toEqual({
      oidc: provider.issuer,
    });
  });

  test('binds people of a team to its workspaces, and lets them see goals there alone (WHO-20)', async () => {
    const { as } = identities(world);
    const { body: goal } = await as(TOKENS.admin)('POST /v1/goals', {
      ...{ objective: 'go', criteria: [{ kind: 'command', command: 'true' }] },
      workspace: { path: await world.workspace({}) },
    });
    const kim = await signIn('kim');
    expect(kim.session).toMatchObject({ role: 'operator', workspaces: ['till', 'desk'] });
    const status = (path: string, headers: Record<string, string>) =>
      fetch(world.url + path, { headers }).then((answer) => answer.status);
    const path = `/v1/goals/${goal.goalId}`;
    expect(await status(path, kim.own())).toBe(404);
    expect(await status(path, (await signIn('ben')).own())).toBe(200);
    expect(await status('/v1/spend', kim.own())).toBe(403);
  });

  test('lets in nobody without a role, nor by an address that is not verified (WHO-17)', async () => {
    for (const account of ['joe', 'eve'] as const) {
      expect((await arrive(account)).at).toBe(`${world.url}/signin#refused=forbidden`);
    }
  });

  test('believes an answer only in the browser that asked, once, and unchanged (WHO-18)', async () => {
    provider.signInAs('ann');
    const ann = openBrowser();
    const back = await ann.follow(loginPage(), isBack);
    const refused = `${world.url}/signin#refused=unauthorized`;
    // Another browser, without an attempt and with one of its own.
    expect(await openBrowser().follow(back, isOurs)).toBe(refused);
    const mallory = openBrowser();
    await mallory.go(loginPage());
    expect(await mallory.follow(back, isOurs)).toBe(refused);
    const cookie = ann.cookie(world.url);
    expect(await ann.follow(back, isOurs)).toContain('#code=');
    const again = await fetch(back, { redirect: 'manual', headers: { cookie } });
    expect(again.headers.get('location')).toBe('/signin#refused=unauthorized');
    const other = openBrowser();
    const changed = new URL(await other.follow(loginPage(), isBack));
    changed.searchParams.set('iss', 'https://evil.example');
    expect(await other.follow(changed.href, isOurs)).toBe(refused);
  });

  test("ends with the provider's logout, at once and with its streams (WHO-19)", async () => {
    const ann = await signIn('ann');
    const ben = await signIn('ben');
    const stream = await openStream(world, ann.own());
    expect(stream.status).toBe(200);
    const page = await (await ann.browser.go(`${provider.issuer}/session/end`)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await ann.browser.go(`${provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    });
    await stream.ended;
    const session = ({ own }: typeof ann) =>
      fetch(`${world.url}/v1/session`, { headers: own() }).then(({ status }) => status);
    expect([await session(ann), await session(ben)]).toEqual([401, 200]);
  });

  test('ends by no logout token that the provider did not sign (WHO-19)', async () => {
    const ben = await signIn('ben');
    const forged = await new SignJWT({
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(provider.issuer)
      .setAudience('goalkeeper')
      .setSubject('ben')
      .setIssuedAt()
      .sign(new TextEncoder().encode(secret));
    for (const token of [forged, 'none', '']) {
      const answer = await fetch(`${world.url}/v1/oidc/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
      expect(answer.status).toBe(401);
    }
    expect((await fetch(`${world.url}/v1/session`, { headers: ben.own() })).status).toBe(200);
    // Forms of other sites reach nothing else.
    const form = await fetch(`${world.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'token=x',
    });
    expect(form.status).toBe(400);
  });
});

test('a logout that names session and person ends sessions that know no session id (WHO-40)', async () => {
  const sessions = createSessions(world.store, world.ledgerKeys);
  const secretHash = hashOfSecret(newSecret());
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await sessions.open({
    ...{ secretHash, kind: 'session', tokenName: 'oidc:ann', consoleHash: null, seconds: 60 },
    identity: { role: 'viewer', workspaces: null, subject: 'ann', sid: null, expiresAt },
  } as never);
  await sessions.endIdentity({ sid: 's-1', subject: 'ann' });
  expect(await sessions.find(secretHash)).toBeNull();
});

test('logout works again after the provider was away at the first one (WHO-41)', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  let isAway = true;
  const server = createServer((request, answer) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (isAway) return void answer.writeHead(503).end();
    const isKeys = request.url === '/jwks';
    const document = isKeys
      ? { keys: [jwk] }
      : {
          issuer,
          ...{ authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t` },
          ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'] },
        };
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oidc = createOidc(
    {
      ...{ issuer, clientId: 'goalkeeper', url: 'http://127.0.0.1:1', scope: 'openid' },
      ...{ nameClaim: 'email', roleClaim: 'groups', roles: {} },
    } as never,
    null,
  );
  const token = await new SignJWT({
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer)
    .setAudience('goalkeeper')
    .setSubject('ann')
    .setIssuedAt()
    .sign(privateKey);
  await expect(oidc.loggedOut(token)).rejects.toThrow(/does not answer/);
  isAway = false;
  // Sign-in finds the provider again; so should its logout.
  await oidc.begin();
  const outcome = await oidc.loggedOut(token).catch((error: Error) => error.message);
  server.close();
  expect(outcome).toEqual({ subject: 'ann', sid: null });
});

test('requests of anybody do not keep the provider from telling of a logout (WHO-42)', async () => {
  const tell = () =>
    fetch(`${world.url}/v1/oidc/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: 'forged' }).toString(),
    }).then(({ status }) => status);
  const statuses: number[] = [];
  for (let n = 0; n < 62; n += 1) statuses.push(await tell());
  expect(statuses).not.toContain(429);
});

test('the code of a sign-in at the provider counts only in the browser that asked (WHO-44)', async () => {
  provider.signInAs('ann');
  const eve = openBrowser();
  const at = await eve.follow(`${world.url}/v1/oidc/login`, (to) =>
    to.startsWith(`${world.url}/signin#`),
  );
  // Eve sends the address to somebody else, whose browser then works in her name.
  const code = new URLSearchParams(new URL(at).hash.slice(1)).get('code');
  const victim = await openBrowser().go(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(victim.status).toBe(401);
  const own = await eve.go(`${world.url}/v1/session`, {
    method: 'POST',
    headers: { origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(own.status).toBe(200);
});

test('a refused logout token stands in the security log (WHO-47)', async () => {
  await fetch(`${world.url}/v1/oidc/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: 'forged' }).toString(),
  });
  const { items } = (await identities(world).as(TOKENS.admin)('GET /v1/security-log')).body;
  // The same refusal is told once a minute.
  const entry = items.find(({ subject }: SecurityEntry) => subject === 'POST /v1/oidc/logout');
  expect(entry).toMatchObject({ what: 'sign_in_refused', result: 'refused' });
});
