import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordTurn } from '../../activities/record-turn.ts';
import { Closed, Refusal, Superseded } from '../../src/contract/failures.ts';
import { emptyTurnFacts } from '../../src/goal/decision/empty-turn-facts.ts';
import { wholeSight } from '../../src/policy/sight.ts';
import {
  answeredStep,
  mutation,
  newGoal,
  type OpenRecord,
  openRecord,
  request,
  rowCounts,
  sentStep,
  settledCall,
  settledTurn,
  startedCall,
} from './record-fixture.ts';

let stores: OpenRecord;
beforeAll(async () => {
  stores = await openRecord();
});
afterAll(() => stores.close());

const refusedWith = (code: string) =>
  expect.objectContaining({ name: 'Refusal', code }) as unknown as Refusal;

describe('a thread', () => {
  it('gets one goal from twenty starts at once (M2)', async () => {
    const threadId = 'crowded';
    const starts = Array.from({ length: 20 }, () =>
      stores.intake.startGoal(request(), newGoal({ threadId }), {
        expectedGoalId: null,
        replace: false,
        sight: wholeSight,
      }),
    );
    const results = await Promise.allSettled(starts);
    const accepted = results.filter(({ status }) => status === 'fulfilled');
    expect(accepted).toHaveLength(1);
    const current = await stores.reader.threadGoal(threadId);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) {
      expect(reason).toEqual(refusedWith('goal_conflict'));
      expect(reason.data).toMatchObject({ actualGoalId: current?.goalId, actualRevision: 1 });
    }
  });

  it('keeps its unfinished goal unless the replacement names it (M1, M24)', async () => {
    const threadId = 'replaced';
    const old = await stores.openGoal({ threadId });
    const start = (slot: { expectedGoalId: string | null | undefined; replace: boolean }) =>
      stores.intake.startGoal(request(), newGoal({ threadId }), { ...slot, sight: wholeSight });
    const conflict = refusedWith('goal_conflict');
    await expect(start({ expectedGoalId: undefined, replace: false })).rejects.toEqual(conflict);
    await expect(start({ expectedGoalId: undefined, replace: true })).rejects.toEqual(conflict);
    await expect(start({ expectedGoalId: 'g-other', replace: true })).rejects.toEqual(conflict);
    const results = await Promise.allSettled([
      start({ expectedGoalId: old.goalId, replace: true }),
      start({ expectedGoalId: old.goalId, replace: true }),
    ]);
    const [accepted] = results.filter((result) => result.status === 'fulfilled');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(accepted?.value.replaced).toEqual(old);
    expect((await stores.reader.goal(old.goalId))?.archivedAt).toBeDefined();
    expect((await stores.reader.threadGoal(threadId))?.goalId).toBe(accepted?.value.goal.goalId);
    expect(await stores.reconcile.archivedExecutions()).toContainEqual(
      expect.objectContaining({ goalId: old.goalId, runId: old.runId }),
    );
  });

  it('takes a new goal after a complete one (M24)', async () => {
    const threadId = 'after-complete';
    const { execution, goalId } = await stores.openTurn({ threadId });
    await stores.record.commitMutation(execution, mutation({ kind: 'complete' }), goalId);
    const { goal } = await stores.intake.startGoal(request(), newGoal({ threadId }), {
      expectedGoalId: undefined,
      replace: false,
      sight: wholeSight,
    });
    expect((await stores.reader.threadGoal(threadId))?.goalId).toBe(goal.goalId);
  });

  it('bills late usage to the goal that was replaced, not to the new one (M5)', async () => {
    const threadId = 'late-usage';
    const { fence, goalId } = await stores.openTurn({ threadId });
    await stores.journal.beginStep(fence, sentStep());
    const { goal } = await stores.intake.startGoal(request(), newGoal({ threadId }), {
      expectedGoalId: goalId,
      replace: true,
      sight: wholeSight,
    });
    await stores.journal.commitStep(fence, answeredStep());
    expect((await stores.reader.goal(goalId))?.usage.tokens).toBe(850);
    expect((await stores.reader.goal(goal.goalId))?.usage.tokens).toBe(0);
  });
});

