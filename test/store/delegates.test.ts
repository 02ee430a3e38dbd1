import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../src/contract/record.ts';
import type { DelegateRequest } from '../../src/contract/tool-call.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { defaultPolicy } from '../../src/goal/defaults.ts';
import { readOwnDelegates, reportEnd, restartChain } from '../../src/store/delegates/delegates.ts';
import { delegationWakeups } from '../../src/store/delegates/delegation-wakeups.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { beginDue, releaseLeaked } from '../../src/store/record/due-delegates.ts';
import { hasUnread } from '../../src/store/record/record-turn.ts';
import { eventually } from '../support/eventually.ts';
import {
  mutation,
  type OpenRecord,
  openRecord,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

let record: OpenRecord;
beforeAll(async () => {
  record = await openRecord();
});
afterAll(() => record.close());

const asked = (change: Partial<DelegateRequest> = {}): DelegateRequest => ({
  task: 'Look it up.',
  files: [],
  mode: 'gather',
  returns: 'normal',
  delaySeconds: 0,
  ...change,
});

/** A goal in its first turn that has asked for these. */
async function asking(requests: readonly DelegateRequest[], overrides = {}) {
  const opened = await record.openTurn(overrides);
  for (const [index, delegate] of requests.entries()) {
    const step = index + 1;
    await record.journal.startCall(opened.fence, startedCall(step));
    const end = settledCall(step, { delegate });
    await record.journal.settleCall(opened.fence, end);
    await record.journal.settleCall(opened.fence, end);
  }
  return opened;
}

const WAIT = { action: 'wait', on: 'delegate', seconds: null, next: 'wake' } as const;

const GO_ON = { action: 'continue', next: 'nudge' } as const;

async function granted(
  requests: readonly DelegateRequest[],
  overrides = {},
  outcome: typeof WAIT | typeof GO_ON = WAIT,
) {
  const opened = await asking(requests, overrides);
  const turn = settledTurn(outcome);
  const state = await record.record.recordTurn(opened.execution, turn);
  expect(await record.record.recordTurn(opened.execution, turn)).toEqual(state);
  return opened;
}

const compaction = {
  number: 1,
  shortenedThrough: 1,
  shown: 400,
  replacedThrough: 0,
  notes: null,
  notesBy: null,
  words: [],
  limits: {},
} as const;

/** One more turn, which compacts the conversation or doesn't. */
async function next(
  { goalId, execution, fence }: Awaited<ReturnType<typeof granted>>,
  number: number | null,
) {
  const [{ turn, revision }] = await record.db<[{ turn: number; revision: number }]>`
    SELECT j.turn + 1 AS turn, g.revision FROM journal j JOIN goal g USING (goal_id)
    WHERE goal_id = ${goalId}`;
  await record.journal.openTurn(fence, { turn, kind: 'nudge', hostText: 'go on' });
  const done = {
    turn,
    step: 1,
    reason: 'window',
    model: 'm',
    tokensBefore: 9,
    tokensAfter: 4,
  } as const;
  for (const _ of number === null ? [] : ['once', 'again']) {
    const made = { ...compaction, number: number ?? 0 };
    await record.journal.commitCompaction(fence, {
      ...done,
      compaction: made,
      call: null,
      activeMs: 0,
    });
  }
  const facts = emptyTurnFacts(turn, 'nudge', 'agent', 'yield');
  await record.record.recordTurn(
    execution,
    settledTurn(GO_ON, { expectedRevision: revision, facts }),
  );
}

const rowsOf = (goalId: string) => record.reader.delegates(goalId);
const statesOf = async (goalId: string) => (await rowsOf(goalId)).map(({ state }) => state);
const lettersTo = (goalId: string) => record.db`
  SELECT * FROM inbox WHERE goal_id = ${goalId} AND kind = 'delegate'`;

describe('delegates in the record', () => {
  test('are staged with the call that asks, and granted with its turn, each of them once', async () => {
    const { goalId, execution } = await asking([asked(), asked({ returns: 'silent' })]);
    expect(await statesOf(goalId)).toEqual(['staged', 'staged']);
    expect(await readOwnDelegates(record.db, goalId)).toMatchObject({ staged: 2, awaited: 1 });
    await record.record.recordTurn(execution, settledTurn(WAIT));
    expect(await statesOf(goalId)).toEqual(['running', 'running']);
    const children = await record.db`SELECT 1 FROM goal WHERE parent_goal_id = ${goalId}`;
    expect(children.count).toBe(2);
    expect(await delegationWakeups(record.db, goalId)).toMatchObject([
      { isStart: true },
      { isStart: true },
    ]);
  });

  test('O31 those for after a compaction persist, are released once, and obey both caps', async () => {
    const held = asked({ returns: 'post_compaction' });
    const opened = await granted([held, held], {}, GO_ON);
    const { goalId } = opened;
    await next(opened, null);
    expect(await statesOf(goalId)).toEqual(['held', 'held']);
    await next(opened, 1);
    expect(await statesOf(goalId)).toEqual(['running', 'running']);
    await next(opened, 2);
    const children = await record.db`SELECT 1 FROM goal WHERE parent_goal_id = ${goalId}`;
    expect(children.count).toBe(2);
    const told = await record.db`
      SELECT 1 FROM event WHERE goal_id = ${goalId} AND type = 'conversation.compacted'`;
    expect(told.count).toBe(2);

    const continuation = { ...defaultPolicy.continuation, delegatesRunning: 1 };
    const policy = { ...defaultPolicy, continuation };
    const capped = await granted([asked(), held], { policy }, GO_ON);
    await next(capped, 1);
    expect(await rowsOf(capped.goalId)).toMatchObject([
      { state: 'running' },
      { state: 'refused', outcome: { limit: 'delegatesRunning' } },
    ]);
  });

  test('O24 a later one takes the highest hop + 1, and the first again in a new chain', async () => {
    const later = asked({ returns: 'post_compaction' });
    const opened = await granted([asked(), asked(), later], {}, GO_ON);
    await next(opened, 1);
    const hops = async () => (await rowsOf(opened.goalId)).map(({ hop }) => hop);
    expect(await hops()).toEqual([1, 2, 3]);
    const other = await granted([asked(), later], {}, GO_ON);
    await record.db.begin((tx) => restartChain(tx, noKeys, other.goalId, 2));
    await next(other, 1);
    expect((await rowsOf(other.goalId)).map(({ hop }) => hop)).toEqual([1, 1]);
  });

  test('O23 a person who begins a new chain voids what has not begun', async () => {
    const { goalId } = await granted([asked({ delaySeconds: 60 }), asked()]);
    expect(await statesOf(goalId)).toEqual(['delayed', 'running']);
    await record.db.begin((tx) => restartChain(tx, noKeys, goalId, 'person'));
    expect(await statesOf(goalId)).toEqual(['dropped', 'running']);
    const chained = await record.db`
      SELECT 1 FROM delegate WHERE parent_goal_id = ${goalId} AND is_in_chain`;
    expect(chained.count).toBe(0);
  });

  test('O22 delayed ones begin when their time has come and their goal still runs', async () => {
    const { goalId } = await granted([asked({ delaySeconds: 60 })]);
    await beginDue(record.db, noKeys);
    expect(await statesOf(goalId)).toEqual(['delayed']);
    await record.db`UPDATE delegate SET starts_at = now() WHERE parent_goal_id = ${goalId}`;
    await beginDue(record.db, noKeys);
    await beginDue(record.db, noKeys);
    expect(await rowsOf(goalId)).toMatchObject([{ state: 'running', hop: 1 }]);
  });

  test('O22 a delayed delegate begins when its time has come, not with the next round', async () => {
    const { goalId } = await granted([asked({ delaySeconds: 60 })]);
    await record.db`UPDATE delegate SET state = 'dropped' WHERE parent_goal_id <> ${goalId}`;
    await record.db`
      UPDATE delegate SET starts_at = now() + interval '2 s' WHERE parent_goal_id = ${goalId}`;
    const left = await beginDue(record.db, noKeys);
    expect(left).toBeGreaterThan(1000);
    expect(left).toBeLessThanOrEqual(2000);
    await record.db`UPDATE delegate SET starts_at = now() - interval '1 s' WHERE parent_goal_id = ${goalId}`;
    expect(await beginDue(record.db, noKeys)).toBeNull();
  });

  test('do not begin for a goal that is paused', async () => {
    const { goalId, execution } = await granted([asked({ delaySeconds: 60 })]);
    await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    await record.db`UPDATE delegate SET starts_at = now() - interval '1 s' WHERE parent_goal_id = ${goalId}`;
    await beginDue(record.db, noKeys);
    expect(await statesOf(goalId)).toEqual(['delayed']);
  });

  test('give their share back where nobody saw their end, and are told of once', async () => {
    const { goalId } = await granted([asked()]);
    const [row] = await rowsOf(goalId);
    const before = (await record.journal.brief(goalId)).setAside;
    expect(before?.tokens).toBe(row?.share?.tokens);
    await record.db`
      UPDATE goal SET archived_at = now(),
        snapshot = jsonb_set(snapshot, '{context,isArchived}', 'true')
      WHERE goal_id = ${row?.goalId ?? ''}`;
    expect(await releaseLeaked(record.db, noKeys)).toBe(1);
    expect(await releaseLeaked(record.db, noKeys)).toBe(0);
    expect((await record.journal.brief(goalId)).setAside?.tokens).toBe(0);
    expect(await rowsOf(goalId)).toMatchObject([{ state: 'ended', outcome: { kind: 'lost' } }]);
    expect((await lettersTo(goalId)).count).toBe(1);
  });

  test('what a running one has set aside counts only as far as it has not used it', async () => {
    const { goalId } = await granted([asked()]);
    const [row] = await rowsOf(goalId);
    await record.db`
      UPDATE journal SET input_tokens = 1000 WHERE goal_id = ${row?.goalId ?? ''}`;
    const { usage, setAside } = await record.journal.brief(goalId);
    expect(usage.tokens).toBe(1000);
    expect(setAside?.tokens).toBe((row?.share?.tokens ?? 0) - 1000);
  });

  test('those that are refused beside a running one count against a goal that asks again', async () => {
    const continuation = { ...defaultPolicy.continuation, delegatesRunning: 1 };
    const { execution, goalId } = await asking([asked(), asked({ task: 'More.' })], {
      policy: { ...defaultPolicy, continuation },
    });
    const first = await record.record.recordTurn(execution, settledTurn(WAIT));
    expect(await statesOf(goalId)).toEqual(['running', 'refused']);
    expect(first?.counters.turnsWithoutProgress).toBe(0);
    await woken(execution);
    await asks(execution);
    const second = await record.record.recordTurn(execution, nextTurn());
    expect(await statesOf(goalId)).toEqual(['running', 'refused', 'refused']);
    expect(second?.counters.turnsWithoutProgress).toBe(1);
  });

  test('delayed ones never begin in the middle of a turn, which reckons without them', async () => {
    const { execution, goalId } = await granted([asked({ delaySeconds: 60 })]);
    await woken(execution);
    await record.journal.openTurn(await record.takeOver(execution), SECOND);
    await record.db`UPDATE delegate SET starts_at = now() WHERE parent_goal_id = ${goalId}`;
    await beginDue(record.db, noKeys);
    expect(await statesOf(goalId)).toEqual(['delayed']);
    await record.record.recordTurn(execution, nextTurn());
    expect(await statesOf(goalId)).toEqual(['running']);
  });

  test('C6 a completion waits for a delegate that is about to end, and hears of it', async () => {
    const { goalId } = await granted([asked()]);
    const [row] = await rowsOf(goalId);
    const end = { kind: 'finding', reason: 'done' } as const;
    let looked: Promise<boolean> | undefined;
    await record.db.begin(async (tx) => {
      await reportEnd(tx, noKeys, row?.goalId ?? '', end, 'It is blue.');
      looked = record.db.begin((other) => hasUnread(other, goalId));
      await untilBlocked();
    });
    expect(await looked).toBe(true);
  });

  test('one that a person paused is not resumed by its parent', async () => {
    const { goalId } = await granted([asked()]);
    const child = (await rowsOf(goalId))[0]?.goalId ?? '';
    const execution = { goalId: child, epoch: 1, runId: 'run-child' };
    await record.record.openExecution(execution, null);
    await record.db`UPDATE delegate SET is_held_by_parent = true WHERE child_goal_id = ${child}`;
    await record.record.commitMutation(execution, mutation({ kind: 'pause' }), child);
    const change = { commitId: 'family', expectedRevision: 2 };
    const { chart } = await record.record.syncDelegation(execution, change);
    expect(chart.value).toBe('paused');
  });

  test('what a person approved of one counts no more after the pause of a goal above it', async () => {
    const { goalId, execution } = await granted([asked()]);
    const [row] = await rowsOf(goalId);
    const childId = row?.goalId ?? '';
    await record.db`
      INSERT INTO approval (approval_id, goal_id, kind, turn, call_id, data, state, decided_at)
      VALUES (${`a-${childId}`}, ${childId}, 'tool', 1, 't1.s1.1',
        '{"rule": "r", "inputSha256": "0"}', 'approved', now())`;
    const wasSpokenSince = async () =>
      (await record.journal.askedAbout(childId, 't1.s1.1'))?.wasSpokenSince;
    expect(await wasSpokenSince()).toBe(false);
    await record.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await wasSpokenSince()).toBe(true);
  });
});

