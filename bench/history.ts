import { type Browser, chromium } from 'playwright-core';
import type { Goal } from '../schema/goal.ts';
import type { History } from '../schema/history.ts';
import type { Database } from '../src/store/client.ts';
import { median, quantile, round } from './statistics.ts';
import { openWorld, type World } from './world.ts';

const TURNS = 5000;
const REQUESTS = 60;
const OPENINGS = 10;
/** Turns that Temporal itself has the events of. */
const REAL_TURNS = 300;

/**
 * The history of a goal of 5,000 turns: its pages, points of it, and the console's page in a real
 * browser. The first turns are real and have Temporal's events; copies of one of them follow.
 */
export async function measureHistory() {
  const world = await openWorld();
  try {
    const { goalId } = await world.start(`turns ${REAL_TURNS}`);
    await world.until(goalId, ({ status }) => status !== 'active', 300_000);
    await addCopies(world.database, goalId, TURNS - REAL_TURNS);
    await world.database`ANALYZE`;
    const goal = await world.client.get<Goal>(`/v1/goals/${goalId}`);
    const [journal] = await world.database<[{ event_seq: number }]>`
      SELECT event_seq FROM journal WHERE goal_id = ${goalId}`;
    const base = `/v1/goals/${goalId}/history`;
    return {
      turns: goal.usage.turns,
      "the record's events": journal.event_seq,
      "Temporal's runs and events of real turns": await runsOf(world, goalId),
      'newest page p95 ms': await p95(world, () => base),
      'page in the middle p95 ms': await p95(world, () => `${base}?before=${TURNS / 2}`),
      "page with Temporal's newest events p95 ms": await p95(
        world,
        () => `${base}?before=${REAL_TURNS}`,
      ),
      'page at the beginning of a full run p95 ms': await p95(world, () => `${base}?before=25`),
      'point, anywhere p95 ms': await p95(
        world,
        (request) => `${base}/point?seq=${1 + ((request * 7919) % journal.event_seq)}`,
      ),
      'point by turn p95 ms': await p95(
        world,
        (request) => `${base}/point?turn=${1 + ((request * 977) % TURNS)}`,
      ),
      ...(await openPages(world, goalId)),
    };
  } finally {
    await world.close();
  }
}

async function runsOf({ client }: World, goalId: string): Promise<string> {
  const path = `/v1/goals/${goalId}/history?tasks=true&limit=50&before=`;
  let events = 0;
  let runs = 0;
  for (let before = REAL_TURNS + 1; before > 0; before -= 50) {
    const page = await client.get<History>(path + before);
    events += page.items.reduce((sum, turn) => sum + turn.events.length, 0);
    runs = page.runs.length;
  }
  return `${runs}, ${events}`;
}

async function p95({ client }: World, pathOf: (request: number) => string): Promise<number> {
  const times: number[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    const from = performance.now();
    await client.get(pathOf(request));
    times.push(performance.now() - from);
  }
  return round(quantile(times, 0.95));
}

async function openPages(world: World, goalId: string) {
  const executablePath = process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const path = `${world.url}/goals/${goalId}/history`;
    const newest = await opening(browser, world, path);
    const middle = await opening(browser, world, `${path}?turn=${TURNS / 2}`);
    return {
      'page opens, median ms': round(median(newest)),
      'page opens, p95 ms': round(quantile(newest, 0.95)),
      'page of turn 2,500 opens, median ms': round(median(middle)),
      'page of turn 2,500 opens, p95 ms': round(quantile(middle, 0.95)),
    };
  } finally {
    await browser.close();
  }
}

/** From the address to the first turns and the state beside them, with a browser's cache. */
async function opening(browser: Browser, world: World, url: string): Promise<number[]> {
  const [grant] = world.config.tokens;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const answer = await context.request.post(`${world.url}/v1/session`, {
    data: { token: grant?.token },
  });
  const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
  await context.addInitScript(`localStorage.setItem('goalkeeper.console', '${consoleSecret}')`);
  const page = await context.newPage();
  const times: number[] = [];
  for (let visit = 0; visit <= OPENINGS; visit += 1) {
    const from = performance.now();
    await page.goto(url);
    await page.locator('.er').first().waitFor();
    await page.locator('.state-then .kv').waitFor();
    if (visit > 0) times.push(performance.now() - from);
  }
  await context.close();
  return times;
}

