import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fence } from '../../src/contract/fence.ts';
import type { JournalPort } from '../../src/contract/journal.ts';
import { type SpendLimit, SpendRefused } from '../../src/contract/spend.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import { openDatabase } from '../../src/store/client.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import {
  answeredStep,
  newGoal,
  type OpenRecord,
  openRecord,
  request,
  sentStep,
  settledCall,
  startedCall,
  USAGE,
  WORKSPACE,
} from './record-fixture.ts';

let stores: OpenRecord;
let limits: SpendLimit[] = [];
let journal: JournalPort;
beforeAll(async () => {
  stores = await openRecord();
  journal = createJournal(stores.store.sql, { ledgerKeys: noKeys, spendLimits: () => limits });
});
afterAll(() => stores.close());
beforeEach(async () => {
  limits = [];
  await stores.db`DELETE FROM spend_window`;
  await stores.db`DELETE FROM step`;
});

/** As the owner, past the rule that a call stays as it was sent. */
const unwatched = (statement: string) =>
  stores.db.unsafe(`ALTER TABLE step DISABLE TRIGGER step_held_as_sent; ${statement};
    ALTER TABLE step ENABLE TRIGGER step_held_as_sent`);

const limit = (more: Partial<SpendLimit> = {}): SpendLimit => ({
  ...{ of: 'service', name: null, per: 'day', timeZone: 'UTC', costUsd: null, tokens: null },
  ...more,
});

/** Holds 1500 tokens and a dollar; charged at its end: 850 tokens and $0.001234. */
const held = (step = 1) => ({ ...sentStep(step), mostUsd: '1' });

const windows = () => stores.db`
  SELECT scope, subject, trim_scale(cost_usd)::text AS cost, tokens::int,
    trim_scale(held_usd)::text AS held, held_tokens::int AS "heldTokens"
  FROM spend_window ORDER BY scope, subject`;

const refusal = (begun: Promise<unknown>): Promise<SpendRefused> =>
  begun.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => {
      if (error instanceof SpendRefused) return error;
      throw error;
    },
  );

/** Whether each window is the sum of the calls in it. */
async function expectSums(): Promise<void> {
  const wrong = await stores.db`
    SELECT w.scope, w.subject, w.cost_usd, s.* FROM spend_window w CROSS JOIN LATERAL (
      SELECT coalesce(sum(cost_usd) FILTER (WHERE state <> 'sent'), 0) AS cost,
        coalesce(sum(input_tokens - cached_input_tokens + output_tokens)
          FILTER (WHERE state <> 'sent'), 0) AS tokens,
        coalesce(sum(reserved_cost_usd) FILTER (WHERE state = 'sent'), 0) AS held,
        coalesce(sum(estimated_input + reserved_output) FILTER (WHERE state = 'sent'), 0) AS held_tokens
      FROM step s JOIN goal g USING (goal_id)
      WHERE s.started_at >= w.starts_at AND s.started_at < w.ends_at
        AND (w.scope = 'service' OR w.scope = 'workspace' AND g.workspace_name = w.subject
          OR w.scope = 'principal' AND g.created_by = w.subject)) s
    WHERE (w.cost_usd, w.tokens, w.held_usd, w.held_tokens)
      IS DISTINCT FROM (s.cost, s.tokens, s.held, s.held_tokens)`;
  expect([...wrong]).toEqual([]);
}

