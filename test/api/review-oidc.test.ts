import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('review: a refused logout token stands in the security log', async () => {
  await fetch(`${world.url}/v1/oidc/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: 'forged' }).toString(),
  });
  const { items } = (await identities(world).as(TOKENS.admin)('GET /v1/security-log')).body;
  expect(items[0]).toMatchObject({ what: 'sign_in_refused', result: 'refused' });
});
