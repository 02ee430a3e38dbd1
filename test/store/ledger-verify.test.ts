import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCutLedgers } from '../../src/stack/integrity.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import {
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

const next = { action: 'nudge', next: 'nudge' } as const;

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

/** What only a superuser can do: the trigger doesn't fire, everything else does. */
const tamper = (statements: string, db = stores.db) =>
  db.begin(async (tx) => {
    await tx.unsafe('ALTER TABLE ledger DISABLE TRIGGER ALL');
    await tx.unsafe(statements);
    await tx.unsafe('ALTER TABLE ledger ENABLE TRIGGER ALL');
  });

/** Four rows, a decision that notes the last of them, and two rows behind it. */
async function openLedger(stores: OpenRecord) {
  const { execution, fence, goalId } = await stores.openTurn();
  const { journal } = stores;
  const call = async (step: number) => {
    const output = Buffer.from(`printed in step ${step}`);
    await journal.startCall(fence, startedCall(step));
    await journal.settleCall(fence, settledCall(step, { output, receipt: {} }));
  };
  for (const step of [1, 2]) await call(step);
  await stores.record.recordTurn(execution, settledTurn(next));
  await call(3);
  return { goalId, call, fence };
}

const verdictOf = (goalId: string) => stores.verifier.whole(goalId);

describe('a ledger as it was written', () => {
  it('holds, with its outputs', async () => {
    const { goalId } = await openLedger(stores);
    expect(await verdictOf(goalId)).toEqual({ holds: true, rows: 6, sealedFrom: null });
    const empty = await stores.openTurn();
    expect(await verdictOf(empty.goalId)).toEqual({ holds: true, rows: 0, sealedFrom: null });
  });
});

describe('a ledger that was tampered with', () => {
  const seq = (goalId: string, at: number) => `goal_id = '${goalId}' AND seq = ${at}`;
  const headAt = (goalId: string, at: number) => `
    UPDATE journal SET ledger_seq = ${at}, ledger_head =
      (SELECT hash FROM ledger WHERE ${seq(goalId, at)}) WHERE goal_id = '${goalId}'`;

  it.each([
    {
      what: 'an edited outcome',
      how: (goal: string) => `UPDATE ledger SET outcome = 'failed' WHERE ${seq(goal, 4)}`,
      verdict: { at: 4, fault: 'edited', problem: 'row 4 was edited' },
    },
    {
      what: 'an edited receipt',
      how: (goal: string) =>
        `UPDATE ledger SET body = jsonb_set(body, '{receipt,exitCode}', '0') WHERE ${seq(goal, 2)}`,
      verdict: { at: 2, fault: 'edited', problem: 'row 2 was edited' },
    },
    {
      what: 'a deleted row in the middle',
      how: (goal: string) => `DELETE FROM ledger WHERE ${seq(goal, 3)}`,
      verdict: { at: 3, fault: 'missing', problem: 'row 3 is missing' },
    },
    {
      what: 'a deleted row whose followers closed the gap',
      how: (goal: string) => `
        DELETE FROM ledger WHERE ${seq(goal, 2)};
        UPDATE ledger SET seq = seq + 100 WHERE goal_id = '${goal}' AND seq > 2;
        UPDATE ledger SET seq = seq - 101 WHERE goal_id = '${goal}' AND seq > 2`,
      verdict: { at: 2, fault: 'moved', problem: 'row 2 was moved: it was written as row 3' },
    },
    {
      what: 'two rows that changed places',
      how: (goal: string) => `
        UPDATE ledger SET seq = 99 WHERE ${seq(goal, 3)};
        UPDATE ledger SET seq = 3 WHERE ${seq(goal, 4)};
        UPDATE ledger SET seq = 4 WHERE ${seq(goal, 99)}`,
      verdict: { at: 3, fault: 'moved', problem: 'row 3 was moved: it was written as row 4' },
    },
    {
      what: 'a tail that was cut off behind the last decision',
      how: (goal: string) => `DELETE FROM ledger WHERE ${seq(goal, 6)}`,
      verdict: { at: 6, fault: 'missing', problem: 'the ledger was cut off: row 6 is missing' },
    },
    {
      what: "a tail that was cut off together with the journal's head",
      how: (goal: string) => `
        DELETE FROM ledger WHERE goal_id = '${goal}' AND seq > 3; ${headAt(goal, 3)}`,
      verdict: { at: 4, fault: 'missing', problem: 'the ledger was cut off: row 4 is missing' },
    },
    {
      what: 'a row that was added behind the head',
      how: (goal: string) => `
        INSERT INTO ledger SELECT goal_id, 7, phase, 'forged', turn, step, token, tool, effect,
          outcome, body, output_ref, at, previous, hash FROM ledger WHERE ${seq(goal, 6)}`,
      verdict: { at: 7, fault: 'edited', problem: 'row 7 was edited' },
    },
    {
      what: 'a head of the journal that points elsewhere',
      how: (goal: string) => `UPDATE journal SET ledger_head = 'x' WHERE goal_id = '${goal}'`,
      verdict: { at: 6, fault: 'edited', problem: "row 6 is not the journal's head" },
    },
    {
      what: 'a decision that notes another head',
      how: (goal: string) => `UPDATE decision SET ledger_head = 'x' WHERE goal_id = '${goal}'`,
      verdict: {
        at: 4,
        fault: 'edited',
        problem: 'row 4 is not the one that the decision of turn 1 saw',
      },
    },
    {
      what: 'an output with other content',
      how: (goal: string) =>
        `UPDATE output_chunk SET content = 'ok' WHERE ref LIKE '${goal}/t1.s2.0@%'`,
      verdict: {
        at: 4,
        fault: 'output',
        problem: 'the output of row 4 is not what the call printed',
      },
    },
    {
      what: 'an output that was deleted',
      how: (goal: string) => `DELETE FROM output_chunk WHERE ref LIKE '${goal}/t1.s3.0@%'`,
      verdict: { at: 6, fault: 'output', problem: 'the output of row 6 is gone' },
    },
  ])('names $what', async ({ how, verdict }) => {
    const { goalId } = await openLedger(stores);
    await tamper(how(goalId));
    expect(await verdictOf(goalId)).toMatchObject({ holds: false, ...verdict });
  });
});

