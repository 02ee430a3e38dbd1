import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Closed, Superseded } from '../../src/contract/failures.ts';
import { createJournal } from '../../src/store/journal/journal.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import {
  answeredStep,
  mutation,
  type OpenRecord,
  openRecord,
  rowCounts,
  sentStep,
  settledCall,
  startedCall,
  USAGE,
  WORKSPACE,
} from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

describe('the fencing token', () => {
  it('goes to one of two attempts that raise it at once', async () => {
    const execution = await stores.openGoal();
    const claim = {
      ...execution,
      expectedToken: 0,
      scheduledAt: 1000,
      host: 'here',
      workerId: 'w1',
    };
    const results = await Promise.allSettled([
      stores.journal.raiseToken(claim),
      stores.journal.raiseToken(claim),
    ]);
    const raised = results.filter(({ status }) => status === 'fulfilled');
    expect(raised).toHaveLength(1);
    const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toBeInstanceOf(Superseded);
  });

  it('is not raised by a run that does not hold the goal', async () => {
    const { goalId, epoch } = await stores.openGoal();
    const claim = {
      goalId,
      epoch,
      expectedToken: 0,
      scheduledAt: 1000,
      host: 'here',
      workerId: 'w1',
    };
    await expect(stores.journal.raiseToken({ ...claim, runId: 'other' })).rejects.toThrow(
      Superseded,
    );
  });

  it('lets an attempt that was replaced write nothing', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    await stores.journal.beginStep(fence, sentStep());
    await stores.takeOver(execution);
    const before = await rowCounts(stores.db, goalId);
    const { journal } = stores;
    const writes = [
      () => journal.openTurn(fence, { turn: 2, kind: 'nudge', hostText: 'x' }),
      () => journal.takeSteering(fence, 1),
      () => journal.beginStep(fence, sentStep(2)),
      () => journal.commitStep(fence, answeredStep()),
      () => journal.loseStep(fence, { turn: 1, kind: 'turn', step: 1, attempt: 1, usage: USAGE }),
      () => journal.startCall(fence, startedCall()),
      () => journal.settleCall(fence, settledCall()),
      () => journal.settleCall(fence, settledCall(1, { wrote: true })),
      () => journal.recordHelper(fence, { host: 'here', pid: 1, startedAt: '1' }),
      () => journal.repeatCall(fence, 't1.s1.1'),
      () => journal.leaseWorkspace(fence, WORKSPACE),
      () => journal.addActiveTime(fence, 5),
    ];
    for (const write of writes) await expect(write()).rejects.toThrow(Superseded);
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
  });

  it('names the helper that a takeover must end', async () => {
    const execution = await stores.openGoal();
    expect(await stores.journal.lastAttempt(execution.goalId)).toBeNull();
    const fence = await stores.takeOver(execution);
    const helper = { host: 'here', pid: 4711, startedAt: '99', isInit: true };
    await stores.journal.recordHelper(fence, helper);
    await stores.journal.recordHelper(fence, helper);
    expect(await stores.journal.lastAttempt(execution.goalId)).toMatchObject({ token: 1, helper });
  });
});

describe('a goal that was paused', () => {
  it('refuses beginnings and takes endings', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const { journal, record } = stores;
    await journal.beginStep(fence, sentStep());
    await journal.commitStep(fence, answeredStep());
    await journal.startCall(fence, startedCall());
    await journal.beginStep(fence, sentStep(2));
    await record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    await expect(journal.beginStep(fence, sentStep(3))).rejects.toThrow(Closed);
    await expect(journal.startCall(fence, startedCall(2))).rejects.toThrow(Closed);
    await expect(journal.takeSteering(fence, 1)).rejects.toThrow(Closed);
    await journal.commitStep(fence, answeredStep(2));
    const row = await journal.settleCall(fence, settledCall(1, { wrote: true }));
    expect(row).toMatchObject({ phase: 'settled', seq: 2, outcome: 'succeeded' });
    expect((await journal.brief(goalId)).usage).toMatchObject({ steps: 2, tokens: 1700 });
  });
});

