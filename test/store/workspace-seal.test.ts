import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered, Refusal } from '../../src/contract/failures.ts';
import type { Worktree } from '../../src/contract/worktrees.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { isFree } from '../../src/store/ledger/counted-table.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { WORKSPACE_COLUMNS } from '../../src/store/ledger/workspace-seal.ts';
import { createReader } from '../../src/store/reads/reader.ts';
import { createCheckLoans } from '../../src/store/workspaces/check-loan.ts';
import { createWorktreeStore } from '../../src/store/workspaces/worktrees.ts';
import {
  leaveCovered,
  mutation,
  type OpenRecord,
  openRecord,
  WORKSPACE,
} from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const anew = ledgerKeys(['the key that comes after it', SECRET]);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const tree = (name: string, path = `/${name}`) => ({ name, path, host: 'here', marker: name });
const register = (name: string, path?: string) =>
  stores.intake.registerWorkspace({ ...tree(name, path), isRepository: true });
const briefIn = async (workspace: string) =>
  stores.journal.brief(await stores.accept({ workspace }));
const worktrees = () => createWorktreeStore(stores.store, { ledgerKeys: keys });
const loans = () => createCheckLoans(stores.store.sql, keys);

const told = async (subject: string) => {
  const rows = await stores.db<{ data: object }[]>`
    SELECT data FROM security_log WHERE what = 'record_refused' AND subject = ${subject}`;
  return rows.length;
};

/** A goal in its first turn with a tree of its own, which is made at `path`. */
async function inWorktree(origin: string, path: string) {
  const opened = await stores.openTurn({ workspace: origin, worktree: 'required' });
  await worktrees().tellMade(opened.fence, path, { base: 'abc', uncommitted: 0, begins: null });
  return { ...opened, name: `worktree-${opened.goalId}` };
}

const sweep = async (): Promise<string[]> => {
  const left: Worktree[] = [];
  await worktrees().withLeftBehind('here', [], async (rows) => void left.push(...rows));
  return left.map(({ goalId }) => goalId);
};