describe('an idempotency key', () => {
  it('starts one goal and gives every retry the first answer', async () => {
    const first = request({ key: 'again' });
    const slot = { expectedGoalId: undefined, replace: false, sight: wholeSight };
    const goals = await Promise.all(
      Array.from({ length: 5 }, () =>
        stores.intake.startGoal({ ...request(), key: 'again' }, newGoal(), slot),
      ),
    );
    expect(new Set(goals.map(({ goal }) => goal.goalId)).size).toBe(1);
    expect(goals.filter(({ isNew }) => isNew)).toHaveLength(1);
    const other = stores.intake.startGoal({ ...first, bodyHash: 'other' }, newGoal(), slot);
    await expect(other).rejects.toEqual(refusedWith('idempotency_mismatch'));
  });

  it('keeps the first commit id until the request is answered or dropped', async () => {
    const first = request({ key: 'reserved' });
    expect(await stores.intake.reserveRequest(first)).toEqual({
      kind: 'proceed',
      commitId: first.commitId,
    });
    const retry = { ...first, commitId: 'another' };
    expect(await stores.intake.reserveRequest(retry)).toEqual({
      kind: 'proceed',
      commitId: first.commitId,
    });
    await stores.intake.dropRequest(first.commitId);
    expect(await stores.intake.reserveRequest(retry)).toEqual({
      kind: 'proceed',
      commitId: 'another',
    });
    expect(await stores.intake.answerOf('another')).toBeNull();
    const execution = await stores.openGoal();
    const pause = mutation({ kind: 'pause' }, { commitId: 'another' });
    await stores.record.commitMutation(execution, pause, execution.goalId);
    const answer = await stores.reader.goal(execution.goalId);
    expect(await stores.intake.reserveRequest(first)).toEqual({
      kind: 'answered',
      httpStatus: 200,
      answer,
    });
    // Committed, so it is no refused request any more.
    await stores.intake.dropRequest('another');
    expect(await stores.intake.answerOf('another')).toEqual({ httpStatus: 200, answer });
  });
});

