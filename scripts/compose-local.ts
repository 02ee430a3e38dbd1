// `npm run test:production`: the services of docker-compose.yml as processes of this machine, by their
// own commands, settings and healthchecks, with the full Temporal server on PostgreSQL; one goal goes
// through them to a proven end while a worker is killed, and 24 while PostgreSQL moves to a replica. Needs Go, PostgreSQL and a build (`dist`).
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { assistantMessages, objectiveOf, reply, type Script } from '../demo/script.ts';
import { startScriptedModel } from '../demo/scripted-server.ts';
import { readCompose } from './compose/file.ts';
import { MAIN } from './compose/image.ts';
import { furnish, makeFolder, PERSON, type Place, placeOf } from './compose/place.ts';
import { isOver } from './compose/process.ts';
import { localPrograms } from './compose/programs.ts';
import { type Replica, replicaOf } from './compose/replica.ts';
import { type LocalStack, localStack } from './compose/stack.ts';

const COMPOSE = fileURLToPath(new URL('../docker-compose.yml', import.meta.url));
/** Part of an objective: goals that leave a trace for each time they ran. */
const EFFECT = 'Leave a trace.';
const run = promisify(execFile);
const started = performance.now();

const say = (text: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);

const secret = (): string => randomBytes(16).toString('hex');

function variablesWith(modelUrl: string): Record<string, string> {
  const secrets = ['POSTGRES', 'OWNER', 'WRITER', 'READER', 'TEMPORAL'].map((name) => [
    `${name}_PASSWORD`,
    secret(),
  ]);
  return {
    ...Object.fromEntries(secrets),
    GOALKEEPER_LEDGER_KEY: secret(),
    GOALKEEPER_SEALED_KEYS: secret(),
    GOALKEEPER_TEMPORAL_KEYS: secret(),
    GOALKEEPER_TOKENS: `operator:${secret()}`,
    GOALKEEPER_MODEL: 'compatible/scripted',
    OPENAI_COMPATIBLE_BASE_URL: modelUrl,
    OPENAI_COMPATIBLE_API_KEY: 'none-needed',
  };
}

/** Mends the program, and says so once it is mended. */
const script =
  (onWritten: () => Promise<void>): Script =>
  async (request) => {
    const said = assistantMessages(request) - (objectiveOf(request).includes(EFFECT) ? 1 : 0);
    if (said === -1) return reply.call('run_command', { command: 'echo done >> effect.log' });
    if (said === 0) {
      return reply.call('write_file', {
        path: 'sum.mjs',
        content: 'export const sum = (a, b) => a + b;\n',
      });
    }
    if (said === 1) await onWritten();
    return reply.call('attempt_completion', { result: 'The sum is right.' });
  };

function makeWorkspace(folder: string): void {
  const files = {
    'sum.mjs': 'export const sum = (a, b) => a - b;\n',
    'check.mjs':
      "import { strict as assert } from 'node:assert';\nimport { sum } from './sum.mjs';\nassert.equal(sum(20, 22), 42);\n",
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    if (PERSON !== null) chownSync(join(folder, name), PERSON.uid, PERSON.gid);
  }
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
  say(`✓ ${what}`);
}

/** The process of a worker, by what its health port's owner wrote into the record. */
async function killWorker(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const [row] = await sql`SELECT pid FROM worker ORDER BY slices DESC, seen_at DESC LIMIT 1`;
  await sql.end();
  process.kill(Number(row?.pid), 'SIGKILL');
  say(`killed the worker with the pid ${row?.pid}`);
}

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'goalkeeper-production-'));
  let onWritten = async () => {};
  const model = await startScriptedModel({ script: script(() => onWritten()) });
  const variables = variablesWith(model.url);
  const given = readCompose(COMPOSE, variables);
  const place = await placeOf(given, root);
  furnish(given, place);
  makeWorkspace(place.path('/workspace'));
  const version = /:(.+)$/.exec(given.services.temporal?.image ?? '')?.[1] ?? '';
  const programs = await localPrograms(join(root, 'bin'), version);
  const replica = await replicaOf(given, place, programs);
  const { file } = replica;
  const stack = localStack(file, place, programs);
  let isOver_ = false;
  const interrupted = () =>
    void Promise.all([stack.down(), replica.stop()]).finally(() => process.exit(130));
  process.once('SIGINT', interrupted);
  try {
    await play(stack, place.port(7420), place.text(ownerUrl(file)), variables, (act) => {
      onWritten = act;
    });
    await playFailover({ stack, place, replica, variables, model });
    isOver_ = true;
  } finally {
    const all = Object.keys(file.services).map((name) => [name, stack.process(name)] as const);
    await stack.down();
    await replica.stop();
    await model.close();
    process.removeListener('SIGINT', interrupted);
    const left = all.filter(([, child]) => child && !isOver(child));
    if (isOver_) {
      expect(left.length === 0, 'every process has ended');
      rmSync(root, { recursive: true, force: true });
    } else say(`logs are in ${join(root, 'logs')}`);
  }
}

const ownerUrl = ({ services }: ReturnType<typeof readCompose>): string =>
  services.migrate?.environment?.OWNER_DATABASE_URL ?? '';

