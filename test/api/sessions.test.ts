import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecret } from '../../src/api/session-cookie.ts';
import { createSessions } from '../../src/store/intake/sessions.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { type Identities, identities, neverAsked, openStream, twoShops } from './identities.ts';

let world: GoalWorld;
let as: Identities['as'];
let make: Identities['make'];
let shop: string;
let till: string;
beforeAll(async () => {
  // People's sessions count only where a provider is set; nobody asks this one.
  const provider = {
    ...{ issuer: 'https://id.example.com', clientId: 'goalkeeper' },
    ...{ url: 'https://goalkeeper.example.com', roles: { staff: 'viewer' } },
  };
  const environment = { GOALKEEPER_OIDC: JSON.stringify(provider) };
  world = await openGoalWorld({ script: neverAsked, worker: false, environment });
  ({ as, make } = identities(world));
  ({ shop, till } = await twoShops(world));
});
afterAll(() => world.close());

const admin = (line: string) => as(TOKENS.admin)(line);

/** A person who signed in at a provider; returns what the browser sends. */
async function browserOf(
  name: string,
  role: 'viewer' | 'operator' | 'admin',
  workspaces: string[] | null = null,
  secret = `${name}-secret`,
) {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  await createSessions(world.store, world.ledgerKeys).open({
    ...{ secretHash: hashOfSecret(secret), kind: 'session', tokenName: `oidc:${name}` },
    ...{ consoleHash: hashOfSecret('console'), seconds: 60 },
    identity: { role, workspaces, subject: name, sid: null, expiresAt },
  });
  return {
    cookie: `goalkeeper_session=${secret}`,
    origin: world.url,
    'x-goalkeeper-console': 'console',
  };
}

const namesIn = ({ body }: { body: { items: { name: string }[] } }) =>
  body.items.map(({ name }) => name).toSorted();

test('sessions of a person end at once, with their streams, and the log names who did it (WHO-52)', async () => {
  const ann = await browserOf('ann', 'operator');
  await browserOf('eve', 'operator');
  const stream = await openStream(world, ann);
  expect(stream.status).toBe(200);
  const listed = await admin('GET /v1/sessions');
  expect(listed.body.items).toMatchObject([
    { name: 'oidc:ann', role: 'operator', workspaces: null, signedInBy: 'provider' },
    { name: 'oidc:eve' },
  ]);
  expect(JSON.stringify(listed.body)).not.toMatch(/secret|hash|subject|sid/i);

  const ended = await admin('DELETE /v1/sessions/oidc%3Aann');
  expect(ended.body).toEqual({ name: 'oidc:ann', ended: 1 });
  await stream.ended;
  expect((await fetch(`${world.url}/v1/session`, { headers: ann })).status).toBe(401);
  expect(namesIn(await admin('GET /v1/sessions'))).toEqual(['oidc:eve']);
  const { items } = (await admin('GET /v1/security-log')).body;
  const entry = items.find(({ what }: { what: string }) => what === 'sign_out');
  expect(entry).toMatchObject({ what: 'sign_out', subject: 'oidc:ann', role: 'admin' });
  expect((await admin('DELETE /v1/sessions/oidc%3Aann')).body).toMatchObject({ status: 404 });
});

test('nobody sees or ends the sessions of those who may more (WHO-52)', async () => {
  const bound = await make({ name: 'bound', role: 'operator', workspaces: [shop] });
  await browserOf('root', 'admin');
  await browserOf('here', 'viewer', [shop]);
  await browserOf('there', 'viewer', [till]);
  const keeper = as(bound.token);
  expect(namesIn(await keeper('GET /v1/sessions'))).toEqual(['oidc:here']);
  for (const name of ['root', 'there']) {
    expect((await keeper(`DELETE /v1/sessions/oidc%3A${name}`)).status).toBe(404);
  }
  expect((await as(TOKENS.operator)('DELETE /v1/sessions/oidc%3Aroot')).status).toBe(404);
  // The same person once more, with less.
  await browserOf('root', 'viewer', [shop], 'root-again');
  expect((await keeper('DELETE /v1/sessions/oidc%3Aroot')).status).toBe(404);
  const roots = namesIn(await admin('GET /v1/sessions')).filter((name) => name === 'oidc:root');
  expect(roots).toHaveLength(2);
});

test('they are listed and ended on the command line (WHO-52)', async () => {
  const environment = { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin };
  await browserOf('cli', 'viewer');
  const listed = await start(['session', 'list'], environment).done;
  expect(listed.out).toMatch(/oidc:cli viewer · all workspaces · by the provider since/);
  const ended = await start(['session', 'end', 'oidc:cli'], environment).done;
  expect(ended).toMatchObject({ exitCode: 0, out: 'oidc:cli: 1 ended\n' });
});
