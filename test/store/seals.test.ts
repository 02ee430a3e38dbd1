import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJournal } from '../../src/store/journal/journal.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { createRecord } from '../../src/store/record/record.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const next = { action: 'nudge', next: 'nudge' } as const;

let stores: OpenRecord;
let before: string;
beforeAll(async () => {
  stores = await openRecord(keys);
  before = (await openSealed(noKeys)).goalId;
  expect(await beginSealing(stores.db, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** Who has the database alone, with all rights in it. */
const tamper = (statements: string) =>
  stores.db.begin(async (tx) => {
    await tx.unsafe(`ALTER TABLE ledger DISABLE TRIGGER ALL; ALTER TABLE seal DISABLE TRIGGER ALL`);
    await tx.unsafe(statements);
    await tx.unsafe(`ALTER TABLE ledger ENABLE TRIGGER ALL; ALTER TABLE seal ENABLE TRIGGER ALL`);
  });

/** Two calls, a decision, an approval with its answer, two more calls and the completion. */
async function openSealed(by = keys) {
  const record = createRecord(stores.db, { ledgerKeys: by });
  const journal = createJournal(stores.db, { ledgerKeys: by });
  const goalId = await stores.accept();
  const execution = { goalId, epoch: 1, runId: `run-${goalId}` };
  await record.openExecution(execution, null);
  const fence = await stores.takeOver(execution);
  await journal.openTurn(fence, { turn: 1, kind: 'start', hostText: 'Begin.' });
  const call = async (step: number) => {
    await journal.startCall(fence, startedCall(step));
    await journal.settleCall(fence, settledCall(step));
  };
  await call(1);
  await record.recordTurn(execution, settledTurn(next));
  await call(2);
  const approvalId = `a-${goalId}`;
  await stores.db`
    INSERT INTO approval (approval_id, goal_id, kind, turn, data, state)
    VALUES (${approvalId}, ${goalId}, 'requirement_change', 1, '{"changes": []}', 'open')`;
  const commit = async (order: Parameters<typeof mutation>[0]) => {
    const ordered = mutation(order);
    await stores.ordered(ordered, goalId);
    await record.commitMutation(execution, ordered, goalId);
  };
  await commit({ kind: 'approval', approvalId, decision: 'approve' });
  await commit({ kind: 'complete' });
  return { goalId };
}

const verdictOf = (goalId: string, secrets = [SECRET]) =>
  createLedgerVerifier(stores.db, ledgerKeys(secrets)).whole(goalId);

const sealsOf = (goalId: string) =>
  stores.db<{ kind: string }[]>`SELECT kind FROM seal WHERE goal_id = ${goalId} ORDER BY number`;

const at = (goalId: string, seq: number) => `goal_id = '${goalId}' AND seq = ${seq}`;
/** Writes the journal's head anew, as far as that goes without the key. */
const headAt = (goalId: string, seq: number) => `
  UPDATE journal SET ledger_seq = ${seq}, ledger_head =
    (SELECT hash FROM ledger WHERE ${at(goalId, seq)}) WHERE goal_id = '${goalId}'`;

describe('with a key', () => {
  it('REC-1 decision, approval and completion are sealed beside the ledger, and hold', async () => {
    const { goalId } = await openSealed();
    expect((await sealsOf(goalId)).map(({ kind }) => kind)).toEqual([
      'decision',
      'approval',
      'completion',
    ]);
    expect(await verdictOf(goalId)).toEqual({ holds: true, rows: 4, sealedFrom: 1 });
    expect(await verdictOf(goalId, ['the next key of them', SECRET])).toMatchObject({
      holds: true,
    });
    const fresh = await stores.accept();
    expect(await verdictOf(fresh)).toEqual({ holds: true, rows: 0, sealedFrom: null });
  });

  it.each([
    {
      what: 'a tail that was cut off with the head, behind the last decision',
      how: (goal: string) =>
        `DELETE FROM ledger WHERE goal_id = '${goal}' AND seq > 3; ${headAt(goal, 3)}`,
      verdict: { fault: 'missing', at: 3 },
    },
    {
      what: 'a ledger that was emptied, with all seals and the decision',
      how: (goal: string) => `
        DELETE FROM ledger WHERE goal_id = '${goal}'; DELETE FROM seal WHERE goal_id = '${goal}';
        DELETE FROM decision WHERE goal_id = '${goal}';
        UPDATE journal SET ledger_seq = 0, ledger_head = encode(sha256(goal_id::bytea), 'hex'),
          ledger_seal = NULL, seals = 0, seal_head = NULL, seal_end = NULL
        WHERE goal_id = '${goal}'`,
      verdict: { fault: 'unsealed' },
    },
    {
      what: 'an edited decision',
      how: (goal: string) => `UPDATE decision SET sentence = 'Done.' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'decision', subject: '1' } },
    },
    {
      what: 'a decision that nobody sealed',
      how: (goal: string) => `
        INSERT INTO decision SELECT goal_id, 2, rule, action, sentence, facts, outcome, score,
          missing, usage, ledger_seq, ledger_head, at FROM decision WHERE goal_id = '${goal}'`,
      verdict: { fault: 'unsealed', record: { kind: 'decision', subject: '2' } },
    },
    {
      what: 'a decision that is gone',
      how: (goal: string) => `DELETE FROM decision WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', record: { kind: 'decision', subject: '1' } },
    },
    {
      what: 'an approval by somebody else',
      how: (goal: string) => `UPDATE approval SET decided_by = 'eve' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'approval' } },
    },
    {
      what: 'an answer that was taken back',
      how: (goal: string) => `UPDATE approval SET state = 'open' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', record: { kind: 'approval' } },
    },
    {
      what: 'an approval that nobody gave',
      how: (goal: string) => `
        INSERT INTO approval (approval_id, goal_id, kind, turn, data, state, decided_by, decided_at)
        VALUES ('forged-${goal}', '${goal}', 'basis', 1, '{}', 'approved', 'ada', now())`,
      verdict: { fault: 'unsealed', record: { kind: 'approval' } },
    },
    {
      what: 'another completion',
      how: (goal: string) => `
        UPDATE goal SET completion = jsonb_set(completion, '{result}', '"x"')
        WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'completion', subject: '' } },
    },
    {
      what: 'seals in another order',
      how: (goal: string) => `
        UPDATE seal SET number = 9 WHERE goal_id = '${goal}' AND number = 1;
        UPDATE seal SET number = 1 WHERE goal_id = '${goal}' AND number = 2;
        UPDATE seal SET number = 2 WHERE goal_id = '${goal}' AND number = 9`,
      verdict: { fault: 'edited', record: { kind: 'seal', subject: '1' } },
    },
    {
      what: 'seals that were cut off, with what they seal',
      how: (goal: string) => `
        DELETE FROM seal WHERE goal_id = '${goal}' AND number = 3;
        UPDATE goal SET completion = NULL, status = 'active' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', record: { kind: 'seal', subject: '3' } },
    },
    {
      what: 'the same with the number of seals',
      how: (goal: string) => `
        DELETE FROM seal WHERE goal_id = '${goal}' AND number = 3;
        UPDATE journal SET seals = 2, seal_head =
          (SELECT hash FROM seal WHERE goal_id = '${goal}' AND number = 2)
        WHERE goal_id = '${goal}';
        UPDATE goal SET completion = NULL, status = 'active' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', problem: expect.stringContaining('number of seals (2)') },
    },
    {
      what: 'a ledger and seals that were made anew without the key',
      how: (goal: string) => `
        UPDATE ledger SET previous = encode(sha256(previous::bytea), 'hex'),
          hash = encode(sha256(hash::bytea), 'hex') WHERE goal_id = '${goal}'`,
      verdict: { fault: 'unsealed', at: 1 },
    },
  ])('REC-2 $what is found, with the way out', async ({ how, verdict }) => {
    const { goalId } = await openSealed();
    await tamper(how(goalId));
    const found = await verdictOf(goalId);
    expect(found).toMatchObject({ holds: false, ...verdict });
    expect(found.wayOut).toMatch(/GOALKEEPER_LEDGER_KEY|backup/);
  });

  it('REC-3 what one goal has is no other goal’s: swapped records are found', async () => {
    const [one, other] = [await openSealed(), await openSealed()];
    await tamper(`
      UPDATE decision SET goal_id = 'x' WHERE goal_id = '${one.goalId}';
      UPDATE decision SET goal_id = '${one.goalId}' WHERE goal_id = '${other.goalId}';
      UPDATE decision SET goal_id = '${other.goalId}' WHERE goal_id = 'x'`);
    expect(await verdictOf(one.goalId)).toMatchObject({ holds: false, at: 2 });
    const [all, more] = [await openSealed(), await openSealed()];
    const tables = ['seal', 'ledger', 'decision', 'approval'];
    const move = (from: string, to: string) =>
      tables.map((name) => `UPDATE ${name} SET goal_id = '${to}' WHERE goal_id = '${from}'`);
    const columns = 'ledger_seq, ledger_head, ledger_seal, seals, seal_head, seal_end';
    await tamper(
      [
        ...move(all.goalId, 'x'),
        ...move(more.goalId, all.goalId),
        `UPDATE journal SET (${columns}) = (SELECT ${columns} FROM journal o
          WHERE o.goal_id = '${more.goalId}') WHERE goal_id = '${all.goalId}'`,
      ].join(';'),
    );
    expect(await verdictOf(all.goalId)).toMatchObject({ holds: false });
  });

  it('REC-4 an append behind a cut-off end doesn’t vouch for it', async () => {
    const { fence, execution } = await turnWithTail();
    await tamper(
      `DELETE FROM ledger WHERE ${at(execution.goalId, 4)}; ${headAt(execution.goalId, 3)}`,
    );
    await stores.journal.startCall(fence, startedCall(7));
    expect(await verdictOf(execution.goalId)).toMatchObject({ holds: false, fault: 'unsealed' });
  });

  it('REC-5 rows without a seal fail once a key is set', async () => {
    const { goalId } = await openSealed(noKeys);
    expect(await verdictOf(goalId)).toMatchObject({ holds: false, fault: 'unsealed', at: 1 });
  });

  it('REC-6 a goal from before the key holds, and what it had is sealed as it was then', async () => {
    expect((await sealsOf(before)).map(({ kind }) => kind)).toEqual([
      'start',
      'decision',
      'approval',
      'completion',
    ]);
    expect(await verdictOf(before)).toEqual({ holds: true, rows: 4, sealedFrom: null });
    await tamper(`UPDATE decision SET sentence = 'Done.' WHERE goal_id = '${before}'`);
    expect(await verdictOf(before)).toMatchObject({
      fault: 'edited',
      record: { kind: 'decision', subject: '1' },
    });
  });

  it('REC-7 the beginning happens once: a goal made later without seals is not taken in', async () => {
    const { goalId } = await openSealed(noKeys);
    expect(await beginSealing(stores.db, keys)).toBe('known');
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'unsealed' });
    await tamper('ALTER TABLE sealing DISABLE TRIGGER ALL; DELETE FROM sealing');
    expect(await beginSealing(stores.db, keys)).toBe('lost');
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'unsealed' });
  });
});

async function turnWithTail() {
  const { execution, fence } = await stores.openTurn();
  for (const step of [1, 2]) {
    await stores.journal.startCall(fence, startedCall(step));
    await stores.journal.settleCall(fence, settledCall(step));
  }
  return { execution, fence };
}
