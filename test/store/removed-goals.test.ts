import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anchorOnce } from '../../src/anchors/anchorer.ts';
import { createAnchors } from '../../src/anchors/anchors-port.ts';
import { fileTarget } from '../../src/anchors/file-target.ts';
import type { AnchorTarget } from '../../src/contract/anchors.ts';
import type { ChartSnapshot } from '../../src/contract/goal-state.ts';
import type { GoalAtRest, WrittenArchive } from '../../src/contract/removed-goals.ts';
import { isOpen } from '../../src/goal/chart/view.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import { createAnchorStore } from '../../src/store/anchors/anchors.ts';
import { sweepAttachments } from '../../src/store/attachments/attachments.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import {
  alteredDelegates,
  readDelegation,
  sealNewDelegate,
} from '../../src/store/ledger/delegate-seal.ts';
import { type LedgerKey, ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { addToSecurityLog } from '../../src/store/ledger/security-entries.ts';
import { verifySecurityLog } from '../../src/store/ledger/security-verify.ts';
import { readState, sealOfState } from '../../src/store/ledger/state-seal.ts';
import { createRemovedGoals } from '../../src/store/retention/removed-goals.ts';
import { ageSeals } from '../support/aged-seals.ts';
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

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

const ARCHIVE: WrittenArchive = {
  ...{ path: '/archive/goal.jsonl', host: 'here', bytes: 7, sha256: 'a'.repeat(64) },
};
const KEPT = { complete: 30, cleared: 10, archive: '/archive' };

const port = () => createRemovedGoals(stores.store.sql, keys, ['file:/heads']);
const due = async () => (await port().due(KEPT, null)).map(({ goalId }) => goalId);
async function dueGoal(goalId: string): Promise<GoalAtRest> {
  const found = (await port().due(KEPT, null)).find((goal) => goal.goalId === goalId);
  if (found !== undefined) return found;
  const [row] = await stores.db`SELECT why_goal_stays(${goalId}, 1) AS why`;
  throw new Error(`${goalId} is not due: ${row?.why}`);
}
async function removeAs(goal: GoalAtRest, by = port()): Promise<string | null> {
  let why: string | null = 'another process has the lock';
  await by.withLock(async (own) => {
    why = await own(goal, ARCHIVE);
  });
  return why;
}
const remove = async (goalId: string) => removeAs(await dueGoal(goalId));

/** As if the goal had ended so many days ago; `active` = it goes on. */
async function age(
  goalId: string,
  days: number,
  state: 'complete' | 'cleared' | 'left' | 'active' = 'complete',
  db = stores.db,
): Promise<void> {
  await db.begin(async (tx) => {
    const before = await readState(tx, goalId);
    if (before === null) throw new Error(`there is no ${goalId}`);
    const { value, context } = before.snapshot;
    const isComplete = state === 'complete' || state === 'left';
    const isArchived = state === 'cleared' || state === 'left';
    const snapshot = {
      value: isComplete ? 'complete' : value,
      context: { ...context, isArchived },
    } as ChartSnapshot;
    await tx`
      UPDATE goal SET status = ${isComplete ? 'complete' : 'active'},
        snapshot = ${tx.json(snapshot as never)},
        archived_at = CASE WHEN ${isArchived} THEN now() - make_interval(days => ${days}) END,
        updated_at = now() - make_interval(days => ${days}, hours => 1) WHERE goal_id = ${goalId}`;
    await tx`UPDATE journal SET is_open = ${isOpen(snapshot)} WHERE goal_id = ${goalId}`;
    const seal = sealOfState(keys, before, snapshot);
    if (seal !== null) await tx`INSERT INTO row_seal ${tx({ ...seal })}`;
  });
  await ageSeals(db, goalId, days);
}

/** A goal with a call of a model and one of a tool, over for so many days. */
async function goalOf(
  days: number,
  state: 'complete' | 'cleared' | 'active' = 'complete',
  overrides: Parameters<typeof newGoal>[0] = {},
): Promise<string> {
  const { fence, goalId } = await stores.openTurn(overrides);
  await stores.journal.beginStep(fence, sentStep());
  await stores.journal.commitStep(fence, answeredStep());
  await stores.journal.startCall(fence, startedCall());
  await stores.journal.settleCall(fence, settledCall(1, { output: Buffer.from('all of it') }));
  await age(goalId, days, state);
  return goalId;
}

/** Tables with a row in which the goal's id stands. */
async function tablesThatName(goalId: string): Promise<string[]> {
  const tables = await stores.db<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`;
  const named: string[] = [];
  for (const { name } of tables) {
    const rows = await stores.db`
      SELECT 1 FROM ${stores.db(name)} t WHERE strpos(t::text, ${goalId}) > 0 LIMIT 1`;
    if (rows.count > 0) named.push(name);
  }
  return named;
}

/** A row of the goal in each table that has some, whatever it says. */
async function fillTables(goalId: string): Promise<void> {
  const columns = await stores.db<{ table: string; name: string; type: string }[]>`
    SELECT c.table_name AS table, c.column_name AS name, c.data_type AS type
    FROM information_schema.columns c
    WHERE c.table_schema = current_schema() AND c.is_nullable = 'NO' AND c.column_default IS NULL
      AND c.table_name NOT IN ('goal', 'journal', 'removed_goal', 'kept_spend', 'schedule_run',
        'workspace_queue')
      AND EXISTS (SELECT 1 FROM information_schema.columns o WHERE o.table_name = c.table_name
        AND o.table_schema = c.table_schema AND o.column_name IN ('goal_id', 'parent_goal_id'))`;
  const fillers: Record<string, unknown> = {
    ...{ integer: 900, bigint: 900, numeric: 0, boolean: true, text: 'x', bytea: Buffer.from('x') },
    ...{ jsonb: stores.db.json({}), 'timestamp with time zone': new Date().toISOString() },
  };
  const ofName: Record<string, unknown> = { goal_id: goalId, parent_goal_id: goalId };
  const shapes = await stores.db<{ text: string }[]>`
    SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS text FROM pg_constraint
    WHERE contype = 'c'`;
  const isList = (table: string, name: string): boolean =>
    shapes.some(
      ({ text }) =>
        text.startsWith(`${table} `) && new RegExp(`\\(${name}, '(texts|objects)'`).test(text),
    );
  for (const table of new Set(columns.map((column) => column.table))) {
    const own = columns.filter((column) => column.table === table);
    const row = Object.fromEntries(
      own.map(({ name, type }) => [
        name,
        ofName[name] ?? (isList(table, name) ? stores.db.json([]) : (fillers[type] ?? 'x')),
      ]),
    );
    const nullable = table === 'trigger_delivery' || table === 'request' ? { goal_id: goalId } : {};
    await stores.db`INSERT INTO ${stores.db(table)} ${stores.db({ ...row, ...nullable } as never)}
      ON CONFLICT DO NOTHING`;
  }
  await stores.db`UPDATE following_goals SET refused = 'x' WHERE goal_id = ${goalId}`;
  await stores.db`UPDATE notification SET is_addressed = true WHERE goal_id = ${goalId}`;
}

describe('KEEP-1 a goal goes whole', () => {
  test('no table names it any more but those that say why it is gone, or that others hold', async () => {
    const goalId = await goalOf(30);
    const other = await goalOf(29);
    await stores.db`
      INSERT INTO row_seal (kind, subject, number, seal)
      VALUES ('finding', ${`${goalId} 900`}, 1, 'x'), ('baseline', ${`${goalId} x`}, 1, 'x')`;
    await fillTables(goalId);
    const named = await tablesThatName(goalId);
    expect(named.length).toBeGreaterThan(35);
    const others = await tablesThatName(other);
    const verdict = await stores.verifier.whole(other);
    expect(await remove(goalId)).toBeNull();
    expect(await tablesThatName(goalId)).toEqual([
      ...['kept_spend', 'removed_goal', 'request', 'security_log', 'stored_rule'],
      'trigger_delivery',
    ]);
    expect(await tablesThatName(other)).toEqual(others);
    const requests = await stores.db`
      SELECT body, answer, http_status FROM request WHERE goal_id = ${goalId}`;
    for (const row of requests) expect(row).toEqual({ body: {}, answer: null, http_status: 410 });
    expect(await verifySecurityLog(stores.db, keys)).toMatchObject({ holds: true });
    expect(await stores.verifier.whole(other)).toEqual(verdict);
  });
});

describe('KEEP-2 age by state', () => {
  test('what is not over, or young, stays; a second removal finds nothing', async () => {
    const [complete, cleared] = [await goalOf(30), await goalOf(10, 'cleared')];
    const stays = [
      await goalOf(29),
      await goalOf(9, 'cleared'),
      await goalOf(300, 'active'),
      await goalOf(0),
    ];
    const found = await due();
    expect(found).toEqual(expect.arrayContaining([complete, cleared]));
    for (const goalId of stays) expect(found).not.toContain(goalId);
    const only = { ...KEPT, cleared: null };
    expect((await port().due(only, null)).map(({ goalId }) => goalId)).not.toContain(cleared);
    const goal = await dueGoal(complete);
    expect(await removeAs(goal)).toBeNull();
    expect(await removeAs(goal)).toBe('there is no such goal');
    const entries = await stores.db`
      SELECT 1 FROM security_log WHERE what = 'goal_removed' AND subject = ${complete}`;
    expect(entries.count).toBe(1);
    expect(await remove(cleared)).toBeNull();
  });
});

describe('KEEP-3 what leads to a goal keeps it', () => {
  test.each<[string, (goalId: string, db: OpenRecord['db']) => PromiseLike<unknown>]>([
    [
      'a goal that goes on from it is not over',
      async (goalId, db) => {
        const next = await goalOf(0, 'active');
        await db`UPDATE goal SET planned_by = ${goalId} WHERE goal_id = ${next}`;
      },
    ],
    [
      'a goal that goes on from it is not over',
      async (goalId, db) => {
        const next = await goalOf(0, 'active');
        // It left the thread's one slot, as a goal does that another one follows.
        await age(goalId, 30, 'left');
        await db`UPDATE goal SET continues = ${goalId}, thread_id = (
          SELECT thread_id FROM goal WHERE goal_id = ${goalId}) WHERE goal_id = ${next}`;
      },
    ],
    [
      'the goal right after it is not begun',
      (goalId, db) => db`INSERT INTO following_goals (goal_id, goals) VALUES (${goalId}, '[]')`,
    ],
    [
      'its worktree is still there: clear the goal',
      (goalId, db) => db`
        INSERT INTO workspace (name, path, host, marker, origin)
        VALUES (${`worktree-${goalId}`}, '/somewhere', 'here', 'm', ${WORKSPACE})`,
    ],
    [
      'it has a workspace, or waits for one',
      (goalId, db) => db`
        INSERT INTO workspace_queue (workspace, goal_id) VALUES (${WORKSPACE}, ${goalId})`,
    ],
    [
      'a notification of it is on its way',
      (goalId, db) => db`
        INSERT INTO notification (notification_id, goal_id, type, body)
        VALUES (${`n-${goalId}`}, ${goalId}, 'x', '{}')`,
    ],
    [
      'a delivery of a trigger is for it',
      (goalId, db) => db`
        INSERT INTO trigger_delivery (delivery_id, trigger_id, external_id, body_sha256, state,
          goal_id, outcome)
        VALUES (${`d-${goalId}`}, 't', ${goalId}, 'x', 'pending', ${goalId}, '{}')`,
    ],
    [
      'a schedule wakes it',
      (goalId, db) => db`
        INSERT INTO schedule (schedule_id, name, workspace, owner, owner_role, sees_own, cadence,
          overlap, catch_up, catch_up_seconds, action, created_at, cursor_at, seal)
        VALUES (${`s-${goalId}`}, ${goalId}, ${WORKSPACE}, 'ada', 'operator', false, '{}', 'skip',
          'none', 0, ${db.json({ wake: { goalId, text: 'x' } })}, now(), now(), 'x')`,
    ],
    [
      'a model call of it is not charged',
      (goalId, db) => db`
        INSERT INTO step (goal_id, turn, step, attempt, token, state, model, estimated_input,
          reserved_output) VALUES (${goalId}, 9, 1, 1, 1, 'sent', 'm', 1, 1)`,
    ],
  ])('%s', async (why, hold) => {
    const goalId = await goalOf(30);
    const goal = await dueGoal(goalId);
    await hold(goalId, stores.db);
    expect(await removeAs(goal)).toBe(why);
    expect(await due()).not.toContain(goalId);
    expect(await stores.reader.goal(goalId)).not.toBeNull();
  });

  test('parents go before their delegates, and wait for them to be over', async () => {
    const parent = await goalOf(30);
    const child = await goalOf(30, 'active', { parentGoalId: parent });
    const id = `d-${child}`;
    await stores.db`
      INSERT INTO delegate (delegate_id, parent_goal_id, call_id, turn, task, files, mode, returns,
        state, child_goal_id)
      VALUES (${id}, ${parent}, 'c', 1, 'x', '[]', 'agent', 'text', 'ended', ${child})`;
    await stores.db.begin((tx) => sealNewDelegate(tx, keys, id));
    const altered = async () => {
      const delegation = await readDelegation(stores.db, child);
      return delegation === null ? null : alteredDelegates(keys, delegation);
    };
    expect(await altered()).toEqual([]);
    expect(await due()).not.toContain(parent);
    await age(child, 30);
    expect(await due()).toContain(parent);
    expect(await due()).not.toContain(child);
    expect(await remove(parent)).toBeNull();
    // What vouches for a delegate's goal stays as long as that.
    expect(await altered()).toEqual([]);
    expect(await remove(child)).toBeNull();
    expect(await stores.db`SELECT 1 FROM delegate WHERE delegate_id = ${id}`).toHaveLength(0);
    expect(await stores.db`SELECT 1 FROM row_seal WHERE subject = ${id}`).toHaveLength(0);
  });
});

describe('KEEP-4 a goal is removed as it was archived', () => {
  test.each(['revision', 'ledgerSeq', 'events', 'seals'] as const)('by its %s', async (name) => {
    const goalId = await goalOf(30);
    const goal = await dueGoal(goalId);
    const other = { ...goal, [name]: goal[name] + 1 };
    expect(await removeAs(other)).toBe('it changed since it was archived');
    expect(await removeAs(goal)).toBeNull();
  });
});

describe('KEEP-5 the writer removes nothing another way', () => {
  const asked = (goalId: string, days: number, goal: GoalAtRest) => stores.store.sql`
    SELECT remove_goal(${goalId}, ${days}, ${goal.revision}, ${goal.ledgerSeq}, ${goal.events},
      ${goal.seals}) AS why`;

  test('no row goes, and no removal is added, by the rights of its user', async () => {
    const goalId = await goalOf(30);
    const { sql } = stores.store;
    for (const table of ['goal', 'journal', 'ledger', 'seal', 'row_seal', 'message', 'step']) {
      await expect(
        sql`DELETE FROM ${sql(table)} WHERE ${sql('goal_id')} = ${goalId}`,
      ).rejects.toThrow(/permission denied|does not exist/);
    }
    await expect(sql`
      INSERT INTO removed_goal (goal_id, created_by, workspace) VALUES (${goalId}, 'x', 'x')`).rejects.toThrow(
      /permission denied/,
    );
    await expect(sql`DELETE FROM kept_spend`).rejects.toThrow(/permission denied/);
  });

  test('the function takes nothing that is young or not over, and nothing that the log does not tell', async () => {
    const [old, open] = [await goalOf(30), await goalOf(60, 'active')];
    const goal = await dueGoal(old);
    await expect(asked(old, 0, goal)).rejects.toThrow(/for a day at least/);
    await expect(asked(old, 1, goal)).rejects.toThrow(/does not say that/);
    const [{ revision, ledgerSeq, events, seals }] = (await stores.db`
      SELECT g.revision, j.ledger_seq AS "ledgerSeq", j.event_seq AS events, j.seals
      FROM goal g JOIN journal j USING (goal_id) WHERE goal_id = ${open}`) as never as [GoalAtRest];
    const there = { ...goal, revision, ledgerSeq, events, seals };
    expect(await asked(open, 1, there)).toEqual([{ why: 'it is not over' }]);
    expect(await stores.reader.goal(old)).not.toBeNull();
  });

  test('the owner takes no row of the ledger, of seals and files of a goal that is there', async () => {
    const goalId = await goalOf(30);
    for (const table of ['ledger', 'seal']) {
      await expect(
        stores.db`DELETE FROM ${stores.db(table)} WHERE goal_id = ${goalId}`,
      ).rejects.toThrow(/append-only/);
    }
    await expect(stores.db`DELETE FROM row_seal WHERE subject = ${goalId}`).rejects.toThrow(
      /append-only/,
    );
    await expect(stores.db`UPDATE removed_goal SET workspace = 'x'`).rejects.toThrow(/append-only/);
  });
});

describe('KEEP-6 a removed goal never comes back', () => {
  test('its rows can not be added again, a repeated key is told, and its id begins no second one', async () => {
    const goal = newGoal();
    const asked = request();
    const slot = { expectedGoalId: undefined, replace: false, sight: wholeSight };
    await stores.intake.startGoal(asked, goal, slot);
    const { goalId } = goal;
    await age(goalId, 30);
    const kept = await stores.db<{ row: object }[]>`
      SELECT to_jsonb(g) AS row FROM goal g WHERE goal_id = ${goalId}`;
    expect(await remove(goalId)).toBeNull();
    await expect(stores.store.sql`
      INSERT INTO goal SELECT * FROM jsonb_populate_record(NULL::goal,
        ${stores.db.json((kept[0]?.row ?? {}) as never)})`).rejects.toThrow(/was removed/);
    await expect(stores.intake.startGoal(asked, newGoal(), slot)).rejects.toMatchObject({
      ...{ code: 'goal_removed', data: { goalId } },
    });
    await expect(
      stores.intake.startGoal(request(), newGoal({ goalId }), slot),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    await expect(stores.intake.reserveRequest(asked)).rejects.toMatchObject({
      code: 'goal_removed',
    });
  });
});

describe('KEEP-7 what was spent stays spent', () => {
  test('reports say the same by each key, and a limit that opens later counts it', async () => {
    const goalId = await goalOf(30, 'complete');
    await goalOf(30, 'active');
    const today = new Date();
    const range = {
      from: new Date(today.getTime() - 86_400_000).toISOString(),
      to: new Date(today.getTime() + 86_400_000).toISOString(),
      ...{ timeZone: 'Asia/Kathmandu', sight: wholeSight },
    };
    const by = ['hour', 'day', 'model', 'workspace', 'principal', 'goal'] as const;
    const look = () => Promise.all(by.map((one) => stores.reader.spend({ ...range, by: one })));
    const bound = { startedBy: null, workspaces: [WORKSPACE] };
    const narrow = () => stores.reader.spend({ ...range, by: 'principal', sight: bound });
    const before = [await look(), await narrow()];
    expect(await remove(goalId)).toBeNull();
    expect([await look(), await narrow()]).toEqual(before);
    const [{ cost }] = await stores.db<[{ cost: string }]>`
      SELECT sum(cost_usd)::text AS cost FROM (SELECT cost_usd FROM step WHERE state <> 'sent'
        UNION ALL SELECT cost_usd FROM kept_spend) all_of_them`;
    const journal = createJournal(stores.store.sql, {
      ledgerKeys: keys,
      spendLimits: () => [
        ...(['service', 'workspace', 'principal'] as const).map((of) => ({
          ...{ of, name: null, per: 'month', timeZone: 'UTC', costUsd: '100', tokens: null },
        })),
      ],
    } as never);
    const { fence } = await stores.openTurn();
    await journal.beginStep(fence, { ...sentStep(), mostUsd: '1' } as never);
    const windows = await stores.db<{ scope: string; cost: string }[]>`
      SELECT scope, cost_usd::text AS cost FROM spend_window`;
    expect(windows.length).toBe(3);
    for (const window of windows) expect(Number(window.cost)).toBeCloseTo(Number(cost), 9);
    expect(Number(cost)).toBeGreaterThanOrEqual(2 * Number(USAGE.costUsd));
  });
});

describe('KEEP-8 anchors tell a removal from a row that somebody took', () => {
  let own: OpenRecord;
  let folder: string;
  beforeAll(async () => {
    [own, folder] = [await openRecord(keys), await mkdtemp(join(tmpdir(), 'goalkeeper-keep-'))];
    await beginSealing(own.db, keys);
  });
  afterAll(async () => {
    await own.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a sealed entry with the anchored head is a removal; one without a seal is none', async () => {
    const target = fileTarget(join(folder, 'anchors'));
    const store = createAnchorStore(own.store.sql, keys.sealing as LedgerKey);
    const anchor = () =>
      anchorOnce({ store, targets: [target], log: { warn: () => {} } as never }, 0);
    const verify = () => createAnchors(own.db, keys, [target]).verify(null);
    const begun = async () => {
      const { fence, goalId } = await own.openTurn();
      await own.journal.startCall(fence, startedCall());
      await own.journal.settleCall(fence, settledCall());
      await age(goalId, 40, 'complete', own.db);
      return goalId;
    };
    const goals = createRemovedGoals(own.store.sql, keys, [target.name]);
    const [removed, forged] = [await begun(), await begun()];
    await anchor();
    const late = await begun();
    const found = await goals.due(KEPT, null);
    expect(found.map(({ goalId }) => goalId).sort()).toEqual([removed, forged].sort());
    expect(late).not.toBe(removed);
    const of = (goalId: string) => found.find((goal) => goal.goalId === goalId) as GoalAtRest;
    expect(await removeAs(of(removed), goals)).toBeNull();
    expect((await verify()).holds).toBe(true);
    await anchor();
    expect((await verify()).holds).toBe(true);
    // Whoever has the writer's user without the key tells the log what no seal holds.
    expect(
      await removeAs(of(forged), createRemovedGoals(own.store.sql, noKeys, [target.name])),
    ).toBeNull();
    const { faults } = await verify();
    expect(faults).toContainEqual(expect.objectContaining({ fault: 'vanished', subject: forged }));
    expect(await own.reader.removedGoal(removed, wholeSight)).toMatchObject({ archive: ARCHIVE });
    expect(await own.reader.removedGoal(forged, wholeSight)).toMatchObject({ archive: null });
    await addToSecurityLog(own.db, keys, {
      ...{ who: null, role: null, address: null, what: 'goal_removed', subject: 'g-x' },
      ...{ result: 'done', data: {} },
    });
  });
});

describe('KEEP-9 a file that two goals hold', () => {
  test('stays with the second one, and is swept behind it', async () => {
    const [one, two] = [await goalOf(30), await goalOf(30)];
    const sha256 = 'f'.repeat(64);
    await stores.db`INSERT INTO attachment_content (sha256, content) VALUES (${sha256}, 'x')`;
    const ref = stores.db.json({ sha256, name: 'a.txt', mediaType: 'text/plain', bytes: 1 });
    for (const goalId of [one, two]) {
      await stores.db`
        INSERT INTO goal_attachment (goal_id, sha256, source, source_id, ref)
        VALUES (${goalId}, ${sha256}, 'objective', ${goalId}, ${ref})`;
    }
    const isThere = async () => {
      await sweepAttachments(stores.db);
      const rows = await stores.db`SELECT 1 FROM attachment_content WHERE sha256 = ${sha256}`;
      return rows.count === 1;
    };
    expect(await remove(one)).toBeNull();
    expect(await isThere()).toBe(true);
    expect(await remove(two)).toBeNull();
    expect(await isThere()).toBe(false);
  });
});

describe('KEEP-69 an old goal that stays is told with the reason', () => {
  test('once for each reason, with how many there are and which', async () => {
    const [waited, other] = [await goalOf(30), await goalOf(30)];
    const before = await port().staying(KEPT);
    for (const goalId of [waited, other])
      await stores.db`INSERT INTO workspace_queue (workspace, goal_id) VALUES (${WORKSPACE}, ${goalId})`;
    const why = 'it has a workspace, or waits for one';
    const goals = before.find((one) => one.why === why)?.goals ?? 0;
    const staying = await port().staying(KEPT);
    expect(staying).toContainEqual({
      ...{ why, goals: goals + 2, goalIds: expect.arrayContaining([waited, other]) },
    });
    expect(staying.map((one) => one.why)).not.toContain('it is not old enough');
    await stores.db`DELETE FROM workspace_queue WHERE goal_id IN ${stores.db([waited, other])}`;
  });
});

describe('KEEP-71 the writer ends no goal by its row', () => {
  test('a goal that goes on is not removed, and shows as altered', async () => {
    const goalId = await goalOf(30, 'active');
    await stores.store.sql`
      UPDATE goal SET archived_at = now() - interval '40 days',
        snapshot = jsonb_set(snapshot, '{context,isArchived}', 'true'),
        updated_at = now() - interval '40 days' WHERE goal_id = ${goalId}`;
    const why = 'what was sealed does not say that it is over';
    expect(await removeAs(await dueGoal(goalId))).toBe(why);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: false });
    await stores.store.sql`
      UPDATE goal SET archived_at = NULL, status = 'complete',
        snapshot = jsonb_set(snapshot, '{context,isArchived}', 'false') WHERE goal_id = ${goalId}`;
    expect(await removeAs(await dueGoal(goalId))).toBe(why);
    const entries = await stores.db`
      SELECT 1 FROM security_log WHERE what = 'goal_removed' AND subject = ${goalId}`;
    expect(entries.count).toBe(0);
  });
});

describe('KEEP-72 a request that was stored while its goal went keeps no body', () => {
  test('the next look empties it, and it answers as the others do', async () => {
    const goalId = await goalOf(30);
    const goal = await dueGoal(goalId);
    const asked = request({ goalId });
    let isRemoved: () => void = () => {};
    const removed = new Promise<void>((resolve) => {
      isRemoved = resolve;
    });
    let isStored: () => void = () => {};
    const stored = new Promise<void>((resolve) => {
      isStored = resolve;
    });
    const late = stores.db.begin(async (tx) => {
      await tx`INSERT INTO request (principal, route, key, body_hash, body, commit_id, goal_id)
        VALUES ('ada', ${`POST /v1/goals/${goalId}/messages`}, ${asked.key}, 'x',
          ${tx.json({ text: 'a secret' })}, ${`c-${goalId}`}, ${goalId})`;
      isStored();
      await removed;
    });
    await stored;
    expect(await removeAs(goal)).toBeNull();
    isRemoved();
    await late;
    expect(await port().emptyRequests()).toBe(1);
    expect(await port().emptyRequests()).toBe(0);
    const [row] = await stores.db`
      SELECT body, answer, http_status FROM request WHERE commit_id = ${`c-${goalId}`}`;
    expect(row).toEqual({ body: {}, answer: null, http_status: 410 });
  });
});

describe('KEEP-70 anchors that are turned off keep no goal', () => {
  test('one whose last head was never anchored goes where none is anchored any more', async () => {
    const goalId = await goalOf(30);
    await stores.db`
      INSERT INTO anchor (size, root, at, key_id, signature, peaks)
      VALUES (0, 'x', now(), 'x', 'x', '[]')`;
    expect(await port().staying(KEPT)).toContainEqual({
      ...{ why: 'its last head is not anchored', goals: expect.any(Number) },
      goalIds: expect.arrayContaining([goalId]),
    });
    const without = createRemovedGoals(stores.store.sql, keys, []);
    const goal = (await without.due(KEPT, null)).find((one) => one.goalId === goalId);
    expect(await removeAs(goal as GoalAtRest)).toBe('its last head is not anchored');
    expect(await removeAs(goal as GoalAtRest, without)).toBeNull();
  });
});

describe('KEEP-75 a goal goes once each place has taken its last head', () => {
  let own: OpenRecord;
  let folder: string;
  beforeAll(async () => {
    [own, folder] = [await openRecord(keys), await mkdtemp(join(tmpdir(), 'goalkeeper-keep-'))];
    await beginSealing(own.db, keys);
  });
  afterAll(async () => {
    await own.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('one that a place has not taken stays, and a larger head that it takes later covers it', async () => {
    const taking = fileTarget(join(folder, 'anchors'));
    let isFull = true;
    const failing: AnchorTarget = {
      ...{ name: 'https://heads.example', read: null },
      put: async () => {
        if (isFull) throw new Error('503');
      },
    };
    const store = createAnchorStore(own.store.sql, keys.sealing as LedgerKey);
    const anchor = (...targets: AnchorTarget[]) =>
      anchorOnce({ store, targets, log: { warn: () => {} } as never }, 0);
    const begun = async (days: number) => {
      const { fence, goalId } = await own.openTurn();
      await own.journal.startCall(fence, startedCall());
      await own.journal.settleCall(fence, settledCall());
      await age(goalId, days, 'complete', own.db);
      return goalId;
    };
    const goalId = await begun(40);
    const by = (...places: string[]) => createRemovedGoals(own.store.sql, keys, places);
    const isDue = async (...places: string[]) =>
      (await by(...places).due(KEPT, null)).some((goal) => goal.goalId === goalId);
    await anchor(failing);
    expect(await isDue(failing.name)).toBe(false);
    expect(await by(failing.name).staying(KEPT)).toContainEqual({
      ...{ why: 'its last head is not anchored', goals: 1, goalIds: [goalId] },
    });
    // Nobody names places: each that a head was made for counts.
    const [row] = await own.store.sql`SELECT why_goal_stays(${goalId}, 10) AS why`;
    expect(row?.why).toBe('its last head is not anchored');
    // A place that is new has none of the former heads, and a later one covers them.
    expect(await isDue(taking.name)).toBe(false);
    await begun(0);
    await anchor(taking, failing);
    expect(await isDue(taking.name)).toBe(true);
    expect(await isDue(taking.name, failing.name)).toBe(false);
    isFull = false;
    await own.db`UPDATE anchor_delivery SET next_at = now()`;
    await anchor(taking, failing);
    expect(await isDue(taking.name, failing.name)).toBe(true);
  });
});
