import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goal, StartGoal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { answerExists, liveScript } from './live-script.ts';
import { readStream, worldCaller } from './world-calls.ts';

let world: GoalWorld;
let call: ReturnType<typeof worldCaller>;
beforeAll(async () => {
  world = await openGoalWorld({ script: liveScript });
  call = worldCaller(world);
});
afterAll(() => world.close());

const bodyOf = async (name: string, goal: Partial<StartGoal> = {}) => ({
  objective: `${name}: go`,
  scope: { change: ['answer.txt'] },
  ...goal,
  workspace: { path: await world.workspace({}) },
});

const open = async (name: string, goal: Partial<StartGoal> = {}) =>
  (await world.start(await bodyOf(name, goal))).goalId;

const isComplete = ({ status }: Goal) => status === 'complete';
const isPaused = ({ status }: Goal) => status === 'paused';

describe('events of a live goal', () => {
  test('come from the backlog, then live, in one gapless row; Last-Event-ID goes on behind it', async () => {
    const goalId = await open('writes', { criteria: [answerExists] });
    const path = `/v1/goals/${goalId}/events`;
    const all = await readStream(world, path, {
      isLast: ({ event, data }) => event === 'goal.changed' && data.data.status === 'complete',
    });
    // What commands print and models say is told as well, and not kept.
    const kept = all.filter(({ event }) => !['command.output', 'model.text'].includes(event));
    expect(kept.map(({ data }) => data.seq)).toEqual(kept.map((_, index) => index + 1));
    expect(kept.map(({ id }) => id)).toEqual(kept.map(({ data }) => `${goalId}:${data.seq}`));
    const types = all.map(({ event }) => event);
    for (const type of ['goal.started', 'turn.opened', 'call.settled', 'turn.settled'])
      expect(types).toContain(type);
    const behind = kept.at(-4);
    const rest = await readStream(world, path, {
      headers: { 'last-event-id': behind?.id ?? '' },
      isLast: ({ id }) => id === kept.at(-1)?.id,
    });
    expect(rest.map(({ id }) => id)).toEqual(kept.slice(-3).map(({ id }) => id));
  });

  test('of all goals tell which one changed', async () => {
    let goalId = '';
    const events = await readStream(world, '/v1/events', {
      onOpen: async () => {
        goalId = await open('writes', { criteria: [answerExists] });
      },
      isLast: ({ data }) => data.goalId === goalId && data.status === 'complete',
    });
    expect(events.at(-1)).toMatchObject({ event: 'goal.changed', data: { status: 'complete' } });
  });
});

describe('a retry with the same Idempotency-Key', () => {
  test('of a start gets the first goal, also after it completed and its folder is gone', async () => {
    const body = await bodyOf('writes', { criteria: [answerExists] });
    const first = await call('POST /v1/goals', { body, key: 'start-1' });
    expect(first.status).toBe(201);
    await world.until(first.body.goalId, isComplete);
    await rm(body.workspace.path, { recursive: true });
    const retry = await call('POST /v1/goals', { body, key: 'start-1' });
    expect([retry.status, retry.body]).toEqual([201, first.body]);
    expect(retry.headers['idempotency-replayed']).toBe('true');
    const other = await call('POST /v1/goals', {
      body: { ...body, objective: 'other' },
      key: 'start-1',
    });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
  });

  test('of pause, message, answer and complete acts once, also after the goal ended', async () => {
    const goalId = await open('asks', { criteria: [answerExists] });
    const { pause } = await world.until(goalId, isPaused);
    const answer = {
      body: { questionId: pause?.questionId, text: 'Red.' },
      key: 'answer-1',
    };
    const first = await call(`POST /v1/goals/${goalId}/answers`, answer);
    expect(first.status).toBe(200);
    const done = await world.until(goalId, isComplete);
    const again = await call(`POST /v1/goals/${goalId}/answers`, answer);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await world.get(goalId)).revision).toBe(done.revision);

    const running = await open('hangs');
    for (const [verb, body] of [
      ['messages', { text: 'Look here', delivery: 'steer' }],
      ['pause', {}],
      ['complete', { result: 'By hand.' }],
    ] as const) {
      const line = `POST /v1/goals/${running}/${verb}`;
      const once = await call(line, { body, key: `${verb}-1` });
      expect([verb, once.status]).toEqual([verb, 200]);
      const twice = await call(line, { body, key: `${verb}-1` });
      expect([twice.status, twice.body]).toEqual([200, once.body]);
    }
    const late = await call(`POST /v1/goals/${running}/pause`, { body: {}, key: 'pause-1' });
    expect(late.status).toBe(200);
    const fresh = await call(`POST /v1/goals/${running}/pause`, { body: {} });
    expect(fresh.body).toMatchObject({ status: 409, code: 'invalid_transition' });
  });
});