/** Temporal's events name the real turns by their numbers, so copies come behind them. */
async function addCopies(db: Database, goalId: string, copies: number): Promise<void> {
  const [{ events, rows, messages, last }] = await db<
    [{ events: number; rows: number; messages: number; last: number }]
  >`
    SELECT event_seq AS events, ledger_seq AS rows, message_seq AS messages, turn AS last
    FROM journal WHERE goal_id = ${goalId}`;
  const perTurn = { events: Math.ceil(events / last), rows: Math.ceil(rows / last) };
  const shift = { events: copies * perTurn.events, rows: copies * perTurn.rows };
  await db.begin(async (tx) => {
    await tx`
      INSERT INTO turn SELECT (jsonb_populate_record(t, jsonb_build_object(
        'turn', ${last}::int + n, 'started_at', t.started_at + n * interval '2 seconds',
        'settled_at', t.settled_at + n * interval '2 seconds'))).*
      FROM turn t, generate_series(1, ${copies}::int) n WHERE t.goal_id = ${goalId} AND t.turn = 2`;
    await tx`
      INSERT INTO decision SELECT (jsonb_populate_record(d, jsonb_build_object(
        'turn', ${last}::int + n, 'ledger_seq', ${rows}::int + n * ${perTurn.rows}::int,
        'at', d.at + n * interval '2 seconds'))).*
      FROM decision d, generate_series(1, ${copies}::int) n
      WHERE d.goal_id = ${goalId} AND d.turn = 2`;
    await tx`
      INSERT INTO step SELECT (jsonb_populate_record(s, jsonb_build_object(
        'turn', ${last}::int + n))).*
      FROM step s, generate_series(1, ${copies}::int) n WHERE s.goal_id = ${goalId} AND s.turn = 2`;
    await tx`
      INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object(
        'turn', ${last}::int + n, 'seq', ${messages}::int + n * 20 + m.seq, 'seal', null))).*
      FROM message m, generate_series(1, ${copies}::int) n
      WHERE m.goal_id = ${goalId} AND m.turn = 2 AND m.seq < 20`;
    await tx`
      INSERT INTO ledger (goal_id, seq, phase, call_id, turn, step, token, tool, effect, outcome,
        body, output_ref, at, previous, hash)
      SELECT l.goal_id, ${rows}::int + n * ${perTurn.rows}::int - ${perTurn.rows}::int
          + row_number() OVER (PARTITION BY n ORDER BY l.seq), l.phase, l.call_id || '-' || n,
        ${last}::int + n, l.step, l.token, l.tool, l.effect, l.outcome, l.body, l.output_ref,
        l.at + n * interval '2 seconds', l.previous, l.hash
      FROM ledger l, generate_series(1, ${copies}::int) n
      WHERE l.goal_id = ${goalId} AND l.turn = 2 AND l.seq <= ${rows}
        AND l.seq <= (SELECT min(seq) + ${perTurn.rows}::int - 1 FROM ledger
          WHERE goal_id = ${goalId} AND turn = 2)`;
    await tx`
      INSERT INTO event (goal_id, seq, type, data, at)
      SELECT e.goal_id, ${events}::int + (n - 1) * ${perTurn.events}::int
          + 1 + (e.seq - 1) % ${perTurn.events}::int, e.type,
        CASE WHEN e.data ? 'turn' THEN e.data || jsonb_build_object('turn', ${last}::int + n)
          ELSE e.data END, e.at + n * interval '2 seconds'
      FROM event e, generate_series(1, ${copies}::int) n
      WHERE e.goal_id = ${goalId} AND e.seq > ${perTurn.events}::int
        AND e.seq <= 2 * ${perTurn.events}::int`;
    await tx`
      UPDATE journal SET event_seq = event_seq + ${shift.events}::int,
        ledger_seq = ledger_seq + ${shift.rows}::int, turn = turn + ${copies}::int,
        turns = turns + ${copies}::int
      WHERE goal_id = ${goalId}`;
  });
}
