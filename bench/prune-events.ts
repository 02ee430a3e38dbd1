import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { wholeSight } from '../src/policy/sight.ts';
import { migrate } from '../src/stack/migrations.ts';
import { startPostgres } from '../src/stack/postgres.ts';
import { type Database, openDatabase } from '../src/store/client.ts';
import { createIntake } from '../src/store/intake/intake.ts';
import { noKeys } from '../src/store/ledger/ledger-keys.ts';
import { pruneEvents } from '../src/store/retention/prune-events.ts';
import { openStore } from '../src/store/store.ts';
import { newGoal, request, WORKSPACE } from '../test/store/record-fixture.ts';
import { memoryFolder } from '../test/support/memory-folder.ts';
import { median, quantile, round } from './statistics.ts';

/** What it takes to prune a million events by rows, and what others notice of it. */
const GOALS = 100;
const EVENTS_A_GOAL = 10_000;
const APPENDS = 500;
/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

const home = memoryFolder('goalkeeper-prune-');
const server = await startPostgres({ home, port: 0 });
try {
  await migrate(server.url);
  const db = openDatabase(server.url, { connections: 2 });
  await fill(db);
  const beside = openDatabase(server.url, { connections: 1 });
  const alone = await appends(beside, APPENDS, () => false);
  const [before, from] = [await sizeOf(db), await walOf(db)];
  const cpu = await processorOf(db);
  let isOver = false;
  const startedAt = performance.now();
  const pruning = pruneEvents(db, noKeys, 30).then((count) => {
    isOver = true;
    return count;
  });
  const during = await appends(beside, 1_000_000, () => isOver);
  const pruned = await pruning;
  const seconds = round((performance.now() - startedAt) / 1000);
  const walMb = round(((await walOf(db)) - from) / 1024 / 1024, 0);
  const processorSeconds = round(((await processorOf(db)) - cpu) / 1000);
  const vacuumedAt = performance.now();
  await db`VACUUM event`;
  const vacuumSeconds = round((performance.now() - vacuumedAt) / 1000);
  console.log(
    JSON.stringify(
      { pruned, seconds, processorSeconds, walMb, vacuumSeconds, before, after: await sizeOf(db) },
      null,
      2,
    ),
  );
  console.log(JSON.stringify({ appendMs: { alone, during } }, null, 2));
  await Promise.all([db.end(), beside.end()]);
} finally {
  await server.stop();
  await rm(home, { recursive: true, force: true });
}

/** Goals that ended forty days ago, with events of the usual size. */
async function fill(db: Database): Promise<void> {
  const store = openStore(server.url);
  const intake = createIntake(store, { ledgerKeys: noKeys });
  await intake.registerWorkspace({ name: WORKSPACE, path: '/t', host: 'here', marker: 'm' });
  for (let goal = 0; goal < GOALS; goal += 1) {
    const slot = { expectedGoalId: undefined, replace: false, sight: wholeSight };
    await intake.startGoal(request(), newGoal(), slot);
  }
  await store.close();
  await db`
    INSERT INTO event (goal_id, seq, type, data, at)
    SELECT g.goal_id, j.event_seq + n, 'call.settled',
      jsonb_build_object('callId', 't1.s1.' || n, 'tool', 'run_command', 'text', repeat('x', 150)),
      now() - interval '40 days'
    FROM goal g JOIN journal j USING (goal_id), generate_series(1, ${EVENTS_A_GOAL}::int) n`;
  await db`UPDATE event SET at = now() - interval '40 days'`;
  await db`UPDATE journal SET event_seq = event_seq + ${EVENTS_A_GOAL}`;
  await db`UPDATE goal SET status = 'complete', updated_at = now() - interval '40 days'`;
  await db`VACUUM ANALYZE event`;
  await db`CREATE TABLE beside (n INT PRIMARY KEY, body JSONB)`;
  await db`CHECKPOINT`;
}

/** Commits of another session, each an event's size. */
async function appends(db: Database, most: number, isOver: () => boolean) {
  const times: number[] = [];
  const [{ from }] = await db<[{ from: number }]>`SELECT count(*)::int AS from FROM beside`;
  for (let n = 0; n < most; n += 1) {
    const at = performance.now();
    await db`INSERT INTO beside VALUES (${from + n}, ${db.json({ text: 'x'.repeat(200) })})`;
    times.push(performance.now() - at);
    if (isOver()) break;
  }
  return {
    count: times.length,
    p50: round(median(times)),
    p95: round(quantile(times, 0.95)),
  };
}

async function sizeOf(db: Database) {
  const [row] = await db<[{ mb: number }]>`
    SELECT (pg_total_relation_size('event') / 1048576)::int AS mb`;
  return `${row.mb} MB`;
}

async function walOf(db: Database): Promise<number> {
  const [row] = await db<[{ at: string }]>`SELECT pg_current_wal_lsn() - '0/0' AS at`;
  return Number(row.at);
}

/** Milliseconds of a processor that the sessions of the database used so far. */
async function processorOf(db: Database): Promise<number> {
  const rows = await db<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`;
  return rows.reduce((sum, { pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return sum + (Number(user) + Number(system)) * TICK_MS;
  }, 0);
}