describe('If-Match and expectedRevision', () => {
  test('M1 of two writers with the same revision one wins; the other learns the actual one', async () => {
    const goalId = await open('hangs');
    const { headers } = await call(`GET /v1/goals/${goalId}`);
    const amend = (objective: string) =>
      call(`PATCH /v1/goals/${goalId}`, {
        body: { objective },
        headers: { 'if-match': String(headers.etag) },
      });
    const answers = await Promise.all([amend('hangs: one'), amend('hangs: two')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: 'goal_conflict', actualGoalId: goalId });
    expect(lost?.body.actualRevision).toBe((await world.get(goalId)).revision);
    await call(`POST /v1/goals/${goalId}/clear`);
  });
});

describe('roles on a live goal', () => {
  test('M23 an agent starts, reads, messages and pauses; it cannot resume, approve, complete or pay', async () => {
    const path = await world.workspace({});
    const { name } = (await world.start({ objective: 'claims: go', workspace: { path } }))
      .workspace;
    const started = await call('POST /v1/goals', {
      body: { objective: 'hangs: go', workspace: { name } },
      role: 'agent',
    });
    expect(started.status).toBe(201);
    const line = `/v1/goals/${started.body.goalId}`;
    const as = (verb: string, body: object, role: 'agent' | 'viewer' = 'agent') =>
      call(`POST ${line}/${verb}`, { body, role });
    expect((await as('messages', { text: 'hello' })).status).toBe(200);
    expect((await as('pause', {}, 'viewer')).body.code).toBe('forbidden');
    expect((await as('pause', {})).status).toBe(200);
    const refused = [
      await as('resume', {}),
      await as('complete', { result: 'x' }),
      await as('clear', {}),
      await as('answers', { questionId: 'q', text: 'x' }),
      await as('approvals/a-1', { decision: 'approve' }),
      await call(`PATCH ${line}`, { body: { budget: { turns: 500 } }, role: 'agent' }),
    ];
    for (const { body } of refused) expect(body).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await call(`GET ${line}`, { role: 'viewer' })).body).toMatchObject({
      status: 'paused',
      budget: { turns: 100 },
    });
    expect((await as('clear', {}, 'viewer')).status).toBe(403);
    expect((await call(`POST ${line}/clear`)).status).toBe(200);
  });

  test('an agent replaces only what an agent started', async () => {
    const body = await bodyOf('hangs', { threadId: 't-persons' });
    const goal = await world.start(body);
    const replacement = await call('PUT /v1/threads/t-persons/goal', {
      body: {
        objective: 'hangs: mine',
        workspace: { name: goal.workspace.name },
        replace: true,
        expectedGoalId: goal.goalId,
      },
      role: 'agent',
    });
    expect(replacement.body).toMatchObject({ status: 409, code: 'goal_conflict' });
    const current = await call('GET /v1/threads/t-persons/goal');
    expect(current.body.goalId).toBe(goal.goalId);
    const cleared = await call('DELETE /v1/threads/t-persons/goal', {
      body: { expectedGoalId: goal.goalId },
    });
    expect(cleared.body.archivedAt).toBeDefined();
    expect((await call('GET /v1/threads/t-persons/goal')).status).toBe(404);
  });
});