describe('a step whose first call begins with its end', () => {
  it('is stored with the call, once, behind whatever other processes have appended', async () => {
    const { fence, goalId } = await stores.openTurn();
    const { journal } = stores;
    await journal.beginStep(fence, sentStep());
    const end = { ...answeredStep(), firstCall: startedCall() };
    expect(await journal.commitStep(fence, end)).toEqual({ hasBegun: true });
    const stored = await rowCounts(stores.db, goalId);
    expect(stored).toMatchObject({ ledger: 1 });
    expect(await journal.commitStep(fence, end)).toEqual({ hasBegun: false });
    await journal.startCall(fence, startedCall());
    expect(await rowCounts(stores.db, goalId)).toEqual(stored);

    await journal.beginStep(fence, sentStep(2));
    const second = { ...answeredStep(2), firstCall: startedCall(2) };
    expect(await journal.commitStep(fence, second)).toEqual({ hasBegun: true });
    // Another process, with heads of its own, is one row further.
    await createJournal(stores.db, { ledgerKeys: noKeys }).settleCall(fence, settledCall(2));
    await journal.beginStep(fence, sentStep(3));
    const third = { ...answeredStep(3), firstCall: startedCall(3) };
    expect(await journal.commitStep(fence, third)).toEqual({ hasBegun: false });
    await journal.startCall(fence, startedCall(3));
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true, rows: 4 });
  });

  it('is stored without it once the goal is closed', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const { journal, record } = stores;
    await journal.beginStep(fence, sentStep());
    await record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    const end = { ...answeredStep(), firstCall: startedCall() };
    expect(await journal.commitStep(fence, end)).toEqual({ hasBegun: false });
    expect(await rowCounts(stores.db, goalId)).toMatchObject({ ledger: 0 });
    expect((await journal.brief(goalId)).usage).toMatchObject({ steps: 1 });
  });
});

describe('a step that settles the call before it as it begins', () => {
  const begunCall = async () => {
    const opened = await stores.openTurn();
    await stores.journal.beginStep(opened.fence, sentStep());
    const end = { ...answeredStep(), firstCall: startedCall() };
    await stores.journal.commitStep(opened.fence, end);
    return opened;
  };
  const next = { ...sentStep(2), settles: settledCall() };

  it('stores both, once, as if they had come one after the other', async () => {
    const { fence, goalId } = await begunCall();
    const { journal } = stores;
    expect(await journal.beginStep(fence, next)).toBe(true);
    const stored = await rowCounts(stores.db, goalId);
    expect(stored).toMatchObject({ ledger: 2, steps: 2 });
    const types = await stores.db<{ type: string }[]>`
      SELECT type FROM event WHERE goal_id = ${goalId} ORDER BY seq DESC LIMIT 3`;
    expect(types.map(({ type }) => type)).toEqual([
      'step.started',
      'message.added',
      'call.settled',
    ]);
    expect((await journal.conversation(goalId)).messages.at(-1)).toMatchObject({
      voice: 'tool',
      content: { callId: settledCall().callId, text: settledCall().text },
    });
    expect(await journal.beginStep(fence, next)).toBe(false);
    await journal.settleCall(fence, settledCall());
    expect(await journal.beginStep(fence, sentStep(2))).toBe(true);
    expect(await rowCounts(stores.db, goalId)).toEqual(stored);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true, rows: 2 });
  });

  it.each([
    ['the goal was closed', 'pause'],
    ['somebody steers', 'message'],
    ['another process has appended', 'append'],
  ])('stores neither where %s meanwhile', async (_why, what) => {
    const { execution, fence, goalId } = await begunCall();
    const { journal, record } = stores;
    if (what === 'pause')
      await record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    if (what === 'message') {
      const steer = mutation({ kind: 'message', delivery: 'steer' });
      await record.commitMutation(execution, steer, goalId);
    }
    if (what === 'append')
      await createJournal(stores.db, { ledgerKeys: noKeys }).startCall(fence, startedCall(9));
    const before = await rowCounts(stores.db, goalId);
    expect(await journal.beginStep(fence, next)).toBe(false);
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
    await journal.settleCall(fence, settledCall());
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
  });
});

describe('every method', () => {
  it('changes nothing when it is called again with the same arguments', async () => {
    const { fence, goalId } = await stores.openTurn();
    const { journal } = stores;
    const output = Buffer.from('everything');
    const calls = [
      () => journal.openTurn(fence, { turn: 1, kind: 'start', hostText: 'Begin.' }),
      () => journal.beginStep(fence, sentStep()),
      () => journal.commitStep(fence, answeredStep()),
      () => journal.startCall(fence, startedCall()),
      () => journal.settleCall(fence, settledCall(1, { wrote: true, output, todos: [] })),
      () => journal.beginStep(fence, sentStep(2)),
      () => journal.loseStep(fence, { turn: 1, kind: 'turn', step: 2, attempt: 1, usage: USAGE }),
      () => journal.beginStep(fence, { ...sentStep(2), attempt: 2 }),
      () =>
        journal.failStep(fence, {
          turn: 1,
          kind: 'turn',
          step: 2,
          attempt: 2,
          usage: null,
          trouble: null,
          partialText: 'cut',
        }),
      () => journal.leaseWorkspace(fence, WORKSPACE),
    ];
    for (const call of calls) {
      const first = await call();
      const before = await rowCounts(stores.db, goalId);
      expect(await call()).toEqual(first);
      expect(await rowCounts(stores.db, goalId)).toEqual(before);
    }
    expect((await journal.brief(goalId)).usage).toMatchObject({
      inputTokens: 2000,
      costUsd: '0.002468',
      steps: 2,
      turns: 1,
    });
  });

  it('charges a step once when two connections commit it at the same time (M6)', async () => {
    const { fence, goalId } = await stores.openTurn();
    await stores.journal.beginStep(fence, sentStep());
    const commits = Array.from({ length: 8 }, () =>
      stores.journal.commitStep(fence, answeredStep()),
    );
    await Promise.all(commits);
    expect((await stores.journal.brief(goalId)).usage).toMatchObject({
      inputTokens: 1000,
      steps: 1,
    });
    const { messages: conversation } = await stores.journal.conversation(goalId);
    expect(conversation.filter(({ voice }) => voice === 'model')).toHaveLength(1);
  });
});

