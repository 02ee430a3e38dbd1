import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import { sees } from '../../src/policy/sight.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { newGoal, type OpenRecord, openRecord } from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);
const ofShop = { startedBy: null, workspaces: ['shop'] };
const ofBot = { startedBy: 'bot', workspaces: null };

let stores: OpenRecord;
let goalId: string;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
  for (const name of ['shop', 'till'])
    await stores.intake.registerWorkspace({
      ...{ name, path: `/${name}`, host: 'here', marker: name, isRepository: true },
    });
  goalId = await stores.accept({ workspace: 'till', worktree: 'required' });
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

/** The goal is found by nobody who may not see it: asked for, listed, or by the begin of its id. */
async function expectUnseen(): Promise<void> {
  const owner = await stores.reader.owner(goalId);
  expect(owner).toEqual({ startedBy: 'ada', workspace: 'till' });
  for (const sight of [ofShop, ofBot]) {
    expect(owner !== null && sees(sight, owner)).toBe(false);
    expect(await stores.reader.goalIds(goalId, sight)).toEqual([]);
    const { items } = await stores.reader.goals({
      sight,
      limit: 10,
      sort: 'newest',
      archived: false,
    });
    expect(items.map((goal) => goal.goalId)).not.toContain(goalId);
  }
}

describe('who sees and steers a goal', () => {
  it('ROW-67 is decided by columns that the service’s own user can’t change', async () => {
    const tree = `worktree-${goalId}`;
    for (const statement of [
      `UPDATE goal SET created_by = 'bot'`,
      `UPDATE goal SET created_by_role = 'admin'`,
      `UPDATE goal SET workspace_name = 'shop'`,
      `UPDATE goal SET parent_goal_id = 'g-other'`,
      `UPDATE goal SET thread_id = 't-other'`,
      `UPDATE goal SET goal_id = 'g-other'`,
      `UPDATE workspace SET origin = 'shop' WHERE name = '${tree}'`,
      `UPDATE workspace SET origin = 'shop' WHERE name = 'till'`,
      `UPDATE workspace SET name = 'shop-' || name`,
      `UPDATE workspace SET marker = 'shop'`,
      `DELETE FROM workspace`,
      `DELETE FROM goal`,
    ])
      await expect(attack(statement), statement).rejects.toThrow(/permission denied/);
    await expectUnseen();
  });

  it('ROW-68 neither does a row that it adds: what it writes anew works nowhere', async () => {
    await attack(`INSERT INTO workspace (name, path, host, marker, origin)
      VALUES ('shop-2', '/till', 'here', 'till', 'shop')`);
    await expectUnseen();
    const forged = newGoal();
    const [row] = await stores.db`SELECT * FROM goal WHERE goal_id = ${goalId}`;
    const copy = { ...row, goal_id: forged.goalId, thread_id: forged.threadId, created_by: 'bot' };
    await attack(`INSERT INTO goal SELECT * FROM jsonb_populate_record(NULL::goal,
      '${JSON.stringify(copy).replaceAll("'", "''")}')`);
    await attack(`INSERT INTO journal (goal_id, ledger_head) VALUES ('${forged.goalId}', '')`);
    await expect(stores.journal.brief(forged.goalId)).rejects.toThrow(RecordAltered);
    expect((await stores.verifier.whole(forged.goalId)).holds).toBe(false);
  });

  it('ROW-69 a folder is registered under the name of no goal’s worktree', async () => {
    const name = `worktree-${goalId}`;
    const registered = stores.intake.registerWorkspace({
      ...{ name, path: '/elsewhere', host: 'here', marker: name },
    });
    await expect(registered).rejects.toThrow('belongs to another tree');
    await expectUnseen();
  });
});
