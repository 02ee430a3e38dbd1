import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOidc } from '../../src/oidc/provider.ts';
import { openBrowser } from '../support/browser.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { type OidcServer, startOidc } from '../support/oidc-server.ts';
import { identities, neverAsked } from './identities.ts';

const secret = 'secret-of-the-client-0000';
const accounts = { eve: { email: 'eve@shop.example', email_verified: true, groups: ['staff'] } };

let world: GoalWorld;
let provider: OidcServer;
beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidc({ url, secret, accounts });
  const settings = {
    ...{ issuer: provider.issuer, clientId: 'goalkeeper', url, roles: { staff: 'viewer' } },
  };
  world = await openGoalWorld({
    ...{ script: neverAsked, worker: false },
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

test('review: the code of a sign-in at the provider counts only in the browser that asked', async () => {
  provider.signInAs('eve');
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
});

test('review: a refused logout token stands in the security log', async () => {
  await fetch(`${world.url}/v1/oidc/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: 'forged' }).toString(),
  });
  const { items } = (await identities(world).as(TOKENS.admin)('GET /v1/security-log')).body;
  expect(items[0]).toMatchObject({ what: 'sign_in_refused', result: 'refused' });
});

test('review: requests of anybody do not keep the provider from telling of a logout', async () => {
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

test('review: logout works again after the provider was away at the first one', async () => {
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