describe('where a workspace lies', () => {
  it('ROW-40 each column of its row is sealed, or it is named as free with a reason', async () => {
    const columns = await stores.db<{ name: string; type: string }[]>`
      SELECT column_name AS name, udt_name AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'workspace'`;
    for (const { name, type } of columns.filter(
      ({ name }) => !isFree(WORKSPACE_COLUMNS[name as keyof typeof WORKSPACE_COLUMNS]),
    )) {
      await register('whole');
      const goalId = await stores.accept({ workspace: 'whole' });
      expect((await stores.journal.brief(goalId)).workspace.path).toBe('/whole');
      const other = { text: `'other'`, bool: `NOT "${name}"`, jsonb: `'{"base": "--output=x"}'` };
      // The owner of the tables may more than the service's user.
      await stores.db.unsafe(
        `UPDATE workspace SET "${name}" = ${other[type as keyof typeof other]} WHERE name = 'whole'`,
      );
      // Of a workspace that nobody knows nothing is read.
      const refused = name === 'name' ? TypeError : RecordAltered;
      await expect(stores.journal.brief(goalId), name).rejects.toThrow(refused);
      const served = (await stores.reader.workspaces()).map((one) => one.name);
      expect(served, name).not.toContain(name === 'name' ? 'other' : 'whole');
      await stores.db`UPDATE workspace SET marker = name, origin = NULL WHERE name = 'whole'`;
    }
    await register('whole');
    await attack(`UPDATE workspace SET write_seq = 9, lease_goal_id = 'g' WHERE name = 'whole'`);
    expect((await briefIn('whole')).workspace.writeSeq).toBe(9);
  });

  it('ROW-41 no seal of another workspace and no former one of its own moves it; a new one needs the key', async () => {
    await register('moved', '/first');
    const first = await attack(
      `SELECT * FROM row_seal WHERE kind = 'workspace' AND subject = 'moved'`,
    );
    await register('moved', '/second');
    await register('moved', '/second');
    const count = await attack(`SELECT count(*)::int FROM row_seal
      WHERE kind = 'workspace' AND subject = 'moved'`);
    expect(count).toEqual([{ count: 2 }]);
    expect((await briefIn('moved')).workspace.path).toBe('/second');
    for (const gone of ['DELETE FROM', 'UPDATE']) {
      const rest = gone === 'UPDATE' ? `SET number = 9` : '';
      await expect(attack(`${gone} row_seal ${rest}`), gone).rejects.toThrow(/permission/);
      await expect(stores.db.unsafe(`${gone} row_seal ${rest}`)).rejects.toThrow('append-only');
    }
    await attack(`UPDATE workspace SET path = '/first' WHERE name = 'moved'`);
    await expect(briefIn('moved')).rejects.toThrow(RecordAltered);
    await attack(`INSERT INTO row_seal (kind, subject, number, seal)
      VALUES ('workspace', 'moved', 3, '${first[0]?.seal}')`);
    await expect(briefIn('moved')).rejects.toThrow(RecordAltered);
    await attack(`INSERT INTO workspace (name, path, host, marker, is_repository)
      SELECT 'copied', path, host, marker, is_repository FROM workspace WHERE name = '${WORKSPACE}'`);
    await attack(`INSERT INTO row_seal SELECT kind, 'copied', number, seal FROM row_seal
      WHERE kind = 'workspace' AND subject = '${WORKSPACE}'`);
    await expect(briefIn('copied')).rejects.toThrow(RecordAltered);
    // Who registers its folder again says what is true.
    await register('moved', '/second');
    expect((await briefIn('moved')).workspace.path).toBe('/second');
  });

  it('ROW-42 a check without a goal and what the API opens are refused there, with the reason, and the log tells', async () => {
    await register('till');
    expect(await loans().pathOf('till', 'here')).toBe('/till');
    const goalId = await stores.accept({ workspace: 'till' });
    const log = async () => undefined;
    const reader = createReader(stores.store, keys, log);
    expect(await reader.folderOf(goalId)).toEqual({ path: '/till', host: 'here' });
    await attack(`UPDATE workspace SET path = '/other' WHERE name = 'till'`);
    const refusal = { code: 'unknown_workspace', data: { field: 'workspace' } };
    await expect(loans().pathOf('till', 'here')).rejects.toMatchObject(refusal);
    await expect(reader.folderOf(goalId)).rejects.toBeInstanceOf(Refusal);
    expect(await reader.alteredWorkspaces()).toContainEqual(
      expect.objectContaining({ name: 'till', why: expect.stringMatching(/changed the database/) }),
    );
    expect(await told('workspace till')).toBe(1);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    expect(await told(goalId)).toBe(1);
  });

  it('ROW-43 a worktree is made, judged and removed only where the service itself said', async () => {
    await register('shop');
    const { goalId, name, fence, execution } = await inWorktree('shop', '/trees/one');
    expect(await worktrees().find(goalId)).toMatchObject({ path: '/trees/one', name });
    const result = { base: 'abc', commit: 'def', files: 1, added: 1, removed: 0 };
    await worktrees().tellResult(fence, result);
    expect((await stores.journal.brief(goalId)).workspace).toMatchObject({ path: '/trees/one' });
    await stores.record.commitMutation(execution, mutation({ kind: 'clear' }), goalId);
    await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    expect(await sweep()).toContain(goalId);
    for (const change of [`path = '/etc'`, `result = '{"base": "--output=/etc/x"}'`]) {
      await attack(`UPDATE workspace SET ${change} WHERE name = '${name}'`);
      await expect(worktrees().find(goalId)).rejects.toThrow(RecordAltered);
      expect(await sweep()).not.toContain(goalId);
      expect(await worktrees().makers([goalId])).toEqual([]);
      // What the service tells next vouches for no edit.
      await worktrees().tellResult(fence, result);
      if (change.startsWith('path')) await expect(worktrees().find(goalId)).rejects.toThrow();
      await attack(`UPDATE workspace SET path = '/trees/one' WHERE name = '${name}'`);
      expect(await worktrees().find(goalId)).toMatchObject({ result });
    }
    await worktrees().tellRemoved(name);
    expect(await worktrees().find(goalId)).toMatchObject({ path: '' });
  });

  it('ROW-44 no tree is made from an origin that somebody changed, also once it is back', async () => {
    await register('origin');
    const { goalId } = await stores.openTurn({ workspace: 'origin', worktree: 'required' });
    await attack(`UPDATE workspace SET path = '/etc' WHERE name = 'origin'`);
    await expect(worktrees().find(goalId)).rejects.toThrow(RecordAltered);
    const late = await stores.accept({ workspace: 'origin', worktree: 'required' });
    await attack(`UPDATE workspace SET path = '/origin' WHERE name = 'origin'`);
    expect(await worktrees().find(goalId)).toMatchObject({ originPath: '/origin' });
    await expect(stores.journal.brief(late)).rejects.toThrow(RecordAltered);
  });

  it('ROW-45 what was there before is taken in once, and a former key’s is sealed anew', async () => {
    expect((await briefIn(WORKSPACE)).workspace.path).toBe('/tree');
    await createIntake(stores.store, { ledgerKeys: noKeys }).registerWorkspace(tree('late'));
    expect(await beginSealing(stores.store.sql, anew)).toBe('known');
    await expect(briefIn('late')).rejects.toThrow(RecordAltered);
    const [newest] = anew.all;
    const alone = ledgerKeys(newest === undefined ? [] : [newest.secret]);
    const names = async (by: typeof keys) =>
      (await createReader(stores.store, by).workspaces()).map(({ name }) => name);
    expect(await names(alone)).toContain(WORKSPACE);
    expect(await names(alone)).not.toContain('late');
    expect(await names(noKeys)).toContain('late');
  });

  it('ROW-46 a version that sealed less is carried on: nothing that was sealed before is taken in again', async () => {
    const { db, store } = stores;
    await store.sql`
      INSERT INTO token (name, secret_hash, role, created_by) VALUES ('forged', 'x', 'admin', 'eve')`;
    await leaveCovered(db, keys, 3);
    const unsealed = await stores.accept({}, createIntake(store, { ledgerKeys: noKeys }));
    expect(await beginSealing(store.sql, keys)).toBe('begun');
    expect((await briefIn('late')).workspace.path).toBe('/late');
    expect(await db`SELECT seal FROM token WHERE name = 'forged'`).toEqual([{ seal: null }]);
    await expect(stores.journal.brief(unsealed)).rejects.toThrow(RecordAltered);
  });
});