describe('a mutation', () => {
  it('is committed once, and its retry gets the first result', async () => {
    const { execution, goalId } = await stores.openTurn();
    const pause = mutation({ kind: 'pause' });
    const first = await stores.record.commitMutation(execution, pause, goalId);
    expect(first.state).toMatchObject({ revision: 2, chart: { value: 'paused' } });
    await stores.record.commitMutation(
      execution,
      mutation({ kind: 'resume', acknowledge: false }),
      goalId,
    );
    const before = await rowCounts(stores.db, goalId);
    expect(await stores.record.commitMutation(execution, pause, goalId)).toEqual(first);
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
  });

  it('of two with the same expected revision is accepted once (M1, M11)', async () => {
    const { execution, goalId } = await stores.openTurn();
    const amend = () =>
      mutation(
        { kind: 'amend', budget: { turns: 7 }, changesCriteria: false },
        { expectedRevision: 1 },
      );
    const results = await Promise.allSettled([
      stores.record.commitMutation(execution, amend(), goalId),
      stores.record.commitMutation(execution, amend(), goalId),
    ]);
    const [refused] = results.filter((result) => result.status === 'rejected');
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(refused?.reason).toEqual(refusedWith('goal_conflict'));
    expect(refused?.reason.data).toMatchObject({ actualRevision: 2, actualGoalId: goalId });
  });

  it('whose price was judged with another model or cost limit than now is a conflict (M11, M18)', async () => {
    const execution = await stores.openGoal();
    const { goalId } = execution;
    const judged = { model: 'openai/test', fallbackModel: null, costUsd: null };
    const amend = (budget: { costUsd: string }) =>
      mutation({ kind: 'amend', changesCriteria: false, budget, judged });
    await stores.record.commitMutation(execution, amend({ costUsd: '5' }), goalId);
    const late = stores.record.commitMutation(execution, amend({ costUsd: '6' }), goalId);
    await expect(late).rejects.toEqual(refusedWith('goal_conflict'));
    expect((await stores.reader.goal(goalId))?.budget.costUsd).toBe('5');
  });

  it('whose price was judged with another fallback model than now is a conflict (M11, M18)', async () => {
    const execution = await stores.openGoal();
    const { goalId } = execution;
    const judged = { model: 'openai/test', fallbackModel: null, costUsd: null };
    const amend = (change: object, body = {}) => {
      const amendment = mutation({ kind: 'amend', changesCriteria: false, judged, ...change });
      return stores.intake
        .reserveRequest(request({ commitId: amendment.commitId, body, goalId }))
        .then(() => stores.record.commitMutation(execution, amendment, goalId));
    };
    const fallbackModel = 'compatible/unpriced';
    const { state } = await amend({ changesModel: true }, { fallbackModel });
    expect(state.hasFallbackModel).toBe(true);
    await expect(amend({ budget: { costUsd: '5' } })).rejects.toEqual(refusedWith('goal_conflict'));
    expect((await stores.reader.goal(goalId))?.budget.costUsd).toBeNull();
  });

  it('whose request another process was refused and forgot commits nothing without its text', async () => {
    const execution = await stores.openGoal();
    const { goalId } = execution;
    const message = mutation({ kind: 'message', delivery: 'steer' });
    const sent = request({ commitId: message.commitId, body: { text: 'left' }, goalId });
    const again = { ...sent, commitId: 'again' };
    await stores.intake.reserveRequest(sent);
    expect(await stores.intake.reserveRequest(again)).toMatchObject({ commitId: sent.commitId });
    await stores.ordered(message, goalId);
    await stores.intake.dropRequest(sent.commitId);
    const late = stores.unrequested.commitMutation(execution, message, goalId);
    await expect(late).rejects.toEqual(refusedWith('request_in_progress'));
    expect((await stores.reader.goal(goalId))?.revision).toBe(1);
    expect(await stores.journal.unread(goalId)).toEqual({
      persons: 0,
      programs: 0,
      isAmended: false,
    });
  });

  it('of a replaced goal changes nothing (M3, M4)', async () => {
    const threadId = 'mutate-replaced';
    const { execution, goalId } = await stores.openTurn({ threadId });
    await stores.intake.startGoal(request(), newGoal({ threadId }), {
      expectedGoalId: goalId,
      replace: true,
      sight: wholeSight,
    });
    const before = await stores.reader.threadGoal(threadId);
    const complete = stores.record.commitMutation(
      execution,
      mutation({ kind: 'complete' }),
      goalId,
    );
    await expect(complete).rejects.toEqual(refusedWith('invalid_transition'));
    expect(await stores.reader.threadGoal(threadId)).toEqual(before);
  });

  it('by a run that lost the goal is superseded', async () => {
    const { execution, goalId } = await stores.openTurn();
    const stale = { ...execution, runId: 'before' };
    const pause = stores.record.commitMutation(stale, mutation({ kind: 'pause' }), goalId);
    await expect(pause).rejects.toThrow(Superseded);
  });

  it('without an execution raises the epoch and asks for a start', async () => {
    const { execution, fence, goalId } = await stores.openTurn();
    await stores.record.commitMutation(execution, mutation({ kind: 'pause' }), goalId);
    const resume = mutation({ kind: 'resume', acknowledge: false });
    const { state, needsStart } = await stores.record.commitMutation(null, resume, goalId);
    expect({ epoch: state.epoch, needsStart }).toEqual({ epoch: 2, needsStart: true });
    expect(await stores.reconcile.goalsToStart()).toContainEqual({ goalId, epoch: 2 });
    await expect(stores.journal.beginStep(fence, sentStep())).rejects.toThrow(Superseded);
    await expect(stores.record.openExecution(execution, null)).rejects.toThrow(Superseded);
    await stores.record.openExecution({ goalId, epoch: 2, runId: 'next' }, null);
  });

  it('keeps the id and baseline of a criterion that stays, and renews the others (M13)', async () => {
    const { execution, goalId } = await stores.openTurn();
    const amend = mutation({ kind: 'amend', changesCriteria: true });
    const criteria = [
      { kind: 'command', command: 'npm test' },
      { kind: 'command', command: 'npm run lint' },
    ];
    const body = { objective: 'Also lint', criteria };
    await stores.intake.reserveRequest(request({ commitId: amend.commitId, body, goalId }));
    const { state } = await stores.record.commitMutation(execution, amend, goalId);
    const goal = await stores.reader.goal(goalId);
    expect(state.criteriaRevision).toBe(2);
    expect(goal).toMatchObject({ goalId, objective: 'Also lint', usage: { turns: 1 } });
    expect(goal?.criteria.map(({ criterionId, baseline }) => [criterionId, baseline])).toEqual([
      ['c1', 'unmet'],
      ['c2', 'not_run'],
    ]);
  });
});