describe('the ledger', () => {
  it('stays gapless and chained under calls that settle at once and attempts that take over', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const indexes = Array.from({ length: 10 }, (_, index) => index + 1);
    await Promise.all(indexes.map((n) => stores.journal.startCall(fence, startedCall(n))));
    const next = await stores.takeOver(execution);
    const settled = await Promise.allSettled([
      ...indexes.map((n) =>
        stores.journal.settleCall(next, settledCall(n, { wrote: n % 2 === 0 })),
      ),
      stores.journal.settleCall(fence, settledCall(1)),
    ]);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true, rows: 20 });
  });

  it('hashes what Postgres gives back, whatever the bytes and key order', async () => {
    const { fence, goalId } = await stores.openTurn();
    const odd = {
      z: 'a\u0000b\ud800',
      'k\u0000': 1e21,
      a: [0.1, null, { y: '\u{1F600}', b: true }],
    };
    await stores.journal.startCall(fence, startedCall(1, { arguments: odd }));
    await stores.journal.settleCall(fence, settledCall(1, { text: 'nul \u0000 and \udfff' }));
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true, rows: 2 });
    const [, result] = (await stores.journal.conversation(goalId)).messages;
    expect(result?.content.text).toBe('nul \uFFFD and \uFFFD');
  });

  it('counts writes of the workspace in the receipt', async () => {
    const { fence, goalId } = await stores.openTurn();
    const before = (await stores.journal.brief(goalId)).workspace.writeSeq;
    await stores.journal.startCall(fence, startedCall());
    const row = await stores.journal.settleCall(fence, settledCall(1, { wrote: true }));
    expect(row.receipt?.writeSeq).toBe(before + 1);
    expect((await stores.journal.brief(goalId)).workspace.writeSeq).toBe(before + 1);
  });

  it.each(['UPDATE ledger SET tool = tool', 'DELETE FROM ledger', 'TRUNCATE ledger'])(
    'refuses %s',
    async (statement) => {
      await expect(stores.db.unsafe(statement)).rejects.toThrow('append-only');
    },
  );
});

