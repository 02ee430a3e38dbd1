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
});
