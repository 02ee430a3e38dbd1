import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { eventually } from '../support/eventually.ts';
import { freshNamespace } from '../support/namespaces.ts';
import {
  emptyDatabase,
  freshDatabase,
  type TestDatabase,
  temporalAddress,
} from '../support/servers.ts';
import { type Running, start } from './command-line.ts';

const closing: (() => unknown)[] = [];
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'goalkeeper-service-'));
  closing.push(() => rmSync(home, { recursive: true, force: true }));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function database(open: () => Promise<TestDatabase> = freshDatabase): Promise<TestDatabase> {
  const made = await open();
  closing.push(() => made.drop());
  return made;
}

function serve(part: 'api' | 'worker', environment: Record<string, string>): Running {
  const running = start([part], {
    GOALKEEPER_HOME: home,
    GOALKEEPER_PORT: '0',
    GOALKEEPER_SANDBOX: 'auto',
    GOALKEEPER_WORKFLOW_BUNDLE: process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '',
    TEMPORAL_ADDRESS: temporalAddress(),
    ...environment,
  });
  closing.push(() => {
    running.interrupt();
    return running.done;
  });
  return running;
}

const AT_ONCE = { GOALKEEPER_START_SECONDS: '0' };
const NOBODY = '127.0.0.1:1';
const portIn = (said: string): string => /"port":(\d+)/.exec(said)?.[1] ?? '';
const answerOf = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, body: (await answer.json()) as object };
};

describe('SERVE-5 an API that lacks something', () => {
  const part = 'api';

  test('names the database that nobody answers for, exit 1', async () => {
    const ran = await serve(part, { ...AT_ONCE, DATABASE_URL: `postgres://a:b@${NOBODY}/c` }).done;
    expect(ran).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`database c at ${NOBODY}`),
    });
  });

  test('names the migration that is missing and the command that applies it, exit 3', async () => {
    const { url } = await database(emptyDatabase);
    const ran = await serve(part, { ...AT_ONCE, DATABASE_URL: url }).done;
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toMatch(/lacks 0001_init.*Run "goalkeeper migrate"/);
  });

  test('does not wait for a database of a newer version, exit 3', async () => {
    const { url, ownerUrl } = await database();
    await withConnection(ownerUrl, (sql) =>
      sql.unsafe("UPDATE _prisma_migrations SET migration_name = '9999_later'"),
    );
    const ran = await serve(part, { DATABASE_URL: url }).done;
    expect(ran).toMatchObject({ exitCode: 3, err: expect.stringMatching(/9999_later.*newer/) });
  });

  test('names the address where no Temporal answers, exit 1', { tags: 'campaign' }, async () => {
    const { url } = await database();
    const ran = await serve(part, { ...AT_ONCE, DATABASE_URL: url, TEMPORAL_ADDRESS: NOBODY }).done;
    expect(ran.exitCode).toBe(1);
    expect(ran.err).toContain(`Temporal at ${NOBODY} doesn't answer`);
  });

  test('names the namespace that Temporal lacks, exit 3', async () => {
    const { url } = await database();
    const environment = { ...AT_ONCE, DATABASE_URL: url, TEMPORAL_NAMESPACE: 'nowhere' };
    const ran = await serve(part, environment).done;
    expect(ran).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining('no namespace "nowhere"'),
    });
  });
});

test('SERVE-6 an API waits for the migration; /readyz then names what a later one changed', async () => {
  const { url } = await database(emptyDatabase);
  const api = serve('api', { DATABASE_URL: url });
  await api.untilErr('waiting: The database lacks 0001_init');
  await migrate(url);
  const listening = /listens at (http:\S+)/.exec(await api.untilErr('listens at http:'))?.[1];
  await withConnection(url, (sql) =>
    sql.unsafe("UPDATE _prisma_migrations SET migration_name = '9999_later'"),
  );
  expect(await answerOf(`${listening}/readyz`)).toMatchObject({
    status: 503,
    body: {
      checks: { postgres: 'ok', schema: expect.stringMatching(/9999_later.*newer.*Upgrade/) },
    },
  });
  expect((await answerOf(`${listening}/healthz`)).status).toBe(200);
});

test('SERVE-7 a worker tells on its own port that it starts, works, and is told to stop', async () => {
  const { url } = await database();
  const namespace = 'made-later';
  const worker = serve('worker', {
    DATABASE_URL: url,
    TEMPORAL_NAMESPACE: namespace,
    GOALKEEPER_WORKER_HEALTH_PORT: '0',
  });
  const said = await worker.untilErr('waiting: Temporal at');
  const health = `http://127.0.0.1:${portIn(said)}`;
  expect(await answerOf(`${health}/healthz`)).toMatchObject({ status: 200 });
  expect(await answerOf(`${health}/readyz`)).toMatchObject({
    status: 503,
    body: { status: 'starting', waiting: expect.stringContaining(`no namespace "${namespace}"`) },
  });
  worker.interrupt();
  expect((await worker.done).exitCode).toBe(0);

  const second = serve('worker', {
    DATABASE_URL: url,
    TEMPORAL_NAMESPACE: await freshNamespace(),
    GOALKEEPER_WORKER_HEALTH_PORT: '0',
  });
  const port = portIn(await second.untilErr('health is answered'));
  await eventually(async () =>
    expect(await answerOf(`http://127.0.0.1:${port}/readyz`)).toMatchObject({
      status: 200,
      body: { checks: { polls: 'running', postgres: 'ok', temporal: 'ok' } },
    }),
  );
  const counted = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(counted).toContain('goalkeeper_turns_total');
  expect(counted).toMatch(
    /^temporal_worker_task_slots_available\{.*worker_type="ActivityWorker".*\} \d+$/m,
  );
  second.interrupt();
  expect((await second.done).exitCode).toBe(0);
});

test('SERVE-5 a worker names the namespace that Temporal lacks, exit 3', async () => {
  const { url } = await database();
  const environment = { ...AT_ONCE, DATABASE_URL: url, TEMPORAL_NAMESPACE: 'nowhere' };
  const named = expect.stringContaining('no namespace "nowhere"');
  expect(await serve('worker', environment).done).toMatchObject({ exitCode: 3, err: named });
});

test('SERVE-9 a worker without its bundle exits at once and names the file', {
  tags: 'campaign',
}, async () => {
  const { url } = await database();
  const bundle = join(home, 'bundle.js');
  const environment = { DATABASE_URL: url, GOALKEEPER_WORKFLOW_BUNDLE: bundle };
  const named = expect.stringContaining(`${bundle} can't be read`);
  expect(await serve('worker', environment).done).toMatchObject({ exitCode: 3, err: named });
  writeFileSync(bundle, '');
  expect(await serve('worker', environment).done).toMatchObject({ exitCode: 3, err: named });
});

test('SERVE-10 two workers on one health port: the second names it and exits', {
  tags: 'campaign',
}, async () => {
  const { url } = await database();
  const taken = serve('worker', {
    DATABASE_URL: url,
    TEMPORAL_NAMESPACE: 'never',
    GOALKEEPER_WORKER_HEALTH_PORT: '0',
  });
  const port = portIn(await taken.untilErr('health is answered'));
  const ran = await serve('worker', { DATABASE_URL: url, GOALKEEPER_WORKER_HEALTH_PORT: port })
    .done;
  expect(ran).toMatchObject({
    exitCode: 3,
    err: expect.stringMatching(/GOALKEEPER_WORKER_HEALTH_PORT.*EADDRINUSE/),
  });
});
