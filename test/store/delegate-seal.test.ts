import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import type { DelegateRequest } from '../../src/contract/tool-call.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { isFree } from '../../src/store/ledger/counted-table.ts';
import { DELEGATE_COLUMNS } from '../../src/store/ledger/delegate-seal.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { beginDue } from '../../src/store/record/due-delegates.ts';
import {
  leaveCovered,
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

const keys = ledgerKeys(['a key that nobody guesses']);

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);

/** A goal that handed on so many tasks, the first of which runs as `child`. */
async function handedOn(...requests: Partial<DelegateRequest>[]) {
  const opened = await stores.openTurn();
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  for (const [index, request] of requests.entries()) {
    const step = index + 1;
    await stores.journal.startCall(opened.fence, startedCall(step));
    const asked = { task: `Look ${step}.`, files: [], delaySeconds: 0 };
    const delegate = { mode: 'gather', returns: 'normal', ...asked, ...request } as const;
    await stores.journal.settleCall(opened.fence, settledCall(step, { delegate }));
  }
  const waits = { action: 'wait', on: 'delegate', seconds: null, next: 'wake' } as const;
  await stores.record.recordTurn(opened.execution, settledTurn(waits));
  const rows = await stores.reader.delegates(opened.goalId);
  return { ...opened, child: rows[0]?.goalId ?? '', first: rows[0]?.delegateId ?? '' };
}

const toldOf = (goalId: string) => stores.db`
  SELECT data FROM security_log WHERE what = 'record_refused' AND subject = ${goalId}`;

const EDITS = {
  state: `'ended'`,
  wanted: `'stopped'`,
  is_held_by_parent: 'true',
  child_goal_id: `'g-other'`,
  hop: '0',
  is_in_chain: 'false',
  starts_at: 'now()',
  reserved: `'{"tokens":1,"costUsd":null,"turns":null,"activeSeconds":null}'`,
  outcome: `'{"kind":"finding","reason":"done"}'`,
};

describe('what a goal handed on', () => {
  it('ROW-70 each column of it is what was sealed last: the next turn is refused, the log tells, verify names it', async () => {
    for (const [column, value] of Object.entries(EDITS)) {
      const { goalId, first } = await handedOn({});
      expect((await stores.journal.brief(goalId)).setAside?.tokens, column).toBeGreaterThan(0);
      expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
      await attack(`UPDATE delegate SET ${column} = ${value} WHERE delegate_id = '${first}'`);
      await expect(stores.journal.brief(goalId), column).rejects.toThrow(RecordAltered);
      expect(await stores.verifier.whole(goalId), column).toMatchObject({
        ...{ fault: 'edited', record: { kind: 'delegate', subject: first } },
      });
      expect(await toldOf(goalId)).toEqual([
        { data: { altered: ['delegates'], delegates: [first] } },
      ]);
    }
    const columns = await stores.db<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'delegate'`;
    const free = Object.entries(DELEGATE_COLUMNS).filter(([, as]) => isFree(as));
    const kept = [...Object.keys(EDITS), ...free.map(([name]) => name)];
    for (const { name } of columns.filter((column) => !kept.includes(column.name)))
      await expect(attack(`UPDATE delegate SET ${name} = ${name}`), name).rejects.toThrow(
        /permission/,
      );
    await expect(attack('DELETE FROM delegate')).rejects.toThrow(/permission/);
  });

  it('ROW-71 its place in the chain is its own goal’s, too: a delegate whose row is another’s does nothing', async () => {
    for (const set of ['hop = 0', `child_goal_id = 'g-elsewhere'`]) {
      const { child, first } = await handedOn({});
      expect((await stores.journal.brief(child)).goalId).toBe(child);
      await attack(`UPDATE delegate SET ${set} WHERE delegate_id = '${first}'`);
      await expect(stores.journal.brief(child), set).rejects.toThrow(RecordAltered);
      expect(await stores.verifier.whole(child), set).toMatchObject({
        record: { kind: 'delegate' },
      });
    }
  });

  it('ROW-72 a former state of it is put back, with or without its seal: nothing comes of it', async () => {
    const { goalId, execution, first } = await handedOn({});
    const [former] = await attack(`SELECT wanted FROM delegate WHERE delegate_id = '${first}'`);
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
    await attack(`UPDATE delegate SET wanted = '${former?.wanted}'
      WHERE delegate_id = '${first}'`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    await attack(`INSERT INTO row_seal SELECT kind, subject, number + 9, seal FROM row_seal
      WHERE kind = 'delegate' AND subject = '${first}' ORDER BY number LIMIT 1`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-73 what the service does next vouches for no edit: no delegate begins, none is led by it', async () => {
    const { goalId, execution, child, first } = await handedOn({}, { delaySeconds: 60 });
    const run = { goalId: child, epoch: 1, runId: 'run-of-the-child' };
    await stores.record.openExecution(run, null);
    await attack(`UPDATE delegate SET reserved = '{"tokens":0,"costUsd":null,"turns":null,
      "activeSeconds":null}', wanted = 'stopped', is_held_by_parent = true
      WHERE delegate_id = '${first}'`);
    const change = { commitId: `asked-${child}`, expectedRevision: 1 };
    const { revision, chart } = await stores.record.syncDelegation(run, change);
    expect([revision, chart.context.isArchived]).toEqual([1, false]);
    await attack(`UPDATE delegate SET starts_at = now() WHERE parent_goal_id = '${goalId}'`);
    await beginDue(stores.store.sql, keys);
    expect(await stores.reader.delegates(goalId)).toMatchObject([
      { state: 'running' },
      {
        state: 'dropped',
        outcome: { reason: expect.stringContaining('not what was sealed') },
      },
    ]);
    await stores.record.commitMutation(execution, mutation({ kind: 'clear' }), goalId);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ record: { kind: 'delegate' } });
  });

  it('ROW-74 a delegate that somebody else wrote is never begun', async () => {
    const { goalId } = await handedOn({});
    await attack(`INSERT INTO delegate (delegate_id, parent_goal_id, call_id, turn, task, files,
        mode, returns, state, starts_at)
      VALUES ('d-forged', '${goalId}', 't1.s9.0', 1, 'Spend it.', '[]', 'agent', 'normal',
        'delayed', now())`);
    await beginDue(stores.store.sql, keys);
    const forged = (await stores.reader.delegates(goalId)).find(
      ({ delegateId }) => delegateId === 'd-forged',
    );
    expect(forged).toMatchObject({ state: 'dropped' });
    expect(forged?.goalId).toBeUndefined();
  });

  it('ROW-75 what was handed on before the seals is taken in once, and nothing that came later without them', async () => {
    const { db, store } = stores;
    const { goalId } = await handedOn({});
    await leaveCovered(db, keys, 5);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    expect(await beginSealing(store.sql, keys)).toBe('begun');
    expect((await stores.journal.brief(goalId)).goalId).toBe(goalId);
    await attack(`INSERT INTO delegate (delegate_id, parent_goal_id, call_id, turn, task, files,
        mode, returns, state)
      VALUES ('d-late', '${goalId}', 't1.s8.0', 1, 'Look.', '[]', 'gather', 'normal', 'staged')`);
    expect(await beginSealing(store.sql, keys)).toBe('known');
    await expect(stores.journal.brief(goalId)).rejects.toThrow('d-late');
  });
});
