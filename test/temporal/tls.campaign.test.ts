import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { ApiProblem } from '../../src/cli/client.ts';
import type { TemporalTls } from '../../src/contract/temporal-tls.ts';
import { diagnoseTls } from '../../src/temporal/diagnose-tls.ts';
import { connectNative } from '../../src/temporal/native-connection.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { installRuntime } from '../support/runtime.ts';
import { temporalAddress } from '../support/servers.ts';
import { createCertificates, type Pair, startTlsProxy } from '../support/tls-proxy.ts';
import { waitUntil } from '../workflows/helpers.ts';

const certificates = createCertificates();
const authority = certificates.authority('authority');
const server = certificates.signed('server', authority);
const client = certificates.signed('client', authority);
const tls: TemporalTls = { caFile: authority.certFile, client, serverName: null, apiKey: null };

let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
beforeAll(async () => {
  installRuntime();
  proxy = await startTlsProxy(temporalAddress(), server, authority);
});
afterAll(async () => {
  await proxy.close();
  certificates.remove();
});

test('SEC-18: what stands between is told by its name, by the diagnosis and by a worker that starts', async () => {
  const other = certificates.authority('other');
  const expired = certificates.signed('expired', authority, -1);
  const late = await startTlsProxy(temporalAddress(), expired, authority);
  const problems: [string, TemporalTls, string][] = [
    ['server_certificate_untrusted', { ...tls, caFile: other.certFile }, proxy.address],
    ['client_certificate_refused', { ...tls, client: null }, proxy.address],
    [
      'client_certificate_refused',
      { ...tls, client: certificates.signed('x', other) },
      proxy.address,
    ],
    ['client_certificate_expired', { ...tls, client: expired }, proxy.address],
    ['certificate_unreadable', { ...tls, caFile: join(client.certFile, 'none') }, proxy.address],
    [
      'certificate_unreadable',
      { ...tls, client: { ...client, keyFile: server.keyFile } },
      proxy.address,
    ],
    ['server_certificate_expired', tls, late.address],
    ['server_name_differs', { ...tls, serverName: 'elsewhere' }, proxy.address],
    ['no_tls', tls, temporalAddress()],
  ];
  for (const [problem, settings, address] of problems) {
    expect((await diagnoseTls(address, settings))?.problem).toBe(problem);
    const started = connectNative({ address, namespace: 'default', tls: settings });
    await expect(started).rejects.toMatchObject({ name: 'TemporalTlsError', problem });
  }
  expect(await diagnoseTls(proxy.address, tls)).toBe(null);
  await late.close();
});

test('SEC-19: certificates that change while goals run are told by name, nothing is lost, and the goal goes on after the mend', async () => {
  const held = certificates.signed('held', authority);
  const ca = certificates.authority('held-authority');
  copyFileSync(authority.certFile, ca.certFile);
  const ask = reply.call('ask_user', { question: 'Which colour?' });
  const done = reply.call('finish', { result: 'Painted.' });
  const world: GoalWorld = await openGoalWorld({
    script: sequence([ask, done]),
    temporal: { address: proxy.address, tls: { ...tls, caFile: ca.certFile, client: held } },
  });
  try {
    const path = await world.workspace({});
    const workspace = { path };
    const { goalId } = await world.start({ objective: 'Paint', workspace, criteria: [] });
    const { pause, usage } = await world.until(goalId, ({ status }) => status === 'paused');
    expect(usage.steps).toBe(1);
    const next = certificates.authority('next');
    proxy.change(certificates.signed('next-server', next), next);
    const body = { questionId: pause?.questionId, text: 'Green.' };
    const answer = () => world.client.send('POST', `/v1/goals/${goalId}/answers`, body);
    const refused = await waitUntil(() =>
      answer().then(
        () => Promise.reject(new Error('it was accepted')),
        (error: unknown) =>
          error instanceof ApiProblem && error.problem.problem !== undefined ? error.problem : null,
      ),
    );
    expect(refused).toMatchObject({
      code: 'temporal_unavailable',
      problem: 'server_certificate_untrusted',
    });
    const ready = await (await fetch(`${world.url}/readyz`)).json();
    expect(ready).toMatchObject({
      checks: { temporal: 'unavailable: server_certificate_untrusted' },
    });
    const fresh = certificates.signed('fresh', next);
    copyFileSync(next.certFile, ca.certFile);
    copyFileSync(fresh.certFile, held.certFile);
    copyFileSync(fresh.keyFile, held.keyFile);
    await waitUntil(
      () =>
        answer().then(
          () => true,
          () => null,
        ),
      60_000,
    );
    await world.until(goalId, ({ usage }) => usage.steps > 1, 60_000);
  } finally {
    await world.close();
  }
});

test('SEC-28: a certificate that ends while a goal waits is told by API and worker, nothing is lost, and the goal goes on after the mend', async () => {
  const [own, good, over] = [
    certificates.signed('waiting', authority),
    certificates.signed('waiting-good', authority),
    certificates.signed('waiting-over', authority, -1),
  ];
  const give = ({ certFile, keyFile }: Pair, trusted: Pair) => {
    copyFileSync(certFile, own.certFile);
    copyFileSync(keyFile, own.keyFile);
    proxy.change(server, trusted);
  };
  // What is held was valid a moment ago, so the server has to refuse it as one that ended.
  const nobody = certificates.authority('nobody');
  const ends = [
    {
      problem: 'server_certificate_expired',
      end: () => proxy.change(certificates.signed('server-over', authority, -1), authority),
      mend: () => proxy.change(server, authority),
    },
    {
      problem: 'client_certificate_expired',
      end: () => give(over, nobody),
      mend: () => give(good, authority),
    },
  ];
  proxy.change(server, authority);
  const logged: string[] = [];
  const ask = reply.call('ask_user', { question: 'Which colour?' });
  const world = await openGoalWorld({
    script: sequence([ask, ask, reply.call('finish', { result: 'Painted.' })]),
    temporal: { address: proxy.address, tls: { ...tls, client: own } },
    log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  });
  onTestFinished(() => world.close());
  const workspace = { path: await world.workspace({}) };
  const { goalId } = await world.start({ objective: 'Paint', workspace, criteria: [] });
  let steps = 0;
  for (const { problem, end, mend } of ends) {
    const waiting = ({ status, usage }: Goal) => status === 'paused' && usage.steps > steps;
    const { pause, usage } = await world.until(goalId, waiting);
    steps = usage.steps;
    end();
    const body = { questionId: pause?.questionId, text: 'Green.' };
    const answer = () => world.client.send('POST', `/v1/goals/${goalId}/answers`, body);
    const refused = await waitUntil(() =>
      answer().then(
        () => Promise.reject(new Error('it was accepted')),
        (error: unknown) => (error instanceof ApiProblem ? error.problem : null),
      ),
    );
    expect(refused).toMatchObject({ code: 'temporal_unavailable', problem });
    await waitUntil(() => logged.some((line) => JSON.parse(line).problem === problem));
    expect(await (await fetch(`${world.url}/readyz`)).json()).toMatchObject({
      checks: { temporal: `unavailable: ${problem}` },
    });
    expect((await world.get(goalId)).usage.steps).toBe(steps);
    mend();
    await waitUntil(
      () =>
        answer().then(
          () => true,
          () => null,
        ),
      60_000,
    );
  }
  await world.until(goalId, ({ usage }) => usage.steps > steps, 60_000);
});
