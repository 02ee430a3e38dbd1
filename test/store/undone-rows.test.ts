import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeSight } from '../../src/policy/sight.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { addToSecurityLog } from '../../src/store/ledger/security-entries.ts';
import { newGoal, type OpenRecord, openRecord, request } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

describe('what a row can undo', () => {
  it('ROW-121 no temporary table stands in for one that a rule of the record looks at', async () => {
    const open = await stores.db`
      SELECT proname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
      WHERE pronamespace = current_schema()::regnamespace AND lanname = 'plpgsql'
        AND NOT coalesce(proconfig[1] LIKE 'search_path=%, pg_temp', false)`;
    expect([...open]).toEqual([]);
    const sha256 = createHash('sha256').update('held').digest('hex');
    await attack(`INSERT INTO attachment_content (sha256, content) VALUES ('${sha256}', 'held');
      INSERT INTO goal_attachment (goal_id, sha256, source, source_id, ref)
        VALUES ('g-holds', '${sha256}', 'objective', 'x', '{}')`);
    await expect(
      attack(`CREATE TEMPORARY TABLE goal_attachment (sha256 TEXT) ON COMMIT DROP;
        DELETE FROM attachment_content WHERE sha256 = '${sha256}'`),
    ).rejects.toThrow('a goal holds the file');
  });

  it('ROW-122 a schedule or trigger begins one goal by one act, also where the request for it is gone', async () => {
    const asked = request({ key: 'due' });
    const slot = { expectedGoalId: undefined, replace: false, sight: wholeSight };
    const goal = newGoal();
    await stores.intake.startGoal(asked, goal, slot);
    await attack(`DELETE FROM request WHERE key = 'due'`);
    const again = stores.intake.startGoal(asked, { ...newGoal(), goalId: goal.goalId }, slot);
    await expect(again).rejects.toThrow(`${goal.goalId} was begun for it before`);
  });

  it('ROW-123 the end of the security log is one of its entries, and none stands ahead of the others', async () => {
    const { sql } = stores.store;
    const entry = {
      ...{ who: 'ada', role: 'admin', address: null, what: 'token_made' },
      ...{ subject: 'one', result: 'done', data: {} },
    } as never;
    await addToSecurityLog(sql, keys, entry);
    const far = Number.MAX_SAFE_INTEGER;
    for (const statement of [
      `UPDATE security_head SET number = ${far}`,
      `UPDATE security_head SET number = -5`,
      `INSERT INTO security_log (what, result, number) VALUES ('x', 'done', ${far})`,
      `INSERT INTO security_log (what, result, number) VALUES ('x', 'done', -5)`,
    ])
      await expect(attack(statement), statement).rejects.toThrow(/no entry before/);
    await attack(`UPDATE security_head SET number = 0, hash = 'x', seal = NULL`);
    await addToSecurityLog(sql, keys, entry);
    expect((await stores.db`SELECT 1 FROM security_log WHERE subject = 'one'`).count).toBe(2);
  });

  it('ROW-124 a message that was told is told once', async () => {
    const { goalId } = await stores.openTurn();
    await attack(`INSERT INTO inbox (message_id, goal_id, kind, voice, text, delivery, taken_by_turn)
      VALUES ('m-told', '${goalId}', 'message', 'person', 'Pay the bill.', 'steer', 1)`);
    for (const turn of ['NULL', '2'])
      await expect(
        attack(`UPDATE inbox SET taken_by_turn = ${turn} WHERE message_id = 'm-told'`),
      ).rejects.toThrow('was taken by a turn');
  });

  it('API-69 a message that was taken back stays so, by whom and when, and one is either taken back or read', async () => {
    const { goalId } = await stores.openTurn();
    await attack(`INSERT INTO inbox (message_id, goal_id, kind, voice, text, delivery)
      VALUES ('m-back', '${goalId}', 'message', 'person', 'Pay the bill.', 'steer')`);
    const change = (set: string) => attack(`UPDATE inbox SET ${set} WHERE message_id = 'm-back'`);
    for (const half of ['taken_by_turn = 0', 'taken_back_at = now()', "taken_back_by = 'eve'"])
      await expect(change(half)).rejects.toThrow('inbox_taken_back_whole');
    const back = "taken_back_by = 'ann', taken_back_at = now()";
    await expect(change(`taken_by_turn = 1, ${back}`)).rejects.toThrow('inbox_taken_back_whole');
    await change(`taken_by_turn = 0, ${back}`);
    for (const other of ['NULL', '2'])
      await expect(
        change(`taken_by_turn = ${other}, taken_back_by = NULL, taken_back_at = NULL`),
      ).rejects.toThrow('was taken');
    await expect(change("taken_back_by = 'eve'")).rejects.toThrow('was taken back');
    await expect(change('taken_back_at = now()')).rejects.toThrow('was taken back');
  });

  it('ROW-125 counts below nothing, times without a day and approvals that nobody can read fail no list', async () => {
    const goalId = await stores.accept();
    for (const statement of [
      `UPDATE goal SET activity = activity || '{"since": "-infinity"}' WHERE goal_id = '${goalId}'`,
      `UPDATE goal SET activity = activity || '{"until": "4713-01-01 BC"}' WHERE goal_id = '${goalId}'`,
      ...['turn', 'turns', 'steps', 'input_tokens', 'output_tokens', 'cost_usd', 'active_ms'].map(
        (column) => `UPDATE journal SET ${column} = -1 WHERE goal_id = '${goalId}'`,
      ),
    ])
      await expect(attack(statement), statement).rejects.toThrow('violates check');
    for (const [kind, data] of [
      ['odd', '{}'],
      ['tool', '{"always": {"covers": 7}}'],
      ['basis', '{"changes": 7}'],
    ])
      await attack(`INSERT INTO approval (approval_id, goal_id, kind, turn, data, state)
        VALUES ('a-${kind}', '${goalId}', '${kind}', 1, '${data}', 'open')`);
    const filter = { state: 'open', sight: wholeSight } as const;
    expect((await stores.reader.approvals(filter)).map(({ kind }) => kind)).not.toContain('odd');
    const { items } = await stores.reader.inbox(wholeSight, 50);
    expect(items.map(({ kind }) => kind)).not.toContain('odd');
  });

  it('ROW-127 a due time that was settled is not due again, none from before is decided, and a rewind is done once', async () => {
    const made = `INSERT INTO schedule (schedule_id, name, workspace, owner, owner_role, sees_own, cadence,
        overlap, catch_up, catch_up_seconds, action, created_at, cursor_at, seal)
      VALUES ('s-1', 's', 'tree', 'ada', 'operator', false, '{}', 'skip', 'all', 60, '{}', now(), now(), '')`;
    await attack(made);
    await attack(`INSERT INTO schedule_run (schedule_id, due_at, state, settled_at)
      VALUES ('s-1', now(), 'skipped', now())`);
    for (const set of [`state = 'due'`, `state = 'waiting'`, 'settled_at = NULL'])
      await expect(
        attack(`UPDATE schedule_run SET ${set} WHERE schedule_id = 's-1'`),
      ).rejects.toThrow('is settled');
    await expect(
      attack(
        `UPDATE schedule SET cursor_at = cursor_at - interval '1 hour' WHERE schedule_id = 's-1'`,
      ),
    ).rejects.toThrow('were decided up to');
    await attack(`INSERT INTO rewind (goal_id, number, commit_id, checkpoint, turn, ordered_by, state, ended_at)
      VALUES ('g-1', 1, 'c-1', 't1', 1, 'ada', 'done', now())`);
    await expect(
      attack(`UPDATE rewind SET state = 'begun', ended_at = NULL WHERE goal_id = 'g-1'`),
    ).rejects.toThrow('is over');
  });

  it('ROW-128 a lease of a goal or check that is not there, or that works elsewhere, is taken off, and ends no process of theirs', async () => {
    const { goalId } = await stores.openTurn();
    await attack(
      `INSERT INTO workspace (name, path, host, marker) VALUES ('other', '/o', 'here', 'm')`,
    );
    const lease = async (set: string) => {
      await stores.db`UPDATE workspace SET lease_goal_id = NULL, lease_check_id = NULL`;
      await attack(`UPDATE workspace SET ${set} WHERE name = 'other'`);
      const found = await stores.reconcile.staleLeases('here');
      const stale = found.filter(({ workspace }) => workspace === 'other');
      expect(stale, set).toMatchObject([{ helper: null }]);
      for (const one of stale) expect(await stores.reconcile.releaseLease(one), set).toBe(true);
    };
    await lease(`lease_goal_id = 'g-nobody'`);
    await lease(`lease_goal_id = '${goalId}'`);
    await lease(`lease_check_id = 'c-nobody', leased_at = now()`);
    await attack(`UPDATE workspace SET lease_goal_id = '${goalId}' WHERE name = 'tree'`);
    const names = (await stores.reconcile.staleLeases('here')).map(({ workspace }) => workspace);
    expect(names).not.toContain('tree');
  });
});