describe('an execution', () => {
  it('takes a goal from nobody, from its predecessor and from itself', async () => {
    const goalId = await stores.accept();
    const first = { goalId, epoch: 1, runId: 'r1' };
    const opened = await stores.record.openExecution(first, null);
    expect(await stores.record.openExecution(first, null)).toEqual(opened);
    await expect(stores.record.openExecution({ ...first, runId: 'r2' }, null)).rejects.toThrow(
      Superseded,
    );
    await stores.record.openExecution({ ...first, runId: 'r2' }, 'r1');
    await expect(stores.record.openExecution(first, null)).rejects.toThrow(Superseded);
  });

  it('that was lost pauses an active goal for recovery, once (M21)', async () => {
    const { execution, goalId } = await stores.openTurn();
    const [running] = (await stores.reconcile.goalsRunning()).filter(
      (goal) => goal.goalId === goalId,
    );
    if (running === undefined) throw new Error('the goal does not run');
    expect(await stores.reconcile.markLost({ ...running, revision: 9 })).toBe(false);
    expect(await stores.reconcile.markLost(running)).toBe(true);
    expect(await stores.reconcile.markLost(running)).toBe(false);
    expect(await stores.reader.goal(goalId)).toMatchObject({
      status: 'paused',
      pause: { reason: 'recovery' },
    });
    const late = stores.record.recordTurn(
      execution,
      settledTurn({ action: 'continue', next: 'nudge' }),
    );
    await expect(late).rejects.toThrow(Superseded);
    const heldBy = await stores.reconcile.heldBy('w1');
    expect(heldBy.map((goal) => goal.goalId)).not.toContain(goalId);
  });

  it('is looked after by one reconciler at a time', async () => {
    const inner: boolean[] = [];
    const outer = await stores.reconcile.withReconcilerLock(async () => {
      inner.push(await stores.reconcile.withReconcilerLock(async () => {}));
    });
    expect([outer, ...inner]).toEqual([true, false]);
  });
});

/** A turn that ended with the model's claim, and what checkEvidence saw. */
async function claim() {
  const turn = await stores.openTurn();
  const { fence, goalId } = turn;
  const call = startedCall(1, { tool: 'attempt_completion', arguments: { result: 'All done.' } });
  await stores.journal.beginStep(fence, sentStep());
  await stores.journal.commitStep(fence, answeredStep());
  await stores.journal.startCall(fence, call);
  const facts = { ...emptyTurnFacts(1, 'start', 'agent', 'claim'), claim: { callId: call.callId } };
  const { workspace } = await stores.journal.brief(goalId);
  const seen = {
    state: 'met',
    baseline: 'unmet',
    isHostChecked: true,
    reason: 'exited 0',
  } as const;
  const evidence = {
    criteria: [{ criterionId: 'c1', receipts: [2], ...seen }],
    criteriaRevision: 1,
    writeSeq: workspace.writeSeq,
    fingerprint: 'f',
    weakened: [],
  };
  return { ...turn, facts, evidence };
}

const COMPLETE = { action: 'complete', source: 'explicit', verification: 'verified' } as const;