describe('a turn', () => {
  it('takes untaken messages in order, once, and answers a person who came first (M20)', async () => {
    const execution = await stores.openGoal();
    const { goalId } = execution;
    for (const text of ['first', 'second']) {
      const sent = mutation({ kind: 'message', delivery: 'pause' });
      await stores.intake.reserveRequest(requestFor(goalId, sent.commitId, text));
      await stores.record.commitMutation(execution, sent, goalId);
    }
    expect(await stores.journal.unread(goalId)).toEqual({
      persons: 2,
      programs: 0,
      isAmended: false,
    });
    const fence = await stores.takeOver(execution);
    const kind = await stores.journal.openTurn(fence, {
      turn: 1,
      kind: 'start',
      hostText: 'Begin.',
    });
    expect(kind).toBe('message');
    const texts = (await stores.journal.conversation(goalId)).messages.map(
      ({ content }) => content.text,
    );
    expect(texts).toEqual(['Begin.', 'first', 'second']);
    expect(await stores.journal.unread(goalId)).toEqual({
      persons: 0,
      programs: 0,
      isAmended: false,
    });
  });

  it("leaves the next turn the host's where a person only steered, and makes it theirs where they asked", async () => {
    const steered = await stores.openGoal();
    const first = await stores.takeOver(steered);
    const steer = mutation({ kind: 'message', delivery: 'steer' });
    await stores.record.commitMutation(steered, steer, steered.goalId);
    const nudge = { turn: 1, kind: 'nudge', hostText: 'Go on.' } as const;
    expect(await stores.journal.openTurn(first, nudge)).toBe('nudge');
    const asked = await stores.openGoal();
    const second = await stores.takeOver(asked);
    const ask = mutation({ kind: 'message', delivery: 'pause' });
    await stores.record.commitMutation(asked, ask, asked.goalId);
    expect(await stores.journal.openTurn(second, nudge)).toBe('message');
  });

  it('takes a steering message at the next step', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    const sent = mutation({ kind: 'message', delivery: 'steer' });
    await stores.intake.reserveRequest(requestFor(goalId, sent.commitId, 'left, please'));
    await stores.record.commitMutation(execution, sent, goalId);
    expect(await stores.journal.beginStep(fence, sentStep())).toBe(false);
    await stores.journal.takeSteering(fence, 1);
    await stores.journal.takeSteering(fence, 1);
    expect(await stores.journal.beginStep(fence, sentStep())).toBe(true);
    expect(await stores.journal.beginStep(fence, sentStep())).toBe(true);
    const [, ...steer] = (await stores.journal.conversation(goalId)).messages;
    expect(steer).toMatchObject([{ voice: 'person', content: { text: 'left, please' } }]);
  });

  it('numbers the steps of each kind apart', async () => {
    const { fence, goalId } = await stores.openTurn();
    const kinds = ['turn', 'review', 'compaction'] as const;
    for (const kind of kinds) {
      expect(await stores.journal.beginStep(fence, { ...sentStep(), kind })).toBe(true);
    }
    const review = { ...answeredStep(), kind: 'review', content: null } as const;
    await stores.journal.commitStep(fence, review);
    const { steps } = await stores.journal.turn(goalId, 1);
    expect(steps.map(({ kind, step, state }) => [kind, step, state])).toEqual([
      ['turn', 1, 'sent'],
      ['review', 1, 'committed'],
      ['compaction', 1, 'sent'],
    ]);
  });

  it.each([
    ['host', true],
    ['agent', true],
    ['person', false],
  ] as const)('begins a step of a gate where the %s has spoken: %s', async (voice, begins) => {
    const { fence, goalId } = await stores.openTurn();
    await stores.db`
      INSERT INTO inbox (message_id, goal_id, kind, voice, text, delivery)
      VALUES (${`m-${goalId}`}, ${goalId}, 'notice', ${voice}, 'left, please', 'steer')`;
    expect(await stores.journal.beginStep(fence, sentStep())).toBe(false);
    expect(await stores.journal.beginStep(fence, { ...sentStep(), kind: 'review' })).toBe(begins);
  });

  it('can be read back for the attempt that goes on', async () => {
    const { fence, goalId } = await stores.openTurn();
    const plan = { path: 'a', before: null, after: 'ff' };
    await stores.journal.beginStep(fence, sentStep());
    await stores.journal.commitStep(fence, answeredStep());
    await stores.journal.startCall(fence, startedCall(1, { effect: 'write', plan }));
    await stores.journal.beginStep(fence, sentStep(2));
    const { steps, started, settled } = await stores.journal.turn(goalId, 1);
    expect(steps).toMatchObject([
      { step: 1, state: 'committed', text: 'I will look.', calls: [{ callId: 't1.s1.0' }] },
      { step: 2, state: 'sent', text: '', calls: [], estimatedInput: 1000 },
    ]);
    expect(started).toMatchObject([{ callId: 't1.s1.0', token: fence.token, plan }]);
    expect(settled).toEqual([]);
  });
});

describe('the lease of a workspace', () => {
  it('has one holder until that goal pauses', async () => {
    await stores.db`UPDATE workspace SET lease_goal_id = NULL`;
    const one = await stores.openGoal();
    const other = await stores.openGoal();
    const oneFence = await stores.takeOver(one);
    const otherFence = await stores.takeOver(other);
    const results = await Promise.all([
      stores.journal.leaseWorkspace(oneFence, WORKSPACE),
      stores.journal.leaseWorkspace(otherFence, WORKSPACE),
    ]);
    expect(results.filter((isMine) => isMine)).toHaveLength(1);
    const holder = results[0] ? one : other;
    await stores.record.commitMutation(holder, mutation({ kind: 'pause' }), holder.goalId);
    const waiting = results[0] ? otherFence : oneFence;
    expect(await stores.journal.leaseWorkspace(waiting, WORKSPACE)).toBe(true);
  });
});

function requestFor(goalId: string, commitId: string, text: string) {
  return {
    principal: { role: 'operator' as const, name: 'ada' },
    route: `POST /v1/goals/${goalId}/messages`,
    key: commitId,
    bodyHash: text,
    body: { text },
    commitId,
    goalId,
  };
}
