import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { MAIN } from '../compose/image.ts';
import { accountOf } from './account.ts';
import { makeNextBuild, NEXT_VERSION } from './next-build.ts';
import { killBusyWorker, LANES, laneOf, type Stage } from './stage.ts';
import type { Going } from './traffic.ts';
import { FILE_TO_WAIT_FOR, prepare, writeOwn } from './work.ts';

const run = promisify(execFile);
const started = performance.now();

export const say = (text: string): void =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);

export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
  say(`✓ ${what}`);
}

const MOVING_AND_THREE = [...LANES.moving, 'three'];
/** No replaced worker hands these over. */
const STAYING = ['five', 'three'];

const lanesOf = ({ place }: Stage, names: readonly string[]) =>
  names.map((name) => laneOf(place, name));

/** The file as it is, and a worker that dies in the middle of a turn. */
export async function playWorker(stage: Stage): Promise<void> {
  const { stack, place, token } = stage;
  // The first host has its workspaces before the second one asks for them.
  for (const name of ['api', 'worker', 'worker-2']) {
    await stack.start(name);
    await stack.untilHealthy(name);
    say(`${name} is ready`);
  }
  say('the API and three workers on two hosts are ready');
  const killed = stage.whenWritten(
    () => true,
    () => killBusyWorker(stage),
  );
  const number = 0;
  prepare({ ...laneOf(place, 'main'), number, isWaiting: false });
  const url = `http://127.0.0.1:${place.port(7420)}`;
  const environment = { ...process.env, GOALKEEPER_URL: url, GOALKEEPER_TOKEN: token };
  const goalkeeper = (...args: string[]) =>
    run(process.execPath, [MAIN, ...args], { env: environment });
  const asked = ['run', `Make sum ${number} right.`, '--criterion', `node check-${number}.mjs`];
  for (const file of [`sum-${number}.mjs`, `effect-${number}.log`]) asked.push('--change', file);
  const ran = await goalkeeper(...asked, '--workspace-name', 'main');
  const [goalId = ''] = /g-[0-9a-f]{16}/.exec(ran.stdout + ran.stderr) ?? [];
  const { status, completion } = JSON.parse((await goalkeeper('show', goalId, '--json')).stdout);
  await killed;
  expect(true, 'a worker was killed in the middle of the turn');
  expect(status === 'complete', `the goal ${goalId} is complete`);
  expect(completion?.verification === 'verified', 'and proven');
  const verified = await goalkeeper('ledger', 'verify', goalId);
  expect(/holds/.test(verified.stdout), `its ledger holds: ${verified.stdout.trim()}`);
  await stack.untilHealthy('worker');
  await countConnections(stage.database);
  for (const job of ['temporal-schema', 'temporal-namespace', 'migrate']) await stack.again(job);
  expect(true, 'the jobs of a second start change nothing and succeed');
  expect(await stack.isHealthy('api'), 'the API is ready after them');
}

/** The first host loses its power while goals go; the second one takes its workspaces up. */
export async function playHosts(stage: Stage): Promise<void> {
  const { stack, first, goals, service } = stage;
  const traffic = goals.follow(lanesOf(stage, MOVING_AND_THREE));
  for (const name of MOVING_AND_THREE) await traffic.untilMore(1, [name]);
  say(`goals go on both hosts, ${traffic.proven()} are proven`);
  let hit: Going | undefined;
  expect(
    (await poolOf(
      stage,
      goals.all.findLast(({ workspace }) => workspace === 'one'),
    )) === 'goalkeeper',
    'the first host serves its own',
  );
  await stage.whenWritten(
    (goalId) => {
      hit = goals.all.find((goal) => goal.goalId === goalId);
      return LANES.moving.some((name) => name === hit?.workspace);
    },
    async () => {
      await stack.cutOff('worker');
      goals.loseOriginals(LANES.moving);
    },
  );
  say(`a goal in ${hit?.workspace} was about to claim, which ${await poolOf(stage, hit)} served`);
  const { all, open } = await sessionsOf(stage);
  say(`the first host is gone, and left ${all} sessions, ${open} in a transaction`);
  const other = await traffic.untilMore(1, ['three']);
  say(`the second host proved the next of its own ${other.toFixed(1)} s later`);
  for (const name of LANES.moving) await traffic.untilMore(2, [name]);
  const now = await poolOf(stage, hit);
  expect(now === 'second', 'the second host took the workspaces up, with the goals in them');
  const { completion } = await service.ask(`/v1/goals/${hit?.goalId}`);
  expect(
    completion.verification === 'accepted_by_person',
    'the one that was about to claim asked a person, as its original was gone with the host',
  );
  const left = await sessionsOf(stage);
  expect(left.all === 0, 'PostgreSQL has ended the sessions of the host that said no goodbye');
  first.join();
  await stack.start('worker');
  await stack.untilHealthy('worker');
  await traffic.untilMore(2);
  await traffic.stop();
  expect(true, `the first host is back, ${traffic.proven()} goals are proven`);
}