describe('a settled turn', () => {
  it('is the newest also where it was stopped before it opened, and nobody opens it again (M20)', async () => {
    const execution = await stores.openGoal();
    const facts = emptyTurnFacts(1, 'start', 'agent', 'interrupted');
    const turn = settledTurn({ action: 'hold' }, { facts, decision: { rule: 'interrupted' } });
    const state = await stores.record.recordTurn(execution, turn);
    expect(state).toMatchObject({
      turn: 1,
      isTurnOpen: false,
      chart: { value: { active: 'running' } },
    });
    const fence = await stores.takeOver(execution);
    const open = (number: number) =>
      stores.journal.openTurn(fence, { turn: number, kind: 'resume', hostText: 'Go on.' });
    await expect(open(1)).rejects.toThrow(Closed);
    expect(await open(2)).toBe('resume');
  });

  it('completes with the claim, the changed files and the receipts, and is recorded once (C21)', async () => {
    const { execution, fence, goalId, facts, evidence } = await claim();
    const wrote = { wrote: true, receipt: { writes: ['src/b.ts', 'src/a.ts'] }, callId: 't1.s9.0' };
    await stores.journal.settleCall(fence, settledCall(9, wrote));
    const { writeSeq } = (await stores.journal.brief(goalId)).workspace;
    const turn = settledTurn(COMPLETE, {
      facts,
      evidence: { ...evidence, writeSeq },
      decision: { rule: 'claim', receipts: [2] },
    });
    const state = await stores.record.recordTurn(execution, turn);
    expect(state).toMatchObject({ revision: 2, isTurnOpen: false, chart: { value: 'complete' } });
    const goal = await stores.reader.goal(goalId);
    expect(goal).toMatchObject({
      status: 'complete',
      criteria: [{ state: 'met', reason: 'exited 0', receipts: [2] }],
      completion: {
        source: 'explicit',
        verification: 'verified',
        result: 'All done.',
        changedFiles: ['src/a.ts', 'src/b.ts'],
        receipts: [2],
      },
    });
    const before = await rowCounts(stores.db, goalId);
    expect(await stores.record.recordTurn(execution, turn)).toEqual(state);
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
    const heads = await stores.db`
      SELECT 1 FROM decision d JOIN journal j USING (goal_id)
      WHERE d.goal_id = ${goalId} AND d.ledger_seq = j.ledger_seq AND d.ledger_head = j.ledger_head`;
    expect(heads.count).toBe(1);
    expect(await stores.verifier.whole(goalId)).toMatchObject({ holds: true });
  });

  it('is recorded by name and number, also where an older workflow sent the number alone', async () => {
    const pause = { action: 'pause', reason: 'question', message: 'Which?' } as const;
    for (const rule of ['waiting_words', 8] as const) {
      const execution = await stores.openGoal();
      const { decision, ...turn } = settledTurn(pause);
      const { yieldsTo: _, ...numbered } = { ...decision, rule: 8 as const };
      const named = { ...decision, rule: 'waiting_words' as const };
      const sent = { ...turn, decision: rule === 8 ? numbered : named };
      const state = await recordTurn(stores.record)(execution, sent);
      expect(state?.chart.value).toBe('paused');
      const [row] = await stores.db`
        SELECT rule, outcome->>'ruleName' AS name, outcome->>'yieldsTo' AS yields_to
        FROM decision WHERE goal_id = ${execution.goalId}`;
      expect({ ...row, rule: Number(row?.rule) }).toEqual({
        rule: 8,
        name: 'waiting_words',
        yields_to: 'result',
      });
    }
  });

  it('is shown with the name of its rule, in an older record where its number has one rule', async () => {
    const pause = { action: 'pause', reason: 'question', message: 'Which?' } as const;
    const shown = async (goalId: string) => {
      const { items } = await stores.reader.turns(goalId, { limit: 1 });
      const [turn] = await stores.reader.historyTurns(goalId, { before: 9, limit: 1 });
      return [items[0]?.decision?.ruleName, turn?.ruleName];
    };
    for (const [rule, name] of [
      ['message_answered', null],
      ['waiting_words', 'waiting_words'],
    ] as const) {
      const execution = await stores.openGoal();
      const { goalId } = execution;
      const state = await recordTurn(stores.record)(
        execution,
        settledTurn(pause, { decision: { rule } }),
      );
      expect(state?.chart.value).toBe('paused');
      expect(await shown(goalId)).toEqual([rule, rule]);
      const newest = await stores.reader.newestEvent(goalId);
      const point = await stores.reader.point(goalId, { seq: newest });
      expect(point?.decision?.ruleName).toBe(rule);
      await stores.db`
        UPDATE decision SET outcome = outcome - 'ruleName' WHERE goal_id = ${goalId}`;
      expect(await shown(goalId)).toEqual([name, name]);
    }
  });

  it('is decided again when files, criteria or messages moved since the check', async () => {
    const { execution, goalId, facts, evidence } = await claim();
    const before = await rowCounts(stores.db, goalId);
    const stale = [
      { ...evidence, writeSeq: evidence.writeSeq - 1 },
      { ...evidence, criteriaRevision: 0 },
      null,
    ];
    for (const seen of stale) {
      const turn = settledTurn(COMPLETE, { facts, evidence: seen });
      expect(await stores.record.recordTurn(execution, turn)).toBeNull();
    }
    expect(await rowCounts(stores.db, goalId)).toEqual(before);
    const message = mutation({ kind: 'message', delivery: 'steer' });
    await stores.record.commitMutation(execution, message, goalId);
    const unread = settledTurn(COMPLETE, { facts, evidence });
    const { revision } = (await stores.reader.reach(goalId)) ?? { revision: 0 };
    expect(
      await stores.record.recordTurn(execution, { ...unread, expectedRevision: revision }),
    ).toBeNull();
  });

  it('tells the model what is missing when it refuses a claim', async () => {
    const { execution, goalId, facts, evidence } = await claim();
    const turn = settledTurn(
      { action: 'refuse', next: 'nudge' },
      {
        facts,
        evidence,
        decision: { rule: 'claim', missing: ['c1'], reasons: { c1: 'exited 1' } },
      },
    );
    await stores.record.recordTurn(execution, turn);
    const [settled] = await stores.journal.receipts(goalId);
    expect(settled).toMatchObject({ callId: 't1.s1.0', outcome: 'refused' });
    const last = (await stores.journal.conversation(goalId)).messages.at(-1);
    expect(last).toMatchObject({
      voice: 'tool',
      content: { callId: 't1.s1.0', providerId: 'p0', isError: true },
    });
    expect(last?.content.text).toContain('c1: exited 1');
    expect(await stores.reader.lastGate(goalId)).toMatchObject({
      turn: 1,
      missing: ['c1'],
      reasons: { c1: 'exited 1' },
    });
    expect((await stores.journal.brief(goalId)).lastDecision).toMatchObject({
      rule: 4,
      action: 'refuse',
    });
  });

  it('puts an unverified claim to a person, whose approval completes the goal (C7)', async () => {
    const { execution, goalId, facts, evidence } = await claim();
    const outcome = { action: 'pause', reason: 'unverified_claim', message: 'Decide.' } as const;
    await stores.record.recordTurn(execution, settledTurn(outcome, { facts, evidence }));
    const [approval] = await stores.reader.approvals({ goalId, state: 'open', sight: wholeSight });
    expect(approval).toMatchObject({ kind: 'completion', data: { result: 'All done.' } });
    const approvalId = approval?.approvalId ?? '';
    const approve = () => mutation({ kind: 'approval', approvalId, decision: 'approve' });
    await stores.record.commitMutation(execution, approve(), goalId);
    expect(await stores.reader.goal(goalId)).toMatchObject({
      status: 'complete',
      completion: { verification: 'accepted_by_person', result: 'All done.' },
    });
    expect(await stores.reader.approvals({ goalId, state: 'open', sight: wholeSight })).toEqual([]);
  });

  it('takes the answer to its question once', async () => {
    const { execution, goalId, facts } = await claim();
    const asking = { ...facts, claim: null, question: { questionId: 'x', callId: 't1.s1.0' } };
    const outcome = { action: 'pause', reason: 'question', message: 'Which one?' } as const;
    await stores.record.recordTurn(execution, settledTurn(outcome, { facts: asking }));
    const question = await stores.reader.question(goalId);
    const questionId = question?.questionId ?? '';
    expect((await stores.reader.goal(goalId))?.pause?.questionId).toBe(questionId);
    const answer = mutation({ kind: 'answer', questionId });
    await stores.intake.reserveRequest(
      request({ commitId: answer.commitId, body: { text: 'the left' }, goalId }),
    );
    await stores.record.commitMutation(execution, answer, goalId);
    expect(await stores.reader.question(goalId)).toBeNull();
    const again = stores.record.commitMutation(
      execution,
      mutation({ kind: 'answer', questionId }),
      goalId,
    );
    await expect(again).rejects.toBeInstanceOf(Refusal);
    const fence = await stores.takeOver(execution);
    await stores.journal.openTurn(fence, { turn: 2, kind: 'answer', hostText: null });
    expect((await stores.journal.conversation(goalId)).messages.at(-1)?.content.text).toBe(
      'the left',
    );
  });
});

describe('a wait', () => {
  it('is committed once and shows who must act', async () => {
    const { execution, goalId } = await stores.openTurn();
    const wait = {
      on: 'provider',
      reason: 'rate limit',
      since: new Date().toISOString(),
      until: null,
    } as const;
    const change = { commitId: 'wait-1', expectedRevision: 1, wait };
    const state = await stores.record.commitWait(execution, change);
    expect(await stores.record.commitWait(execution, change)).toEqual(state);
    expect((await stores.reader.goal(goalId))?.activity).toMatchObject({
      state: 'waiting',
      actor: 'Provider',
    });
  });
});

describe('the baseline', () => {
  it('is stored once', async () => {
    const { execution, goalId } = await stores.openTurn();
    const baseline = {
      states: { c1: 'met' as const },
      reasons: { c1: 'exited 0' },
    };
    await stores.record.recordBaseline(execution, baseline);
    await stores.record.recordBaseline(execution, { ...baseline, states: { c1: 'unmet' } });
    const brief = await stores.journal.brief(goalId);
    expect(brief.baseline).toEqual(baseline);
    expect(brief.criteria).toMatchObject([{ baseline: 'met', reason: 'exited 0' }]);
  });
});