test.each([
  ['goal.paused', 'operator', true],
  ['goal.messaged', 'operator', true],
  ['goal.messaged', 'agent', false],
  ['goal.amended', 'operator', false],
])('M22 an approval of a call before a %s by role %s is overtaken: %s', async (type, role, is) => {
  const { goalId } = await record.openTurn();
  const approvalId = `a-${goalId}`;
  await record.db`
    INSERT INTO approval (approval_id, goal_id, kind, turn, call_id, data, state, decided_at)
    VALUES (${approvalId}, ${goalId}, 'tool', 1, 't1.s1.1',
      '{"rule": "r", "inputSha256": "0"}', 'approved', now())`;
  await record.db`
    INSERT INTO event (goal_id, seq, type, data)
    VALUES (${goalId}, 999, ${type}, ${record.db.json({ role })}),
      (${goalId}, 1000, 'goal.decided', ${record.db.json({ approvalId, role: 'operator' })})`;
  const asked = () => record.journal.askedAbout(goalId, 't1.s1.1');
  expect((await asked())?.wasSpokenSince).toBe(false);
  await record.db`
    INSERT INTO event (goal_id, seq, type, data)
    VALUES (${goalId}, 1001, ${type}, ${record.db.json({ role })})`;
  expect((await asked())?.wasSpokenSince).toBe(is);
});

/** Another transaction waits for a lock. */
async function untilBlocked(): Promise<void> {
  await eventually(async () => {
    const waiting = await record.db`
      SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    expect(waiting.count).toBeGreaterThan(0);
  });
}

/** In its next turn, the goal asks for one more. */
async function asks(execution: Execution): Promise<void> {
  const fence = await record.takeOver(execution);
  await record.journal.openTurn(fence, SECOND);
  const place = { turn: SECOND.turn, callId: 't2.s1.0' };
  await record.journal.startCall(fence, startedCall(1, place));
  await record.journal.settleCall(fence, settledCall(1, { ...place, delegate: asked() }));
}

const SECOND = { turn: 2, kind: 'wake', hostText: 'Go on.' } as const;

const woken = (execution: Execution) =>
  record.record.commitWait(execution, {
    commitId: `woken-${execution.goalId}`,
    expectedRevision: 2,
    wait: null,
  });

const nextTurn = () =>
  settledTurn(WAIT, { expectedRevision: 3, facts: emptyTurnFacts(2, 'wake', 'agent', 'yield') });