/** PostgreSQL moves to its replica while goals go. */
export async function playFailover(stage: Stage): Promise<void> {
  const { stack, replica, variables, goals, service } = stage;
  await replica.start(variables.POSTGRES_PASSWORD ?? '');
  say('the replica streams, and each commit waits for it');
  const traffic = goals.follow(lanesOf(stage, STAYING));
  await traffic.untilMore(3);
  const primary = stack.process('postgres');
  if (primary === undefined) throw new Error('no PostgreSQL');
  const refused = service.refused();
  await replica.failOver(primary);
  say(`PostgreSQL was killed and its replica promoted, after ${traffic.proven()} goals`);
  const next = await traffic.untilMore(1);
  say(`the next goal was proven ${next.toFixed(1)} s later`);
  await traffic.untilMore(9);
  await traffic.stop();
  expect(true, `${traffic.proven()} goals are proven`);
  expect(service.refused() > refused, `the API said 503 ${service.refused() - refused} times`);
  for (const name of ['api', 'worker', 'worker-2']) await stack.untilHealthy(name);
}

/** Each service is replaced by the next build and back, one after another, while goals go. */
export async function playBuilds(stage: Stage, root: string): Promise<void> {
  const { stack, place, goals } = stage;
  const next = await makeNextBuild(join(root, 'next'));
  const replaceAll = async (main: string) => {
    for (const name of ['api', 'worker', 'worker-2']) await stack.replace(name, main);
  };
  const older = await goals.begin(laneOf(place, 'six'), true);
  await untilActivity(stage, older, 'condition');
  const traffic = goals.follow(lanesOf(stage, STAYING));
  await traffic.untilMore(2);
  await replaceAll(next);
  await stack.again('migrate');
  const versions = (await versionsOf(stage)).join();
  expect(
    versions === Array(3).fill(NEXT_VERSION).join(),
    `the three workers are of the next build: ${versions}`,
  );
  await traffic.untilMore(4);
  await traffic.stop();
  say(`${traffic.proven()} goals are proven; one of the older build and one of the next wait`);
  const waiting = laneOf(place, 'four');
  const newer = await goals.begin(waiting, true);
  await untilActivity(stage, newer, 'condition');
  await replaceAll(MAIN);
  // What begins before belongs to the next build, and would stand as the newer one does.
  const back = goals.follow(lanesOf(stage, STAYING));
  await release(stage, older);
  await goals.untilProven(older);
  expect(true, 'the older build is back, and ended what it began before');
  const { reason } = await untilActivity(stage, newer, 'execution');
  expect(reason.includes(NEXT_VERSION), `what the next build began stands and says: ${reason}`);
  await back.untilMore(3);
  await back.stop();
  await replaceAll(next);
  await release(stage, newer);
  await goals.untilProven(newer);
  expect(true, 'the next build is there again, and ended what it had begun');
}

/** Of the workers that live. */
async function versionsOf({ database }: Stage): Promise<string[]> {
  const sql = postgres(database, { max: 1 });
  const rows = await sql`
    SELECT version FROM worker WHERE seen_at > now() - interval '15 seconds'`;
  await sql.end();
  return rows.map(({ version }) => String(version));
}

async function release({ place }: Stage, { workspace }: Going): Promise<void> {
  writeOwn(join(laneOf(place, workspace).folder, FILE_TO_WAIT_FOR), randomBytes(4).toString('hex'));
}

const PATIENCE_MS = 180_000;

async function untilActivity({ service }: Stage, { goalId }: Going, on: string) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(250)) {
    const { activity } = await service.ask(`/v1/goals/${goalId}`);
    if (activity.on === on) return activity;
  }
  throw new Error(`${goalId} does not wait for ${on}`);
}

/** Nothing of any goal was lost, doubled, overspent or left standing. */
export async function settleAccounts(stage: Stage): Promise<void> {
  const { wrong, ...sums } = await accountOf(stage.goals, stage);
  for (const words of wrong) say(`✗ ${words}`);
  const { goals, proven, asked, traces, unknown } = sums;
  say(
    `${goals} goals, ${proven} proven, ${goals - proven} accepted by a person, as their originals were on a host that is gone; the model was asked ${asked} times; ${traces} effects, ${unknown} of unknown end`,
  );
  expect(wrong.length === 0, '0 lost, 0 doubled, 0 overspent, 0 stuck');
}

async function poolOf({ database }: Stage, goal: Going | undefined): Promise<string> {
  const sql = postgres(database, { max: 1 });
  const [row] = await sql`SELECT host FROM workspace WHERE name = ${goal?.workspace ?? ''}`;
  await sql.end();
  return row?.host ?? 'nobody';
}

/** Of the first host, as PostgreSQL sees it. */
async function sessionsOf({ database, first }: Stage): Promise<{ all: number; open: number }> {
  const sql = postgres(database, { max: 1 });
  const [row] = await sql<{ all: number; open: number }[]>`
    SELECT count(*)::int AS all, count(xact_start)::int AS open FROM pg_stat_activity
    WHERE client_addr = ${first.address}::inet`;
  await sql.end();
  return { all: row?.all ?? 0, open: row?.open ?? 0 };
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