describe('a model call under a spend limit', () => {
  test('SPEND-4 is held at its most when it is sent, and charged in its place when it ends', async () => {
    limits = [limit({ costUsd: '1' })];
    const { fence } = await stores.openTurn();
    expect(await journal.beginStep(fence, held())).toBe(true);
    const whole = { scope: 'service', subject: '' };
    expect(await windows()).toEqual([
      { ...whole, cost: '0', tokens: 0, held: '1', heldTokens: 1500 },
    ]);
    await journal.commitStep(fence, answeredStep());
    await journal.commitStep(fence, answeredStep());
    expect(await windows()).toEqual([
      { ...whole, cost: '0.001234', tokens: 850, held: '0', heldTokens: 0 },
    ]);
  });

  test('SPEND-5 that might exceed it is not stored, and nothing with it', async () => {
    limits = [limit({ costUsd: '1.001' })];
    const { fence, goalId } = await stores.openTurn();
    await journal.beginStep(fence, held());
    await journal.commitStep(fence, { ...answeredStep(), firstCall: startedCall() });
    const before = await stores.db`SELECT * FROM journal WHERE goal_id = ${goalId}`;
    const refused = await refusal(journal.beginStep(fence, { ...held(2), settles: settledCall() }));
    expect(refused.message).toMatch(
      /limit of the service per day leaves too little: 0\.001234 of 1\.001 USD spent, the next call may take 1;/,
    );
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(86_400);
    expect(await stores.db`SELECT * FROM journal WHERE goal_id = ${goalId}`).toEqual(before);
    // What it would have settled is settled apart, and once the limit is raised the step begins.
    limits = [limit({ costUsd: '2' })];
    expect(await journal.beginStep(fence, { ...held(2), settles: settledCall() })).toBe(true);
  });

  test('SPEND-5 that calls under way leave no room for is tried again soon', async () => {
    limits = [limit({ tokens: 2000 })];
    const [one, two] = [await stores.openTurn(), await stores.openTurn()];
    await journal.beginStep(one.fence, held());
    const refused = await refusal(journal.beginStep(two.fence, held()));
    expect(refused.message).toMatch(/calls under way hold what is left \(3000\)/);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(15);
    await journal.commitStep(one.fence, answeredStep());
    limits = [limit({ tokens: 2350 })];
    expect(await journal.beginStep(two.fence, held())).toBe(true);
  });

  test('SPEND-6 of a model without a known price is refused by a limit in dollars alone', async () => {
    const { fence } = await stores.openTurn();
    limits = [limit({ costUsd: '9' })];
    const refused = await refusal(journal.beginStep(fence, { ...held(), mostUsd: null }));
    expect(refused.message).toMatch(/openai\/test has no known price here, so the spend limit/);
    expect(refused.retryAfterSeconds).toBeNull();
    limits = [limit({ tokens: 9000 })];
    expect(await journal.beginStep(fence, { ...held(), mostUsd: null })).toBe(true);
  });

  test('SPEND-6 whose worker died is charged its estimate, in the period in which it began', async () => {
    limits = [limit({ costUsd: '5' })];
    const { execution, fence } = await stores.openTurn();
    await journal.beginStep(fence, held());
    await unwatched(`UPDATE step SET started_at = started_at - interval '1 day'`);
    await stores.db`DELETE FROM spend_window`;
    await journal.beginStep((await stores.openTurn()).fence, held());
    await stores.db`SELECT open_spend_window('service', '',
      date_trunc('day', now() - interval '1 day', 'UTC'), date_trunc('day', now(), 'UTC'))`;
    await stores.reconcile.markLost({ ...execution, revision: 1 });
    const rows = await stores.db`
      SELECT trim_scale(cost_usd)::text AS cost, trim_scale(held_usd)::text AS held
      FROM spend_window ORDER BY starts_at`;
    expect(rows).toEqual([
      { cost: '0.001234', held: '0' },
      { cost: '0', held: '1' },
    ]);
  });

  test('SPEND-7 counts for its workspace and whoever started its goal, and for nobody else', async () => {
    limits = [
      limit({ of: 'workspace', costUsd: '1.5' }),
      limit({ of: 'principal', name: 'bob', costUsd: '1.5' }),
    ];
    const bobs = newGoal();
    const asked = request({ principal: { role: 'operator', name: 'bob' } });
    await stores.intake.startGoal(asked, bobs, {
      ...{ expectedGoalId: undefined, replace: false, sight: wholeSight },
    });
    const { fence } = await stores.openTurn();
    await journal.beginStep(fence, held());
    expect(await windows()).toMatchObject([{ scope: 'workspace', subject: WORKSPACE, held: '1' }]);
    limits = [
      limit({ of: 'principal', costUsd: '1.5' }),
      limit({ of: 'principal', name: 'ada', costUsd: '9' }),
    ];
    // `ada` has a limit of her own, which takes the place of the one for each.
    expect(await journal.beginStep((await stores.openTurn()).fence, held())).toBe(true);
    expect(await windows()).toMatchObject([
      { scope: 'principal', subject: 'ada', held: '2' },
      { scope: 'workspace', held: '2' },
    ]);
    await expectSums();
  });

  test('SPEND-8 what was spent before there was a limit counts, with the calls under way', async () => {
    const { fence } = await stores.openTurn();
    await journal.beginStep(fence, held());
    await journal.commitStep(fence, answeredStep());
    await journal.beginStep(fence, held(2));
    limits = [limit({ per: 'month', costUsd: '2.5' })];
    const next = await stores.openTurn();
    await journal.beginStep(next.fence, held());
    expect(await windows()).toMatchObject([{ cost: '0.001234', held: '2' }]);
    await expectSums();
  });
});