describe('a ledger with a key', () => {
  const keys = ledgerKeys(['a key that nobody guesses']);
  let sealed: OpenRecord;
  beforeAll(async () => {
    sealed = await openRecord(keys);
    expect(await beginSealing(sealed.store.sql, keys)).toBe('begun');
  });
  afterAll(() => sealed.close());
  const under = (secrets: string[], goalId: string) =>
    createLedgerVerifier(sealed.db, ledgerKeys(secrets)).whole(goalId);

  it('is sealed from its first row on, also after the key was changed', async () => {
    const { goalId } = await openLedger(sealed);
    const own = ['a key that nobody guesses'];
    expect(await under(own, goalId)).toEqual({ holds: true, rows: 6, sealedFrom: 1 });
    expect(await under(['the next key of them', ...own], goalId)).toMatchObject({ holds: true });
  });

  it('tells a missing and a wrong key from an edited row', async () => {
    const { goalId } = await openLedger(sealed);
    expect(await under([], goalId)).toMatchObject({
      holds: false,
      at: 1,
      fault: 'key',
      problem: expect.stringContaining('no key is set'),
    });
    expect(await under(['quite another key'], goalId)).toMatchObject({
      fault: 'key',
      problem: expect.stringContaining('another one'),
    });
    await tamper(`UPDATE ledger SET tool = 'x' WHERE goal_id = '${goalId}' AND seq = 2`, sealed.db);
    expect(await under(['a key that nobody guesses'], goalId)).toMatchObject({ fault: 'edited' });
  });

  it('takes no row without a seal behind a sealed one, and sealed ones behind those before the key', async () => {
    const { goalId, fence } = await openLedger(sealed);
    await createJournal(sealed.db, { ledgerKeys: noKeys }).startCall(fence, startedCall(4));
    expect(await under(['a key that nobody guesses'], goalId)).toMatchObject({
      holds: false,
      at: 7,
      fault: 'unsealed',
      problem: 'row 7 is not sealed although row 1 was',
    });
    const before = await openLedger(stores);
    expect(await beginSealing(stores.db, keys)).toBe('begun');
    const sealing = createJournal(stores.db, { ledgerKeys: keys });
    await sealing.startCall(before.fence, startedCall(4));
    const verifier = createLedgerVerifier(stores.db, keys);
    expect(await verifier.whole(before.goalId)).toEqual({
      holds: true,
      rows: 7,
      sealedFrom: 7,
      adopted: 3,
    });
  });
});

it('F24 is found at a start where it does not end as its journal and last decision say', async () => {
  const own = await openRecord();
  try {
    const goals = await Promise.all(Array.from({ length: 5 }, () => openLedger(own)));
    const [whole, cut, shortened, added, bent] = goals.map(({ goalId }) => goalId);
    await tamper(
      `DELETE FROM ledger WHERE goal_id = '${cut}' AND seq = 6;
       DELETE FROM ledger WHERE goal_id = '${shortened}' AND seq > 3;
       UPDATE journal SET ledger_seq = 3, ledger_head =
         (SELECT hash FROM ledger WHERE goal_id = '${shortened}' AND seq = 3)
         WHERE goal_id = '${shortened}';
       UPDATE journal SET ledger_seq = 5 WHERE goal_id = '${added}';
       UPDATE journal SET ledger_head = 'x' WHERE goal_id = '${bent}'`,
      own.db,
    );
    const found = await findCutLedgers(own.url);
    expect(found.sort()).toEqual([cut, shortened, added, bent].sort());
    expect(found).not.toContain(whole);
  } finally {
    await own.close();
  }
});

describe('the quick look', () => {
  it('walks only new rows for a minute, and then all again', async () => {
    let now = 0;
    const verifier = createLedgerVerifier(stores.db, ledgerKeys([]), () => now);
    const { goalId, call } = await openLedger(stores);
    expect(await verifier.quick(goalId)).toMatchObject({ holds: true, rows: 6 });
    await tamper(`UPDATE ledger SET tool = 'x' WHERE goal_id = '${goalId}' AND seq = 2`);
    await call(4);
    expect(await verifier.quick(goalId)).toMatchObject({ holds: true, rows: 8 });
    now = 60_001;
    expect(await verifier.quick(goalId)).toMatchObject({ holds: false, at: 2 });
    expect(await verifier.quick(goalId)).toMatchObject({ holds: false, at: 2 });
  });

  it('sees a cut-off tail at once', async () => {
    const { goalId } = await openLedger(stores);
    expect((await stores.verifier.quick(goalId)).holds).toBe(true);
    await tamper(`DELETE FROM ledger WHERE goal_id = '${goalId}' AND seq = 6`);
    expect(await stores.verifier.quick(goalId)).toMatchObject({ holds: false });
  });
});
