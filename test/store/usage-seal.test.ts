import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordAltered } from '../../src/contract/failures.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys, noKeys } from '../../src/store/ledger/ledger-keys.ts';
import {
  answeredStep,
  leaveCovered,
  newGoal,
  type OpenRecord,
  openRecord,
  sentStep,
  settledCall,
  settledTurn,
  startedCall,
  USAGE,
} from './record-fixture.ts';

const SECRET = 'a key that nobody guesses';
const keys = ledgerKeys([SECRET]);
const COUNTERS = [
  ...['input_tokens', 'cached_input_tokens', 'output_tokens', 'cost_usd', 'turns', 'steps'],
  ...['active_ms', 'attempt_active_ms'],
];

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord(keys);
  expect(await beginSealing(stores.store.sql, keys)).toBe('begun');
});
afterAll(() => stores.close());

/** As the service's own user of the database. */
const attack = (statement: string) => stores.store.sql.unsafe(statement);
const verdictOf = (goalId: string) => stores.verifier.whole(goalId);
const sealsOf = async (goalId: string) =>
  (await stores.db`SELECT * FROM row_seal WHERE subject = ${goalId}`).count;

/** A goal whose turn has made one model call, with its first call. */
async function working(overrides: Parameters<OpenRecord['openTurn']>[0] = {}) {
  const opened = await stores.openTurn(overrides);
  await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
  await step(opened.fence, 1);
  return opened;
}

type Fence = Awaited<ReturnType<OpenRecord['openTurn']>>['fence'];

async function step(fence: Fence, number: number, journal = stores.journal): Promise<void> {
  await journal.beginStep(fence, sentStep(number));
  await journal.commitStep(fence, {
    ...answeredStep(number),
    ...{ firstCall: startedCall(number), activeMs: 1500 * number },
  });
  await journal.settleCall(fence, settledCall(number));
}