describe('a claim that only guards support', () => {
  test('C7 waits as an approval; denied it goes on, approved it is complete, once', async () => {
    const goalId = await open('claims', { criteria: [{ kind: 'command', command: 'true' }] });
    const approvals = async () =>
      (await call(`GET /v1/approvals?goalId=${goalId}`)).body.items as {
        approvalId: string;
        kind: string;
        data: { result: string };
      }[];
    const decide = (id: string, decision: string) =>
      call(`POST /v1/goals/${goalId}/approvals/${id}`, { body: { decision, note: 'Look again' } });
    const first = await world.until(goalId, isPaused);
    expect(first.pause?.reason).toBe('unverified_claim');
    const [open1] = await approvals();
    expect(open1).toMatchObject({
      approvalId: first.pause?.approvalId,
      kind: 'completion',
      data: { result: 'I believe that it is done.' },
    });
    const denied = await decide(open1?.approvalId ?? '', 'deny');
    expect(denied.body.status).toBe('active');
    const second = await world.until(
      goalId,
      (goal) => isPaused(goal) && goal.pause?.approvalId !== open1?.approvalId,
    );
    const accepted = await decide(second.pause?.approvalId ?? '', 'approve');
    expect(accepted.body).toMatchObject({
      status: 'complete',
      completion: { verification: 'accepted_by_person', result: 'Looked again: it is done.' },
    });
    expect((await decide(second.pause?.approvalId ?? '', 'approve')).status).toBe(409);
    expect(await approvals()).toEqual([]);
  });
});

describe('the record of a goal', () => {
  test('is paged without gaps, keeps whole outputs, and adds up', async () => {
    const goalId = await open('writes', { criteria: [answerExists] });
    const goal = await world.until(goalId, isComplete);
    const rows: LedgerRow[] = [];
    let cursor = '';
    do {
      const page = await call(`GET /v1/goals/${goalId}/ledger?limit=3${cursor}`);
      expect(page.body.items.length).toBeLessThanOrEqual(3);
      expect(page.body.chain?.holds).toBe(cursor === '' ? true : undefined);
      rows.push(...page.body.items);
      cursor = page.body.nextCursor && `&cursor=${encodeURIComponent(page.body.nextCursor)}`;
    } while (cursor);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const ran = rows.find((row) => row.tool === 'run_command' && row.phase === 'settled');
    const output = await call(`GET /v1/goals/${goalId}/ledger/${ran?.seq}/output`);
    expect(output.headers['content-type']).toContain('text/plain');
    expect(output.body.split('\n')).toHaveLength(41);
    const writes = await call(`GET /v1/goals/${goalId}/ledger?tool=write_file&outcome=succeeded`);
    expect(writes.body.items).toHaveLength(1);
    const { usage, series } = (await call(`GET /v1/goals/${goalId}/usage`)).body;
    expect(usage.tokens).toBe(goal.usage.tokens);
    expect(series.map(({ turn }: { turn: number }) => turn)).toEqual([1]);
    expect(series[0].usage.tokens).toBe(usage.tokens);
    const gate = (await call(`GET /v1/goals/${goalId}/gate`)).body;
    expect(gate).toMatchObject({ turn: 1, missing: [], criteria: [{ state: 'met' }] });
  });
});

describe('a used-up budget', () => {
  test('M15 the smallest budget that a refusal names pays for one call and the wrap-up', async () => {
    const body = await bodyOf('spends', { budget: { tokens: 1 } });
    const { smallest } = (await call('POST /v1/goals', { body })).body;
    const { goalId } = await world.start({ ...body, budget: { tokens: smallest } });
    const goal = await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    expect(goal.usage.steps).toBeGreaterThanOrEqual(2);
  });

  test('M15 the wrap-up is one model call, also for a model that only calls tools', async () => {
    const goalId = await open('spends', { budget: { tokens: 16_000 } });
    const goal = await world.until(
      goalId,
      ({ status, activity }) => status === 'budget_limited' && activity.state === 'idle',
    );
    const { items } = (await call(`GET /v1/goals/${goalId}/turns`)).body;
    const wrapUp = items.find(({ kind }: { kind: string }) => kind === 'wrap_up');
    const before = items.find(({ kind }: { kind: string }) => kind === 'start');
    expect(before.decision.usage.steps).toBeGreaterThan(1);
    expect(wrapUp.decision.usage.steps).toBe(before.decision.usage.steps + 1);
    expect(goal.usage.steps).toBe(wrapUp.decision.usage.steps);
    expect(goal.usage.tokens).toBeLessThan(16_000 + 3000);
  });
});
