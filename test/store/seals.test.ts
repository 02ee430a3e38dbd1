import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertApproval } from '../../src/store/approvals/approvals.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import {
  COVERED,
  chainSeals,
  endSeal,
  firstEnd,
  type SealRow,
  sealingSeal,
} from '../../src/store/ledger/seals.ts';
import { sealWritten } from '../../src/store/ledger/written-seal.ts';
import { createRecord } from '../../src/store/record/record.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
  WITHOUT_ROW_SEALS,
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

const GUARDED = ['ledger', 'seal', 'goal_order', 'sealing', 'workspace_seal', 'row_seal'];

/** Who has the database alone, with all rights in it. */
const tamper = (statements: string) =>
  stores.db.begin(async (tx) => {
    for (const name of GUARDED) await tx.unsafe(`ALTER TABLE ${name} DISABLE TRIGGER ALL`);
    await tx.unsafe(statements);
    for (const name of GUARDED) await tx.unsafe(`ALTER TABLE ${name} ENABLE TRIGGER ALL`);
  });

const acceptBy = (by: typeof keys) =>
  stores.accept({}, createIntake(stores.store, { ledgerKeys: by }));

/** Two calls, a decision, an approval with its answer, two more calls and the completion. */
async function openSealed(by = keys) {
  const record = createRecord(stores.db, { ledgerKeys: by });
  const journal = createJournal(stores.db, { ledgerKeys: by });
  const goalId = await acceptBy(by);
  const execution = { goalId, epoch: 1, runId: `run-${goalId}` };
  await record.openExecution(execution, null);
  const fence = await stores.takeOver(execution, journal);
  await journal.openTurn(fence, { turn: 1, kind: 'start', hostText: 'Begin.' });
  const call = async (step: number) => {
    await journal.startCall(fence, startedCall(step));
    await journal.settleCall(fence, settledCall(step));
  };
  await call(1);
  await record.recordTurn(execution, settledTurn(next));
  await call(2);
  const approvalId = `a-${goalId}`;
  const asked = { approvalId, goalId, kind: 'requirement_change', turn: 1, callId: null } as const;
  await stores.db.begin((tx) => insertApproval(tx, by, { ...asked, data: { changes: [] } }));
  const commit = async (order: Parameters<typeof mutation>[0], body: object = {}) => {
    const ordered = mutation(order);
    await stores.ordered(ordered, goalId, body, by);
    await record.commitMutation(execution, ordered, goalId);
  };
  await commit({ kind: 'approval', approvalId, decision: 'approve' });
  const question = { question_id: `q-${goalId}`, goal_id: goalId, turn: 1, text: 'Which one?' };
  const options = ['the first', 'the other'];
  const written = { ...question, options, call_id: null, default_answer: null };
  const seal = sealWritten(by, 'question', written);
  await stores.db`
    INSERT INTO question ${stores.db({ ...question, options: stores.db.json(options), seal })}`;
  await stores.db`
    INSERT INTO dispute (dispute_id, goal_id, criterion_id, call_id, turn, body, state)
    VALUES (${`d-${goalId}`}, ${goalId}, 'c1', 't1.s1.0', 1, '{}', 'open')`;
  await commit({ kind: 'pause' });
  await commit({ kind: 'answer', questionId: `q-${goalId}` }, { option: 2 });
  await commit(
    { kind: 'amend', changesCriteria: true, budget: { turns: 7 } },
    { criteria: [{ kind: 'command', command: 'npm run lint' }] },
  );
  await commit({ kind: 'message', delivery: 'steer' }, { text: 'Mind the tests.' });
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
      ...['terms', 'ground', 'decision'],
      // The order and what it decided: an approval, a pause, an answer, new terms, a message, the end.
      ...['order', 'approval', 'requirements', 'order', 'order', 'answer', 'message'],
      ...['order', 'dispute', 'terms', 'ground', 'order', 'message', 'order', 'completion'],
    ]);
    expect(await verdictOf(goalId)).toEqual({ holds: true, rows: 4, sealedFrom: 1 });
    expect(await verdictOf(goalId, ['the next key of them', SECRET])).toMatchObject({
      holds: true,
    });
    const fresh = await stores.accept();
    expect((await sealsOf(fresh)).map(({ kind }) => kind)).toEqual(['terms', 'ground']);
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
      what: 'another answer to a question',
      how: (goal: string) => `UPDATE question SET answer = 'no' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'answer' } },
    },
    {
      what: 'an answer that nobody gave',
      how: (goal: string) => `
        INSERT INTO question (question_id, goal_id, turn, text, options, answer, answered_by,
          answered_at) VALUES ('forged-${goal}', '${goal}', 1, 'Sure?', '[]', 'yes', 'ada', now())`,
      verdict: { fault: 'unsealed', record: { kind: 'answer' } },
    },
    {
      what: 'a question that is gone',
      how: (goal: string) => `DELETE FROM question WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', record: { kind: 'answer' } },
    },
    {
      what: 'a dispute that somebody else decided',
      how: (goal: string) => `UPDATE dispute SET decided_by = 'eve' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'dispute' } },
    },
    {
      what: 'a weaker criterion',
      how: (goal: string) => `
        UPDATE goal SET criteria = jsonb_set(criteria, '{0,spec,command}', '"true"')
        WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'terms', subject: '' } },
    },
    {
      what: 'a raised budget',
      how: (goal: string) => `
        UPDATE goal SET budget = jsonb_set(budget, '{turns}', '900') WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'terms', subject: '' } },
    },
    {
      what: 'a goal that somebody else began',
      how: (goal: string) => `UPDATE goal SET created_by = 'eve' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'edited', record: { kind: 'terms', subject: '' } },
    },
    {
      what: 'a person’s message with other words',
      how: (goal: string) => `
        UPDATE inbox SET text = 'Never mind.' WHERE goal_id = '${goal}' AND kind = 'message'`,
      verdict: { fault: 'edited', record: { kind: 'message' } },
    },
    {
      what: 'an order by somebody else',
      how: (goal: string) => `
        UPDATE goal_order SET ordered_by = 'eve' WHERE goal_id = '${goal}' AND kind = 'amend'`,
      verdict: { fault: 'edited', record: { kind: 'order' } },
    },
    {
      what: 'an order that is gone before its time',
      how: (goal: string) => `
        DELETE FROM goal_order WHERE goal_id = '${goal}' AND kind = 'amend'`,
      verdict: { fault: 'missing', record: { kind: 'order' } },
    },
    {
      what: 'seals in another order',
      how: (goal: string) => `
        UPDATE seal SET number = 99 WHERE goal_id = '${goal}' AND number = 1;
        UPDATE seal SET number = 1 WHERE goal_id = '${goal}' AND number = 2;
        UPDATE seal SET number = 2 WHERE goal_id = '${goal}' AND number = 99`,
      verdict: { fault: 'edited', record: { kind: 'seal', subject: '1' } },
    },
    {
      what: 'seals that were cut off, with what they seal',
      how: (goal: string) => `
        DELETE FROM seal WHERE goal_id = '${goal}' AND number = 18;
        UPDATE goal SET completion = NULL, status = 'active' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', record: { kind: 'seal', subject: '18' } },
    },
    {
      what: 'the same with the number of seals',
      how: (goal: string) => `
        DELETE FROM seal WHERE goal_id = '${goal}' AND number = 18;
        UPDATE journal SET seals = 17, seal_head =
          (SELECT hash FROM seal WHERE goal_id = '${goal}' AND number = 17)
        WHERE goal_id = '${goal}';
        UPDATE goal SET completion = NULL, status = 'active' WHERE goal_id = '${goal}'`,
      verdict: { fault: 'missing', problem: expect.stringContaining('number of seals (17)') },
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
    const kinds = (await sealsOf(before)).map(({ kind }) => kind);
    expect([kinds[0], kinds.length]).toEqual(['start', 17]);
    expect(await verdictOf(before)).toEqual({
      holds: true,
      rows: 4,
      sealedFrom: null,
      adopted: 16,
    });
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
    await tamper('DELETE FROM sealing');
    expect(await beginSealing(stores.db, keys)).toBe('lost');
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'unsealed' });
  });
});

describe('seals that came to cover more', () => {
  it('REC-8 a change of the goal by somebody else is never sealed by the next decision', async () => {
    const { goalId, execution } = await stores.openTurn();
    await tamper(`UPDATE goal SET objective = 'Less.' WHERE goal_id = '${goalId}'`);
    await stores.record.commitMutation(
      execution,
      mutation({ kind: 'amend', changesCriteria: false, budget: { turns: 9 } }),
      goalId,
    );
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'edited', record: { kind: 'terms' } });
  });

  it('REC-9 a goal whose start was never sealed fails, also before its first run', async () => {
    expect(await verdictOf(await acceptBy(noKeys))).toMatchObject({ fault: 'unsealed' });
  });

  it('REC-10 what a former version did not seal is taken in once, and told', async () => {
    const { goalId } = await openSealed();
    const formerly = "('start', 'decision', 'approval', 'completion')";
    await tamper(`DELETE FROM seal; DELETE FROM sealing; DELETE FROM workspace_seal;
      DELETE FROM row_seal; ${WITHOUT_ROW_SEALS}
      UPDATE journal SET ledger_seal = NULL, seals = 0, seal_head = NULL, seal_end = NULL`);
    expect(await beginSealing(stores.db, keys)).toBe('begun');
    await tamper(`DELETE FROM seal WHERE kind NOT IN ${formerly}; DELETE FROM sealing;
      DELETE FROM workspace_seal; DELETE FROM row_seal; ${WITHOUT_ROW_SEALS}`);
    await resealAsBefore(goalId);
    expect(await verdictOf(goalId)).toMatchObject({ fault: 'unsealed' });
    expect(await beginSealing(stores.db, keys)).toBe('begun');
    expect(await verdictOf(goalId)).toMatchObject({ holds: true, adopted: 16 });
    expect(await beginSealing(stores.db, keys)).toBe('known');
    await tamper(`DELETE FROM sealing WHERE covers = ${COVERED}`);
    expect(await beginSealing(stores.db, keys)).toBe('lost');
  });
});

/** As a version left it that sealed decisions, approvals and completions alone. */
async function resealAsBefore(goalId: string) {
  const { sealing } = keys;
  if (sealing === null) throw new TypeError('no key');
  const rows = await stores.db<SealRow[]>`
    SELECT goal_id, number, kind, subject, digest, ledger_seq, ledger_head, at, previous, hash
    FROM seal WHERE goal_id = ${goalId} ORDER BY number`;
  const [first] = rows;
  if (first === undefined) throw new TypeError('no seal');
  const from = {
    end: firstEnd(goalId),
    ledger: { seq: first.ledger_seq, hash: first.ledger_head },
    at: first.at,
  };
  const anew = chainSeals(sealing, goalId, from, rows);
  const last = anew.at(-1) ?? first;
  await tamper(`DELETE FROM seal WHERE goal_id = '${goalId}'`);
  await stores.db`INSERT INTO seal ${stores.db(anew)}`;
  await stores.db`
    UPDATE journal SET seals = ${last.number}, seal_head = ${last.hash},
      seal_end = ${endSeal(sealing, goalId, last)} WHERE goal_id = ${goalId}`;
  await stores.db`
    INSERT INTO sealing (started_at, goals, hash)
    VALUES (${first.at}, 1, ${sealingSeal(sealing, first.at, 1, 1)})`;
}

async function turnWithTail() {
  const { execution, fence } = await stores.openTurn();
  for (const step of [1, 2]) {
    await stores.journal.startCall(fence, startedCall(step));
    await stores.journal.settleCall(fence, settledCall(step));
  }
  return { execution, fence };
}
