import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Superseded } from '../../src/contract/failures.ts';
import type { EndedSlice } from '../../src/contract/record.ts';
import type { TurnFacts } from '../../src/contract/turn-facts.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { mutation, type OpenRecord, openRecord, rowCounts, settledTurn } from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

const { usage } = settledTurn({ action: 'hold' });

/** A slice at its end: the model stopped behind a question in words, unless told otherwise. */
const ended = (overrides: Partial<TurnFacts> = {}): EndedSlice => ({
  facts: { ...emptyTurnFacts(1, 'start', 'agent', 'turn_cap'), ...overrides },
  usage,
});

const ASKS = {
  end: 'yield',
  signals: { ...ended().facts.signals, asksDirectly: true, isEmpty: false },
} as const;

const message = (delivery: 'steer' | 'pause') => mutation({ kind: 'message', delivery });

describe('ROW-137: a turn is settled with its slice', () => {
  it('once: the workflow that settles it again is given the same', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const settled = await stores.record.settleSlice(execution, fence, ended());
    expect(settled?.state).toMatchObject({ revision: 2, turn: 1, isTurnOpen: false });
    const before = await rowCounts(stores.db, goalId);
    expect(before).toMatchObject({ decisions: 1 });
    expect(await stores.record.settleSlice(execution, fence, ended())).toBeNull();
    const again = { ...settledTurn({ action: 'hold' }), commitId: 'turn-1' };
    expect(await stores.record.recordTurn(execution, again)).toEqual(settled?.state);
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
  });

  it('by the attempt that holds the goal, and by no older one or other run', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const next = await stores.takeOver(execution);
    const before = await rowCounts(stores.db, goalId);
    for (const [run, attempt] of [
      [execution, fence],
      [{ ...execution, runId: 'run-of-others' }, next],
    ] as const) {
      await expect(stores.record.settleSlice(run, attempt, ended())).rejects.toThrow(Superseded);
    }
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
    expect(await stores.record.settleSlice(execution, next, ended())).not.toBeNull();
  });

  it('with the messages that came while it ended: they are answered before the goal pauses', async () => {
    for (const hears of [false, true]) {
      const { execution, fence, goalId } = await stores.openTurn();
      if (hears) await stores.record.commitMutation(execution, message('steer'), goalId);
      const settled = await stores.record.settleSlice(execution, fence, ended(ASKS));
      expect(settled?.turn.decision).toMatchObject({
        rule: 'waiting_words',
        outcome: hears ? { action: 'continue', next: 'message' } : { action: 'pause' },
      });
      const kept = await stores.db`
        SELECT facts->'facts'->>'unread' AS unread FROM decision WHERE goal_id = ${goalId}`;
      expect(kept).toMatchObject([{ unread: hears ? '1' : '0' }]);
    }
  });
});

describe('ROW-138: the workflow settles what takes more than a transaction', () => {
  it.each<[string, Partial<TurnFacts>]>([
    ['a claim, which rests on evidence', { end: 'claim', claim: { callId: 't1.s1.0' } }],
    ['a slice that goes on', { end: 'slice_cap' }],
    ['a worker that stops', { end: 'shutdown' }],
    ['a turn that was stopped', { end: 'interrupted' }],
    ['a provider that failed', { end: 'provider_error' }],
    ['a record that was altered', { end: 'record_altered' }],
    ['a session', { end: 'yield', inSession: true }],
    ['a family', { end: 'yield', delegates: { running: 1, waking: 0 } as never }],
  ])('%s', async (_, facts) => {
    const { execution, fence, goalId } = await stores.openTurn();
    const before = await rowCounts(stores.db, goalId);
    expect(await stores.record.settleSlice(execution, fence, ended(facts))).toBeNull();
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
  });

  it('a goal that was paused while its slice ended', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    expect(await stores.record.settleSlice(execution, fence, ended())).toBeNull();
  });
});

describe('a change of the workflow’s own, decided before it knows of the settled turn', () => {
  const wait = { on: 'worker', message: 'No worker.', until: null } as never;

  it('ROW-139: is not made, and the workflow is given the newer state', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const settled = await stores.record.settleSlice(execution, fence, ended());
    const before = await rowCounts(stores.db, goalId);
    const change = { expectedRevision: 1 };
    const { record } = stores;
    const answers = [
      await record.commitWait(execution, { ...change, commitId: 'a', wait }),
      await record.expire(execution, { ...change, commitId: 'b' }),
      await record.fireWait(execution, { ...change, commitId: 'c', how: 'elapsed' as never }),
      await record.endWorkspaceWait(execution, { ...change, commitId: 'd' }),
      await record.syncDelegation(execution, { ...change, commitId: 'e' }),
      await record.commitTransition(execution, {
        ...{ ...change, commitId: 'f' },
        event: { type: 'deadline.passed' } as never,
      }),
    ];
    expect(answers).toEqual(answers.map(() => settled?.state));
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
  });

  it('ROW-140: is refused where the record is behind the workflow, and where another run holds the goal', async () => {
    const { execution } = await stores.openTurn();
    const waiting = (run: typeof execution, expectedRevision: number) =>
      stores.record.commitWait(run, { commitId: 'w', expectedRevision, wait });
    await expect(waiting(execution, 2)).rejects.toThrow(Superseded);
    await expect(waiting({ ...execution, runId: 'other' }, 1)).rejects.toThrow(Superseded);
    expect(await waiting(execution, 1)).toMatchObject({ revision: 2 });
  });
});
