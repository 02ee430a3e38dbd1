import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/failures.ts';
import { createApi } from './calls.ts';
import { memoryPorts } from './memory-ports.ts';

async function withGoal() {
  const api = createApi();
  const { body } = await api.call('POST /v1/goals', { body: { objective: 'x', threadId: 't-1' } });
  return { ...api, goalId: body.goalId as string };
}

describe('mutations of a goal', () => {
  it('names role, principal and commit, and answers with the goal and its ETag', async () => {
    const { call, memory, goalId } = await withGoal();
    const answer = await call(`POST /v1/goals/${goalId}/pause`);
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe('"2"');
    expect(memory.mutations).toMatchObject([{ kind: 'pause', role: 'operator' }]);
    expect(memory.mutations[0]?.by).toMatch(/^operator-[0-9a-f]{8}$/);
  });

  it.each([
    ['resume', { acknowledge: true }, { kind: 'resume', acknowledge: true }],
    ['complete', { result: 'done' }, { kind: 'complete' }],
    ['clear', {}, { kind: 'clear' }],
    ['messages', { text: 'hi' }, { kind: 'message', delivery: 'pause' }],
    ['messages', { text: 'hi', delivery: 'steer' }, { kind: 'message', delivery: 'steer' }],
    ['answers', { questionId: 'q1', text: 'yes' }, { kind: 'answer', questionId: 'q1' }],
  ])('sends %s %o as its mutation', async (verb, body, mutation) => {
    const { call, memory, goalId } = await withGoal();
    expect((await call(`POST /v1/goals/${goalId}/${verb}`, { body })).status).toBe(200);
    expect(memory.mutations).toMatchObject([mutation]);
  });

  it('honours If-Match and refuses one that contradicts the body', async () => {
    const { call, memory, goalId } = await withGoal();
    const patch = (body: object, match: string) =>
      call(`PATCH /v1/goals/${goalId}`, { body, headers: { 'if-match': match } });
    await patch({ objective: 'y' }, '"7"');
    expect(memory.mutations).toMatchObject([{ kind: 'amend', expectedRevision: 7 }]);
    expect((await patch({ objective: 'y', expectedRevision: 6 }, '"7"')).body).toMatchObject({
      code: 'invalid_request',
      field: 'If-Match',
    });
    expect((await patch({ objective: 'y' }, 'seven')).body).toMatchObject({ field: 'If-Match' });
    expect(memory.mutations).toHaveLength(1);
  });

  it('gives a retry the first answer, also when both come at once', async () => {
    const { call, memory, goalId } = await withGoal();
    const headers = { 'idempotency-key': 'k' };
    const [first, second] = await Promise.all([
      call(`POST /v1/goals/${goalId}/pause`, { headers }),
      call(`POST /v1/goals/${goalId}/pause`, { headers }),
    ]);
    const third = await call(`POST /v1/goals/${goalId}/pause`, { headers });
    expect(memory.mutations).toHaveLength(1);
    expect(second.body).toEqual(first.body);
    expect(third.body).toEqual(first.body);
    expect(third.headers['idempotency-replayed']).toBe('true');
  });

  it('forgets refused requests, so that the key can be used again', async () => {
    const { call, memory, goalId } = await withGoal();
    const headers = { 'idempotency-key': 'k' };
    memory.failure = new Refusal('invalid_transition', 'no', { state: 'complete' });
    const refused = await call(`POST /v1/goals/${goalId}/resume`, { headers });
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'invalid_transition',
      state: 'complete',
    });
    memory.failure = null;
    expect((await call(`POST /v1/goals/${goalId}/resume`, { headers })).status).toBe(200);
  });

  it('acts again with the first commit id when it is unknown what happened', async () => {
    const { call, memory, goalId } = await withGoal();
    const headers = { 'idempotency-key': 'k' };
    memory.failure = Object.assign(new Error('gone'), { name: 'DatabaseUnavailable' });
    const lost = await call(`POST /v1/goals/${goalId}/pause`, { headers });
    expect(lost.body).toMatchObject({ status: 503, code: 'database_unavailable' });
    expect(lost.headers['retry-after']).toBe('2');
    const kept = [...memory.requests.values()].at(-1)?.commitId;
    memory.failure = null;
    await call(`POST /v1/goals/${goalId}/pause`, { headers });
    expect(memory.mutations[0]?.commitId).toBe(kept);
  });

  it('answers with the commit, where a retry on the way to it was refused', async () => {
    const { call, memory, goalId } = await withGoal();
    const headers = { 'idempotency-key': 'k' };
    memory.failure = new Refusal('invalid_transition', 'it is paused already');
    memory.failsLate = true;
    const first = await call(`POST /v1/goals/${goalId}/pause`, { headers });
    expect([first.status, first.headers.etag]).toEqual([200, '"2"']);
    const again = await call(`POST /v1/goals/${goalId}/pause`, { headers });
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect(memory.mutations).toHaveLength(1);
  });

  it('is stored and sent anew where another process was refused and took the request away', async () => {
    const { call, memory, goalId } = await withGoal();
    const seen: string[] = [];
    const elsewhere = createApi({
      ...memoryPorts(memory),
      goals: {
        ...memoryPorts(memory).goals,
        mutate: async (mutation, goal) => {
          seen.push(mutation.commitId);
          if (seen.length > 1) return memoryPorts(memory).goals.mutate(mutation, goal);
          await memoryPorts(memory).intake.dropRequest(mutation.commitId);
          throw new Refusal('request_in_progress', 'The same request was just refused elsewhere');
        },
      },
    });
    const headers = { 'idempotency-key': 'k' };
    const line = `POST /v1/goals/${goalId}/pause`;
    const first = await elsewhere.call(line, { headers });
    expect([first.status, first.body.revision]).toEqual([200, 2]);
    expect(new Set(seen).size).toBe(2);
    expect((await call(line, { headers })).body).toEqual(first.body);
    expect(memory.mutations).toHaveLength(1);
  });

  const reviewer = {
    criterionId: 'c1',
    spec: { kind: 'review' as const, rubric: 'Is it good?', model: 'openai/unpriced' },
    state: 'unmet' as const,
    baseline: 'not_run' as const,
    origin: 'caller' as const,
    receipts: [],
  };

  it.each([
    ['model', { model: 'openai/unpriced' }],
    ['fallback model', { fallbackModel: 'openai/unpriced' }],
    ['reviewer', { criteria: [reviewer] }],
  ])(
    'refuses to resume where a cost limit can no longer be kept, for want of a price of the %s (M18)',
    async (_, change) => {
      const { call, memory, goalId } = await withGoal();
      const goal = memory.goals.get(goalId);
      if (goal === undefined) throw new Error('there is no goal');
      memory.goals.set(goalId, { ...goal, ...change, budget: { ...goal.budget, costUsd: '5' } });
      const refused = await call(`POST /v1/goals/${goalId}/resume`);
      expect(refused.body).toMatchObject({ code: 'invalid_request', field: 'budget.costUsd' });
      expect(memory.mutations).toEqual([]);
    },
  );

  it('refuses a cost limit that a reviewer without a price could not keep (M18)', async () => {
    const { call, memory, goalId } = await withGoal();
    const goal = memory.goals.get(goalId);
    if (goal === undefined) throw new Error('there is no goal');
    memory.goals.set(goalId, { ...goal, criteria: [reviewer] });
    const amend = (body: object) => call(`PATCH /v1/goals/${goalId}`, { body });
    const refused = await amend({ budget: { costUsd: '5' } });
    expect(refused.body).toMatchObject({ status: 400, model: 'openai/unpriced' });
    expect((await amend({ budget: { costUsd: '5' }, criteria: [] })).status).toBe(200);
  });

  it('repeats the first answer to a DELETE also when the thread has another goal by then', async () => {
    const { call, memory, goalId } = await withGoal();
    const clear = { body: { expectedGoalId: goalId }, headers: { 'idempotency-key': 'k' } };
    const first = await call('DELETE /v1/threads/t-1/goal', clear);
    memory.goals.delete(goalId);
    await call('POST /v1/goals', { body: { objective: 'y', threadId: 't-1' } });
    const retry = await call('DELETE /v1/threads/t-1/goal', clear);
    expect([retry.status, retry.body]).toEqual([200, first.body]);
    expect(memory.mutations).toHaveLength(1);
    const other = { ...clear, body: { expectedGoalId: 'g-other' } };
    expect((await call('DELETE /v1/threads/t-1/goal', other)).status).toBe(422);
  });

  it('clears the goal of a thread only when it is the expected one (M4)', async () => {
    const { call, memory, goalId } = await withGoal();
    const other = await call('DELETE /v1/threads/t-1/goal', {
      body: { expectedGoalId: 'g-other' },
    });
    expect(other.body).toMatchObject({
      status: 409,
      code: 'goal_conflict',
      actualGoalId: goalId,
      actualRevision: 1,
    });
    expect(memory.mutations).toEqual([]);
    expect((await call('DELETE /v1/threads/t-1/goal')).status).toBe(200);
    expect(memory.mutations).toMatchObject([{ kind: 'clear' }]);
  });

  it('answers a repeated DELETE of a thread with the first answer', async () => {
    const { call, memory, goalId } = await withGoal();
    const headers = { 'idempotency-key': 'k' };
    const first = await call('DELETE /v1/threads/t-1/goal', { headers });
    const cleared = memory.goals.get(goalId);
    if (cleared !== undefined)
      memory.goals.set(goalId, { ...cleared, archivedAt: cleared.updatedAt });
    const retry = await call('DELETE /v1/threads/t-1/goal', { headers });
    expect(retry.body).toEqual(first.body);
    expect((await call('DELETE /v1/threads/t-1/goal')).body).toMatchObject({ code: 'not_found' });
  });

  it('refuses an approval that the goal does not have', async () => {
    const { call, goalId } = await withGoal();
    const answer = await call(`POST /v1/goals/${goalId}/approvals/a-1`, {
      body: { decision: 'approve' },
    });
    expect(answer.body).toMatchObject({ status: 404, code: 'not_found', approvalId: 'a-1' });
  });
});