describe('what a goal used', () => {
  it('ROW-52 each counter is what was sealed last: an edit ends the turn, the log tells, verify names it', async () => {
    for (const column of COUNTERS) {
      const { goalId } = await working();
      expect((await stores.journal.brief(goalId)).usage.steps).toBe(1);
      expect((await verdictOf(goalId)).holds).toBe(true);
      await attack(`UPDATE journal SET ${column} = 0 WHERE goal_id = '${goalId}'`);
      await expect(stores.journal.brief(goalId), column).rejects.toThrow(RecordAltered);
      expect(await verdictOf(goalId), column).toMatchObject({
        fault: 'edited',
        record: { kind: 'usage', subject: '' },
      });
      const rows = await stores.db`
        SELECT data FROM security_log WHERE what = 'record_refused' AND subject = ${goalId}`;
      expect(rows).toEqual([{ data: { altered: ['usage'], goals: [goalId] } }]);
    }
  });

  it('ROW-53 no former sum comes back, also within a turn, and no seal goes away or is made without the key', async () => {
    const { goalId, fence } = await working();
    const columns = COUNTERS.join(', ');
    const [former] = await attack(`SELECT ${columns} FROM journal WHERE goal_id = '${goalId}'`);
    await step(fence, 2);
    await stores.journal.addActiveTime(fence, 9000);
    expect((await stores.journal.brief(goalId)).usage).toMatchObject({
      ...{ steps: 2, turns: 1, inputTokens: 2000, costUsd: '0.002468', activeSeconds: 9 },
    });
    const values = COUNTERS.map((column) => `${column} = ${former?.[column]}`).join(', ');
    await attack(`UPDATE journal SET ${values} WHERE goal_id = '${goalId}'`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    for (const act of ['DELETE FROM row_seal', 'UPDATE row_seal SET number = number + 9']) {
      await expect(attack(act)).rejects.toThrow(/permission/);
      await expect(stores.db.unsafe(act)).rejects.toThrow('append-only');
    }
    await attack(`INSERT INTO row_seal SELECT kind, subject, number + 9, seal FROM row_seal
      WHERE subject = '${goalId}' ORDER BY number LIMIT 1`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
  });

  it('ROW-54 what the service charges next vouches for no edit', async () => {
    const { goalId, fence, execution } = await working();
    await attack(`UPDATE journal SET input_tokens = 0 WHERE goal_id = '${goalId}'`);
    await step(fence, 2);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    // Another process knows nothing from before the edit.
    const next = await stores.takeOver(execution);
    const elsewhere = createJournal(stores.store.sql, { ledgerKeys: keys });
    await step(next, 3, elsewhere);
    await stores.record.recordTurn(execution, settledTurn({ action: 'hold' }));
    await expect(elsewhere.brief(goalId)).rejects.toThrow(RecordAltered);
    expect(await verdictOf(goalId)).toMatchObject({ record: { kind: 'usage' } });
  });

  it('ROW-55 two processes charge the same goal, and calls are lost: each sum is sealed once', async () => {
    const { goalId, fence, execution } = await working();
    const elsewhere = createJournal(stores.store.sql, { ledgerKeys: keys });
    await step(fence, 2, elsewhere);
    await step(fence, 3);
    await elsewhere.beginStep(fence, sentStep(4));
    await stores.record.recordTurn(execution, settledTurn({ action: 'hold' }));
    const next = await stores.takeOver(execution);
    await stores.journal.openTurn(next, { turn: 2, kind: 'nudge', hostText: 'On.' });
    await elsewhere.beginStep(next, { ...sentStep(1), turn: 2 });
    const seals = await sealsOf(goalId);
    const end = { ...answeredStep(1), turn: 2, activeMs: 100 };
    await elsewhere.commitStep(next, end);
    await elsewhere.commitStep(next, end);
    expect(await sealsOf(goalId)).toBe(seals + 1);
    expect((await stores.journal.brief(goalId)).usage).toMatchObject({
      ...{ steps: 5, turns: 2, inputTokens: 5 * USAGE.inputTokens },
    });
    expect((await verdictOf(goalId)).holds).toBe(true);
  });

  it('ROW-134 an attempt begins while another process charges the former one: what it sets back is sealed', async () => {
    const { goalId, fence, execution } = await stores.openTurn();
    await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    // Behind the last look of this process.
    await step(fence, 1, createJournal(stores.store.sql, { ledgerKeys: keys }));
    await stores.journal.raiseToken({
      ...{ ...execution, expectedToken: fence.token, scheduledAt: Date.now() },
      ...{ host: 'here', workerId: 'w1' },
    });
    expect((await stores.journal.brief(goalId)).usage).toMatchObject({ steps: 1, turns: 1 });
    expect((await verdictOf(goalId)).holds).toBe(true);
  });

  it('ROW-135 an attempt that looked before anything was used begins once the former one has used some', async () => {
    const execution = await stores.openGoal();
    await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    const { goalId } = execution;
    const next = { ...execution, scheduledAt: Date.now(), host: 'here', workerId: 'w1' };
    const other = createJournal(stores.store.sql, { ledgerKeys: keys });
    const fence = await stores.journal.raiseToken({ ...next, expectedToken: 0 });
    expect(await other.lastAttempt(goalId)).toMatchObject({ token: fence.token });
    await stores.journal.openTurn(fence, { turn: 1, kind: 'start', hostText: 'Begin.' });
    await stores.journal.addActiveTime(fence, 42_477);
    await other.raiseToken({ ...next, expectedToken: fence.token });
    expect((await other.brief(goalId)).usage).toMatchObject({ turns: 1, activeSeconds: 42.477 });
    expect((await verdictOf(goalId)).holds).toBe(true);
  });

  it('ROW-136 time of an attempt is sealed whatever its worker last knew of another one', async () => {
    const { goalId, fence, execution } = await stores.openTurn();
    await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    await stores.journal.addActiveTime(fence, 5000);
    const other = createJournal(stores.store.sql, { ledgerKeys: keys });
    const next = await other.raiseToken({
      ...{ ...execution, expectedToken: fence.token, scheduledAt: Date.now() },
      ...{ host: 'here', workerId: 'w2' },
    });
    await stores.journal.addActiveTime(next, 3000);
    expect((await other.brief(goalId)).usage).toMatchObject({ activeSeconds: 8 });
    expect((await verdictOf(goalId)).holds).toBe(true);
  });

  it('ROW-55 what a compaction costs is sealed with it', async () => {
    const { goalId, fence } = await working();
    await stores.journal.beginStep(fence, { ...sentStep(1), kind: 'compaction' });
    await stores.journal.commitCompaction(fence, {
      ...{ turn: 1, step: 2, reason: 'window', model: 'm', tokensBefore: 9, tokensAfter: 4 },
      compaction: {
        ...{ number: 1, shortenedThrough: 1, shown: 400, replacedThrough: 0, notes: null },
        ...{ notesBy: null, words: [], limits: {} },
      },
      call: { step: 1, attempt: 1, finishReason: 'stop', usage: USAGE },
      activeMs: 2000,
    });
    await step(fence, 2);
    expect((await stores.journal.brief(goalId)).usage).toMatchObject({ steps: 3 });
    expect((await verdictOf(goalId)).holds).toBe(true);
  });

  it('ROW-56 a goal’s budget also pays for its delegates: their sums and their parent stay as they were', async () => {
    const { goalId } = await working();
    const child = await working({ parentGoalId: goalId });
    expect((await stores.journal.brief(goalId)).usage.steps).toBe(2);
    const ofChild = `WHERE goal_id = '${child.goalId}'`;
    for (const set of [`parent_goal_id = NULL`, `goal_id = 'g-gone'`])
      await expect(attack(`UPDATE goal SET ${set} ${ofChild}`)).rejects.toThrow(/permission/);
    await attack(`UPDATE journal SET goal_id = 'g-gone' ${ofChild}`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(child.goalId);
    await attack(`UPDATE journal SET goal_id = '${child.goalId}' WHERE goal_id = 'g-gone'`);
    await attack(`UPDATE journal SET output_tokens = 1 ${ofChild}`);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(child.goalId);
  });

  it('ROW-57 no goal is made of one whose sums were lowered, and none gets a part of its budget', async () => {
    const { goalId, fence, execution } = await working();
    await stores.journal.startCall(fence, startedCall(9));
    await stores.journal.settleCall(fence, {
      ...settledCall(9),
      delegate: { task: 'Look.', files: [], mode: 'gather', returns: 'normal', delaySeconds: 0 },
    });
    await attack(`UPDATE journal SET input_tokens = 0 WHERE goal_id = '${goalId}'`);
    await stores.record.recordTurn(execution, settledTurn({ action: 'continue', next: 'nudge' }));
    const [row] = await stores.db`SELECT state, outcome FROM delegate`;
    expect(row).toMatchObject({
      state: 'dropped',
      outcome: { reason: expect.stringContaining('not what was sealed') },
    });
  });

  it('ROW-58 what comes after a goal begins only where its end is sealed', async () => {
    const goalId = await stores.accept({ following: [newGoal()] });
    await attack(`UPDATE goal SET status = 'complete' WHERE goal_id = '${goalId}'`);
    await stores.reconcile.beginFollowing();
    expect(
      await stores.db`SELECT begun_goal_id, refused FROM following_goals WHERE goal_id = ${goalId}`,
    ).toEqual([{ begun_goal_id: null, refused: expect.stringContaining('completion') }]);
  });

  it('ROW-59 what was used before the seals is taken in once, and no sum that came later without them', async () => {
    const { db, store } = stores;
    const { goalId } = await working();
    const plainly = createJournal(store.sql, { ledgerKeys: noKeys });
    await leaveCovered(db, keys, 4);
    await expect(stores.journal.brief(goalId)).rejects.toThrow(RecordAltered);
    expect(await beginSealing(store.sql, keys)).toBe('begun');
    expect((await stores.journal.brief(goalId)).usage.steps).toBe(1);
    const late = await stores.openTurn();
    await step(late.fence, 1, plainly);
    expect(await beginSealing(store.sql, keys)).toBe('known');
    await expect(stores.journal.brief(late.goalId)).rejects.toThrow(RecordAltered);
    expect((await plainly.brief(late.goalId)).usage.steps).toBe(1);
  });
});
