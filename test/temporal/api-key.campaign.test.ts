import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { ApiProblem } from '../../src/cli/client.ts';
import { assertNamespace } from '../../src/temporal/assert-namespace.ts';
import { start } from '../cli/command-line.ts';
import { startApiKeyProxy } from '../support/api-key-proxy.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { temporalAddress } from '../support/servers.ts';
import { createCertificates } from '../support/tls-proxy.ts';
import { waitUntil } from '../workflows/helpers.ts';

const KEY = 'key-of-this-service-7d1c';
const certificates = createCertificates();
const authority = certificates.authority('authority');
const server = certificates.signed('server', authority);
const tlsWith = (apiKey: string | null) => ({
  ...{ caFile: authority.certFile, client: null, serverName: null },
  apiKey,
});

let proxy: Awaited<ReturnType<typeof startApiKeyProxy>>;
beforeAll(async () => {
  proxy = await startApiKeyProxy(temporalAddress(), server, KEY);
});
afterAll(async () => {
  await proxy.close();
  certificates.remove();
});

async function openWorld(): Promise<GoalWorld> {
  const ask = reply.call('ask_user', { question: 'Which colour?' });
  const world = await openGoalWorld({
    script: sequence([ask, reply.call('finish', { result: 'Painted.' })]),
    temporal: { address: proxy.address, tls: tlsWith(KEY) },
  });
  onTestFinished(() => world.close());
  return world;
}

const doctor = ({ url, environment }: GoalWorld) =>
  start(['doctor'], { ...environment, GOALKEEPER_URL: url, GOALKEEPER_TOKEN: TOKENS.admin }).done;

test('SEC-21: with an API key, worker, API and doctor reach a Temporal that refuses each call without it', async () => {
  proxy.allow(KEY);
  const before = { ...proxy.seen };
  const world = await openWorld();
  const { goalId, pause } = await asked(world);
  const body = { questionId: pause?.questionId, text: 'Green.' };
  await world.client.send('POST', `/v1/goals/${goalId}/answers`, body);
  await world.until(goalId, ({ usage }) => usage.steps > 1);
  expect(await ready(world)).toBe('ok');
  expect((await doctor(world)).out).toMatch(/ok +temporal +answers/);
  expect(proxy.seen.refused).toBe(before.refused);
  expect(proxy.seen.admitted).toBeGreaterThan(before.admitted + 10);
});

test('SEC-22: a wrong key, and none, are named with the way out before anything starts', async () => {
  proxy.allow(KEY);
  for (const key of ['another-key', null]) {
    const temporal = { address: proxy.address, namespace: 'default', tls: tlsWith(key) };
    await expect(assertNamespace(temporal)).rejects.toMatchObject({
      name: 'TemporalNotReady',
      message: expect.stringContaining('refuses this service in the namespace "default"'),
      wayOut: expect.stringContaining('TEMPORAL_API_KEY'),
      isAway: false,
    });
  }
  const settings = {
    TEMPORAL_ADDRESS: proxy.address,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.certFile,
    TEMPORAL_API_KEY: 'another-key',
    GOALKEEPER_START_SECONDS: '1',
  };
  const world = await openWorld();
  const { exitCode, err, out } = await start(['worker'], { ...world.environment, ...settings })
    .done;
  expect(exitCode).toBe(3);
  expect(err + out).toContain('Correct TEMPORAL_API_KEY or its rights.');
  expect(err + out).not.toContain('another-key');
});

test('SEC-23: a key that ends while a goal waits is named by API and doctor, nothing is lost, and the goal goes on with it', async () => {
  proxy.allow(KEY);
  const world = await openWorld();
  const { goalId, pause } = await asked(world);
  proxy.allow('the-next-key');
  const body = { questionId: pause?.questionId, text: 'Green.' };
  const answer = () => world.client.send('POST', `/v1/goals/${goalId}/answers`, body);
  const refused = await answer().catch((error: unknown) => error);
  if (!(refused instanceof ApiProblem)) throw new Error('it was accepted');
  expect(refused.problem).toMatchObject({
    code: 'temporal_unavailable',
    problem: 'access_refused',
    detail: expect.stringContaining('Correct TEMPORAL_API_KEY'),
  });
  expect(await ready(world)).toBe('unavailable: access_refused');
  const { out, exitCode } = await doctor(world);
  expect(out).toMatch(/FAIL +temporal +unavailable: access_refused: .*Correct TEMPORAL_API_KEY/);
  expect(exitCode).not.toBe(0);
  proxy.allow(KEY);
  await waitUntil(() =>
    answer().then(
      () => true,
      () => null,
    ),
  );
  await world.until(goalId, ({ usage }) => usage.steps > 1);
});

test('SEC-24: a key that is refused for the namespace alone is named by readyz of API and worker, and by doctor', async () => {
  proxy.allow(KEY);
  const world = await openWorld();
  expect(await ready(world)).toBe('ok');
  const [worker] = world.workers;
  expect(await worker?.look()).toMatchObject({ temporal: true });
  proxy.admit(false);
  try {
    expect(await ready(world)).toBe('unavailable: access_refused');
    expect(await worker?.look()).toMatchObject({ temporal: false });
    const { out, exitCode } = await doctor(world);
    expect(out).toMatch(/FAIL +temporal +unavailable: access_refused: .*Correct TEMPORAL_API_KEY/);
    expect(exitCode).not.toBe(0);
  } finally {
    proxy.admit(true);
  }
  expect(await ready(world)).toBe('ok');
});

async function asked(world: GoalWorld) {
  const workspace = { path: await world.workspace({}) };
  const { goalId } = await world.start({ objective: 'Paint', workspace, criteria: [] });
  return await world.until(goalId, ({ status }) => status === 'paused');
}

async function ready({ url }: GoalWorld): Promise<string> {
  const answer = (await (await fetch(`${url}/readyz`)).json()) as { checks: { temporal: string } };
  return answer.checks.temporal;
}