async function play(
  stack: LocalStack,
  port: number,
  database: string,
  variables: Record<string, string>,
  whenWritten: (act: () => Promise<void>) => void,
): Promise<void> {
  for (const name of ['api', 'worker']) {
    await stack.start(name);
    say(`${name} runs`);
  }
  for (const name of ['api', 'worker']) await stack.untilHealthy(name);
  say('api and both workers are ready');
  let isKilled = false;
  whenWritten(async () => {
    if (isKilled) return;
    isKilled = true;
    await killWorker(database);
  });
  const environment = {
    ...process.env,
    GOALKEEPER_URL: `http://127.0.0.1:${port}`,
    GOALKEEPER_TOKEN: variables.GOALKEEPER_TOKENS?.split(':')[1] ?? '',
  };
  const goalkeeper = (...args: string[]) =>
    run(process.execPath, [MAIN, ...args], { env: environment });
  const asked = [
    'run',
    'Make the sum right.',
    '--criterion',
    'node check.mjs',
    '--change',
    'sum.mjs',
  ];
  const ran = await goalkeeper(...asked, '--workspace-name', 'main');
  const [goalId = ''] = /g-[0-9a-f]{16}/.exec(ran.stdout + ran.stderr) ?? [];
  const { status, completion } = JSON.parse((await goalkeeper('show', goalId, '--json')).stdout);
  expect(isKilled, 'a worker was killed in the middle of the turn');
  expect(status === 'complete', `the goal ${goalId} is complete`);
  expect(completion?.verification === 'verified', 'and proven');
  const verified = await goalkeeper('ledger', 'verify', goalId);
  expect(/holds/.test(verified.stdout), `its ledger holds: ${verified.stdout.trim()}`);
  await stack.untilHealthy('worker');
  await countConnections(database);
  for (const job of ['temporal-schema', 'temporal-namespace', 'migrate']) await stack.again(job);
  expect(true, 'the jobs of a second start change nothing and succeed');
  expect(await stack.isHealthy('api'), 'the API is ready after them');
}

const LANES = 4;
const GOALS_A_LANE = 6;

interface Failover {
  readonly stack: LocalStack;
  readonly place: Place;
  readonly replica: Replica;
  readonly variables: Record<string, string>;
  readonly model: { readonly requests: readonly unknown[] };
}

/** Goals follow each other in some folders while PostgreSQL moves to its replica. */
async function playFailover({ stack, place, replica, variables, model }: Failover): Promise<void> {
  await replica.start(variables.POSTGRES_PASSWORD ?? '');
  say('the replica streams, and each commit waits for it');
  const api = `http://127.0.0.1:${place.port(7420)}`;
  const headers = {
    authorization: `Bearer ${variables.GOALKEEPER_TOKENS?.split(':')[1]}`,
    'content-type': 'application/json',
  };
  const ask = async (path: string, body?: unknown, key = '') => {
    for (;;) {
      const answer = await fetch(`${api}${path}`, {
        headers: { ...headers, ...(body ? { 'idempotency-key': key } : {}) },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      });
      const said = await answer.json();
      if (answer.ok) return said;
      if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(said)}`);
      refused += 1;
      await sleep(200);
    }
  };
  let refused = 0;
  let ended = 0;
  const before = model.requests.length;
  const lane = async (_: unknown, index: number) => {
    for (let round = 0; round < GOALS_A_LANE; round += 1) {
      const path = place.path(`/lanes/lane-${index}-${round}`);
      makeFolder(path, 'node');
      makeWorkspace(path);
      const wanted = {
        objective: `Make the sum right. ${EFFECT}`,
        criteria: [{ kind: 'command', command: 'node check.mjs' }],
        scope: { change: ['sum.mjs', 'effect.log'] },
        workspace: { path },
      };
      const { goalId } = await ask('/v1/goals', wanted, randomBytes(8).toString('hex'));
      for (;;) {
        const goal = await ask(`/v1/goals/${goalId}`);
        if (goal.status === 'complete' && goal.completion.verification === 'verified') break;
        if (goal.status !== 'active') throw new Error(`${goalId} is ${JSON.stringify(goal)}`);
        await sleep(200);
      }
      const effects = readFileSync(join(path, 'effect.log'), 'utf8').trim().split('\n').length;
      const { items } = await ask(`/v1/goals/${goalId}/ledger?limit=200`);
      const unknown = items.filter(({ outcome }: { outcome: string }) => outcome === 'unknown');
      if (effects > 1 + unknown.length) throw new Error(`${goalId}: ${effects} effects`);
      ended += 1;
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  while (ended < LANES) await Promise.race([sleep(100), lanes]);
  const at = performance.now();
  const primary = stack.process('postgres');
  if (primary === undefined) throw new Error('no PostgreSQL');
  await replica.failOver(primary);
  say(`PostgreSQL was killed and its replica promoted, after ${ended} goals`);
  const then = ended;
  while (ended === then) await Promise.race([sleep(50), lanes]);
  say(`the next goal was proven ${((performance.now() - at) / 1000).toFixed(1)} s after the kill`);
  await lanes;
  expect(ended === LANES * GOALS_A_LANE, `${ended} goals are proven, each effect once`);
  expect(refused > 0, `the API said 503 ${refused} times meanwhile`);
  const asked = model.requests.length - before;
  say(`the model was asked ${asked} times for ${ended * 3} answers`);
  for (const name of ['api', 'worker']) await stack.untilHealthy(name);
}

async function countConnections(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const rows = await sql`
    SELECT datname AS who, numbackends AS count FROM pg_stat_database
    WHERE numbackends > 0 AND datname IS NOT NULL ORDER BY 1`;
  const [limit] = await sql`SELECT current_setting('max_connections')::int AS most`;
  await sql.end();
  const count = rows.reduce((sum, row) => sum + Number(row.count), 0);
  const each = rows.map((row) => `${row.who} ${row.count}`).join(', ');
  expect(count < limit?.most, `${count} of ${limit?.most} connections (${each})`);
}

readFileSync(MAIN);
await main();