describe('many workers at once', () => {
  const DOLLARS = 4;

  /** A goal whose calls follow each other until the limit refuses one. */
  async function work(port: JournalPort, fence: Fence, random: () => number): Promise<number> {
    for (let step = 1; ; step += 1) {
      const most = (0.1 + random()).toFixed(6);
      const begun = await port
        .beginStep(fence, { ...sentStep(step), mostUsd: most })
        .catch((error: unknown) => {
          if (error instanceof SpendRefused) return error;
          throw error;
        });
      if (begun instanceof SpendRefused) {
        if (begun.retryAfterSeconds === null || begun.retryAfterSeconds > 15) return step - 1;
        step -= 1;
        continue;
      }
      const costUsd = (Number(most) * random()).toFixed(6);
      await port.commitStep(fence, { ...answeredStep(step), usage: { ...USAGE, costUsd } });
    }
  }

  test('SPEND-9 never hold and spend more than the limit together, and lose and double nothing', async () => {
    limits = [
      limit({ costUsd: String(DOLLARS) }),
      limit({ of: 'workspace', per: 'week', costUsd: '90' }),
    ];
    const pools = [1, 2].map(() => openDatabase(stores.url, { connections: 4 }));
    const ports = pools.map((db) =>
      createJournal(db, { ledgerKeys: noKeys, spendLimits: () => limits }),
    );
    const open = await Promise.all(Array.from({ length: 8 }, () => stores.openTurn()));
    let most = 0;
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const [row] = await stores.db<{ sum: number }[]>`
          SELECT coalesce(max(cost_usd + held_usd), 0)::float8 AS sum FROM spend_window
          WHERE scope = 'service'`;
        most = Math.max(most, row?.sum ?? 0);
      }
    })();
    let state = 20_261_126;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    await Promise.all(
      open.map(({ fence }, index) => work(ports[index % 2] as JournalPort, fence, random)),
    ).finally(() => {
      isDone = true;
    });
    await watching;
    await Promise.all(pools.map((db) => db.end({ timeout: 5 })));
    expect(most).toBeGreaterThan(DOLLARS / 2);
    expect(most).toBeLessThanOrEqual(DOLLARS);
    await expectSums();
  });

  test('SPEND-9 a window that opens while calls begin and end misses none and counts none twice', async () => {
    const open = await Promise.all(Array.from({ length: 6 }, () => stores.openTurn()));
    const free = createJournal(stores.store.sql, { ledgerKeys: noKeys });
    await Promise.all([
      ...open.map(async ({ fence }) => {
        for (let step = 1; step <= 15; step += 1) {
          await free.beginStep(fence, held(step));
          await free.commitStep(fence, answeredStep(step));
        }
      }),
      ...['day', 'week', 'month'].map((per) =>
        stores.db`SELECT open_spend_window('service', '', date_trunc(${per}::text, now(), 'UTC'),
          date_trunc(${per}::text, now(), 'UTC') + interval '40 days')`.then(() => undefined),
      ),
    ]);
    await expectSums();
    expect((await windows()).every((row) => row.tokens === 6 * 15 * 850)).toBe(true);
  });
});

test("SPEND-10 the service's own database user lowers no window and opens none lower than its calls", async () => {
  limits = [limit({ costUsd: '5' })];
  const { fence } = await stores.openTurn();
  await journal.beginStep(fence, held());
  const { sql } = stores.store;
  for (const attempt of [
    sql`UPDATE spend_window SET held_usd = 0`,
    sql`DELETE FROM spend_window`,
    sql`INSERT INTO spend_window (scope, subject, starts_at, ends_at, cost_usd)
      VALUES ('service', '', now(), now(), -9)`,
  ])
    await expect(attempt).rejects.toThrow(/permission denied/);
  await expect(sql`UPDATE step SET cost_usd = -5`).rejects.toThrow(/step_takes_something/);
  await journal.commitStep(fence, answeredStep());
  await journal.beginStep(fence, held(2));
  for (const attempt of [
    sql`UPDATE step SET reserved_cost_usd = 1000 WHERE step = 2`,
    sql`UPDATE step SET estimated_input = 1000000 WHERE step = 2`,
    sql`UPDATE step SET started_at = started_at - interval '1 day' WHERE step = 2`,
    sql`UPDATE step SET state = 'sent' WHERE step = 1`,
  ])
    await expect(attempt).rejects.toThrow('held as it was sent, and ends once');
  expect(await windows()).toMatchObject([{ cost: '0.001234', held: '1', heldTokens: 1500 }]);
});
