import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import type { MadeSchedule } from '../../src/contract/schedules.ts';
import { dueTimes } from '../../src/record/schedules/due-times.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createSchedules } from '../../src/store/schedules/schedules.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { freshFolder, openUp, type UpWorld } from '../cli/up-world.ts';
import { eventually } from '../support/eventually.ts';
import { tally } from './tally.ts';
import { type Kills, killOne, pause } from './up-kills.ts';

/** `CHAOS_KILLS` makes more of them. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 100);
const LONGEST_LIFE_MS = 6000;
const SPANS = [7, 10, 13, 17];
const TOKEN = 'chaos-admin-token-0000';
const KEY = 'key-of-the-chaos-campaign-0000000000';

let up: UpWorld;
let store: Store;
beforeAll(async () => {
  up = await openUp(() => reply.call('ask_user', { question: 'Go on?' }), {
    GOALKEEPER_TOKENS: `admin:${TOKEN}`,
    GOALKEEPER_LEDGER_KEY: KEY,
  });
  store = openStore(up.databaseUrl, { connections: 2 });
}, 120_000);
afterAll(async () => {
  await store?.close();
  await up?.close();
}, 60_000);

async function makeAll(owner: string, path: string): Promise<MadeSchedule[]> {
  const schedules = createSchedules(store.sql, store.sql, ledgerKeys([KEY]));
  const made = SPANS.map(
    (everySeconds, index): MadeSchedule => ({
      ...{ scheduleId: `sc-${String(index).repeat(16)}`, name: `every ${everySeconds}` },
      ...{ workspace: 'chaos', owner, role: 'admin', seesOwn: false, when: { everySeconds } },
      ...{ overlap: 'allow', catchUp: 'all', catchUpSeconds: 86_400 },
      action: {
        start: { objective: 'ask', mode: 'gather', criteria: [], workspace: { path } },
      },
      createdAt: new Date().toISOString(),
    }),
  );
  for (const one of made) {
    const request = {
      ...{ principal: { name: owner, role: 'admin' as const }, route: 'chaos', key: randomUUID() },
      ...{ bodyHash: '', body: {}, commitId: randomUUID(), goalId: null },
    };
    await schedules.add(request, one, {
      ...{ who: owner, role: 'admin', address: null, what: 'schedule_made', subject: null },
      ...{ result: 'done', data: {} },
    });
  }
  return made;
}

test(`SCHED-14 ${KILLS} kills of workers, API, Temporal and PostgreSQL: each due time happens exactly once`, async () => {
  const session = await up.goalkeeper('token', 'list', '--json');
  expect(session.exitCode).toBe(0);
  const twice = createHash('sha256')
    .update(createHash('sha256').update(TOKEN).digest())
    .digest('hex');
  const made = await makeAll(`admin-${twice.slice(0, 8)}`, freshFolder());
  const counts: Kills = new Map();
  for (let kills = 0; kills < KILLS; ) {
    await pause(Math.random() * LONGEST_LIFE_MS);
    if (await killOne({ pid: up.pid, sql: store.sql }, counts)) kills += 1;
  }
  // Whatever became due under the kills is caught up on, none is left behind.
  const killedUntil = new Date().toISOString();
  await eventually(() => store.sql`SELECT 1`);
  for (const deadline = Date.now() + 120_000; ; await pause(500)) {
    const behind = await store.sql`
      SELECT name, next_due_at FROM schedule WHERE next_due_at <= ${killedUntil}`;
    if (behind.count === 0) break;
    if (Date.now() > deadline) throw new Error(`not caught up on: ${JSON.stringify(behind)}`);
  }
  for (const deadline = Date.now() + 300_000; ; await pause(500)) {
    const open = await store.sql`
      SELECT 1 FROM schedule_run
      WHERE state IN ('due', 'waiting') AND due_at <= ${killedUntil} LIMIT 1`;
    if (open.count === 0) break;
    if (Date.now() > deadline) throw new Error('due times are left');
  }
  let due = 0;
  for (const { scheduleId, when, createdAt } of made) {
    const expected = dueTimes({ when, madeAt: createdAt }, createdAt, killedUntil, 1e6);
    const rows = await store.sql`
      SELECT due_at, state, count, reason, goal_id FROM schedule_run
      WHERE schedule_id = ${scheduleId} AND due_at <= ${killedUntil} ORDER BY due_at`;
    expect(rows.map((row) => row.due_at)).toEqual(expected);
    const ends = rows.map(({ state, count, reason }) => `${state} ${count} ${reason ?? ''}`.trim());
    expect(new Set(ends)).toEqual(new Set(['started 1']));
    expect(new Set(rows.map((row) => row.goal_id)).size).toBe(rows.length);
    due += rows.length;
  }
  // A goal that was just started gets its run's row a moment later.
  for (const deadline = Date.now() + 60_000; ; await pause(500)) {
    const [beyond] = await store.sql`
      SELECT count(*)::int AS count FROM goal AS g
      WHERE 1 <> (SELECT count(*) FROM schedule_run AS r WHERE r.goal_id = g.goal_id)`;
    if (beyond?.count === 0) break;
    if (Date.now() > deadline) throw new Error(`${beyond?.count} goals without a run of their own`);
  }
  expect(due).toBeGreaterThan(KILLS / 10);
  tally({
    ...{ play: 'schedules', deaths: Object.fromEntries(counts), frozen: 0, looked: due, wrong: [] },
  });
  const died = JSON.stringify(Object.fromEntries(counts));
  console.log(`${KILLS} kills (${died}), ${due} due times, each with a goal of its own`);
}, 3_600_000);
