import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
