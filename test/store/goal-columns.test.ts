import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import { initialCounters } from '../../src/goal/decision/counters.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { GOAL_COLUMNS } from '../../src/store/ledger/goal-facts.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { mutation, type OpenRecord, openRecord, settledTurn } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsOfGoal = () => stores.db<Column[]>`
  SELECT column_name AS name, udt_name AS type FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = 'goal' ORDER BY column_name`;

const OTHER: Readonly<Record<string, string>> = {
  text: `'other'`,
  bool: 'NOT $',
  int4: '$ + 1',
  timestamptz: `$ + interval '1 day'`,
};

/** Another value of the column, which its readers could still read. */
function otherOf({ name, type }: Column): string {
  if (name === 'criteria') return `jsonb_set(criteria, '{0,spec,command}', '"true"')`;
  if (name === 'status') return `'complete'`;
  if (name === 'setup') return `'["other"]'`;
  if (name === 'attachments') return `'[{"other": 1}]'`;
  if (type === 'jsonb')
    return `CASE WHEN jsonb_typeof("${name}") = 'array' THEN '[{"other": 1}]'::jsonb
      ELSE coalesce("${name}", '{}') || '{"other": 1}' END`;
  return (OTHER[type] ?? '').replace('$', `"${name}"`);
}

const verdictOf = (goalId: string) => createLedgerVerifier(stores.db, keys).whole(goalId);

describe('the row of a goal', () => {
  it('ROW-34 each column is sealed, or it is named as free with a reason', async () => {
    const columns = await columnsOfGoal();
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(GOAL_COLUMNS).sort());
    const missed: string[] = [];
    for (const column of columns) {
      const fact = GOAL_COLUMNS[column.name as keyof typeof GOAL_COLUMNS];
      if (typeof fact === 'object') continue;
      const goalId = await stores.accept();
      await stores.db.unsafe(
        `UPDATE goal SET "${column.name}" = ${otherOf(column)} WHERE goal_id = '${goalId}'`,
      );
      const verdict = await verdictOf(goalId);
      if (verdict.holds || verdict.record?.kind !== fact) missed.push(column.name);
      // Of a workspace that nobody knows nothing is read.
      const refused = column.name === 'workspace_name' ? TypeError : RecordAltered;
      await expect(stores.journal.brief(goalId), column.name).rejects.toThrow(refused);
    }
    expect(missed).toEqual([]);
  });

  it('ROW-35 how a criterion stood before the work is sealed with its baseline', async () => {
    const goalId = await stores.accept();
    expect((await stores.journal.brief(goalId)).goalId).toBe(goalId);
    await stores.db`
      UPDATE goal SET criteria = jsonb_set(criteria, '{0,baseline}', '"met"')
      WHERE goal_id = ${goalId}`;
    await expect(stores.journal.brief(goalId)).rejects.toThrow(/not what was sealed/);
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'edited', record: { kind: 'ground' } });
  });

  it('ROW-36 what the service does next vouches for no edit, and a seal without the key for none', async () => {
    const { goalId, execution } = await stores.openTurn();
    await stores.db`
      UPDATE goal SET counters = jsonb_set(counters, '{bestMet}', '9') WHERE goal_id = ${goalId}`;
    await stores.record.recordBaseline(execution, { states: { c1: 'unmet' }, reasons: {} });
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'edited', record: { kind: 'ground' } });
    await stores.db`
      INSERT INTO seal (goal_id, number, kind, subject, digest, ledger_seq, ledger_head, at,
        previous, hash)
      SELECT goal_id, 99, kind, subject, digest, ledger_seq, ledger_head, at, previous, hash
      FROM seal WHERE goal_id = ${goalId} AND kind = 'ground' ORDER BY number DESC LIMIT 1`;
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-36 nor does the end of a turn, which seals what it changes itself', async () => {
    const goOn = { action: 'continue', next: 'nudge' } as const;
    const counted = { ...initialCounters, toolFreeTurns: 1 };
    for (const isEdited of [false, true]) {
      const { goalId, execution } = await stores.openTurn();
      if (isEdited) {
        await stores.db`
          UPDATE goal SET counters = jsonb_set(counters, '{bestMet}', '9')
          WHERE goal_id = ${goalId}`;
      }
      const turn = settledTurn(goOn, { decision: { counters: counted } });
      await stores.record.recordTurn(execution, turn);
      const verdict = isEdited ? { fault: 'edited', record: { kind: 'ground' } } : { holds: true };
      expect(await verdictOf(goalId)).toMatchObject(verdict);
      const sealed = await stores.db`
        SELECT 1 FROM seal WHERE goal_id = ${goalId} AND kind = 'ground'`;
      expect(sealed.count).toBe(isEdited ? 1 : 2);
      await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    }
  });
});
