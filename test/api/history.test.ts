import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { History, HistoryPoint } from '../../schema/history.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { problemOf, restartWith, temporalClient } from '../workflows/helpers.ts';

const todos = (statuses: readonly string[]) =>
  reply.call('todo_write', {
    todos: statuses.map((status, index) => ({
      id: `T${index + 1}`,
      content: `Part ${index}`,
      status,
    })),
  });

const script: Script = (request) =>
  objectiveOf(request).startsWith('long')
    ? sequence([
        todos(['in_progress', 'pending']),
        reply.call('run_command', { command: 'true' }),
        reply.call('attempt_completion', { result: 'Not yet.' }),
        reply.call('write_file', { path: 'a.txt', content: 'a\n' }, 'I write the first file.'),
        reply.call('attempt_completion', { result: 'Nor now.' }),
        todos(['in_progress', 'in_progress', 'pending']),
        reply.call('ask_user', { question: 'Shall I go on?' }),
      ])(request)
    : reply.call('ask_user', { question: 'And now?' });

let world: GoalWorld;
let goalId: string;
let worker: RunningWorker;
beforeAll(async () => {
  const environment = { TEMPORAL_UI_URL: 'http://temporal.example:8233/' };
  world = await openGoalWorld({ script, worker: false, environment });
  const temporal = temporalClient(world);
  const path = await world.workspace({ 'package.json': '{}' });
  const criteria = [{ kind: 'command', command: 'test -f answer.txt' } as const];
  ({ goalId } = await world.start({ objective: 'long work', workspace: { path }, criteria }));
  await restartWith(world, temporal, goalId, 25);
  worker = await world.startWorker();
  await world.until(goalId, ({ status }) => status === 'paused');
  await temporal.connection.close();
});
afterAll(() => world.close());

const history = (query = '') => world.client.get<History>(`/v1/goals/${goalId}/history${query}`);
const point = (query: string) =>
  world.client.get<HistoryPoint>(`/v1/goals/${goalId}/history/point?${query}`);

describe('the history of a goal', () => {
  test('TERM-92 what names a turn or call that is not there is told which there are', async () => {
    const { items } = await history();
    const newest = items[0]?.turn ?? 0;
    const path = `/v1/goals/${goalId}`;
    const refused: readonly [string, number, string, string][] = [
      ['history/point?turn=99', 404, 'turn', `has no turn 99: it has turns up to ${newest}`],
      ['diff?from=99', 400, 'from', `has turns up to ${newest}`],
      ['changes?to=99', 400, 'to', `has turns up to ${newest}`],
      ['changes/file?path=a&from=99', 400, 'from', `has turns up to ${newest}`],
      ['turns/1/model-calls/turn/99/1', 404, 'step', 'it has turn.1.1'],
      ['calls/99999', 404, 'seq', 'its newest call is in row '],
    ];
    for (const [asked, status, field, detail] of refused)
      expect(await problemOf(world.client.get(`${path}/${asked}`))).toMatchObject({
        ...{ status, field, detail: expect.stringContaining(detail) },
      });
  });

  test("has Temporal's events by turn across its runs, and the journal's steps inside", async () => {
    const { items, runs, temporal, nextCursor } = await history();
    const turns = items.map(({ turn }) => turn);
    expect([temporal, nextCursor, turns.at(-1)]).toEqual(['kept', null, 0]);
    expect(turns).toEqual(turns.toSorted((left, right) => right - left));
    expect(runs.length).toBeGreaterThan(1);
    const workflow = encodeURIComponent(`goal:${goalId}:2`);
    expect(runs[0]?.link).toBe(
      `http://temporal.example:8233/namespaces/${world.temporal.namespace}/workflows/${workflow}/${runs[0]?.runId}/history`,
    );
    for (const { turn, events, steps } of items.slice(0, -1)) {
      const scheduled = events.filter(({ type }) => type === 'ActivityTaskScheduled');
      const names = scheduled.map(({ about }) => about);
      const has = (name: string) => names.includes(name);
      expect([turn, has('runTurn')]).toEqual([turn, true]);
      // What rests on evidence is settled behind it, all else with its slice.
      expect([turn, has('recordTurn')]).toEqual([turn, has('checkEvidence')]);
      expect(steps.length).toBeGreaterThan(0);
    }
    const all = items.toReversed().flatMap(({ events }) => events);
    const places = all.map(({ run, eventId }) => run * 1e6 + eventId);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(new Set(all.map(({ run }) => run)).size).toBe(runs.length);
    expect(all.some(({ type }) => type.startsWith('WorkflowTask'))).toBe(false);
    const called = items.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls));
    expect(called.map(({ tool }) => tool)).toContain('run_command');
    const ofTheHost = items.flatMap(({ calls }) => calls);
    expect(ofTheHost.length).toBeGreaterThan(0);
  });

  test('comes in pages that put together are the whole', async () => {
    const whole = await history();
    const items: History['items'] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: History = await history(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(items).toEqual(whole.items);
    const below = await history('?before=2&limit=1');
    expect(below.items).toEqual(whole.items.slice(-2));
  });

  test('tells what was true at any point: status, list, budget and sums as they were', async () => {
    const goal = await world.get(goalId);
    const end = await point('');
    expect(end).toMatchObject({
      status: goal.status,
      revision: goal.revision,
      budget: goal.budget,
      usage: { tokens: goal.usage.tokens, costUsd: goal.usage.costUsd, turns: goal.usage.turns },
    });
    expect(end.seq).toBe(end.newest);
    const [journal] = await world.database`
      SELECT ledger_seq FROM journal WHERE goal_id = ${goalId}`;
    expect(end.ledgerSeq).toBe(journal?.ledger_seq);
    const first = await point('seq=1');
    expect(first).toMatchObject({ status: 'active', revision: 1, turn: 0, ledgerSeq: 0 });
    expect([first.todos.items, first.usage.tokens]).toEqual([[], 0]);
    const early = await point('turn=1');
    expect(early.todos.items.map(({ status }) => status)).toEqual(['in_progress', 'pending']);
    expect([early.turn, early.isTurnOpen, early.decision?.turn]).toEqual([1, false, 1]);
    expect(early.usage.tokens).toBeLessThan(end.usage.tokens);
    expect((await point(`at=${early.at}`)).turn).toBe(1);
    expect(await point(`seq=${early.seq}`)).toEqual(early);
    const revisions: number[] = [];
    for (let seq = 1; seq <= end.newest; seq += 7)
      revisions.push((await point(`seq=${seq}`)).revision);
    expect(revisions).toEqual(revisions.toSorted((left, right) => left - right));
  });

  test('keeps a budget that was raised out of the time before', async () => {
    const before = await point('');
    await world.client.send('PATCH', `/v1/goals/${goalId}`, { budget: { tokens: 4_000_000 } });
    const after = await point('');
    expect([before.budget.tokens === 4_000_000, after.budget.tokens]).toEqual([false, 4_000_000]);
    expect(await point(`seq=${before.seq}`)).toEqual({ ...before, newest: after.newest });
  });

  test('without its events at Temporal it says "expired", and nothing else is missing', async () => {
    // Without a worker no run continues as new any more, which would add one to the forgotten ones.
    worker.stop();
    await worker.done;
    const whole = await history();
    await world.database`
      UPDATE run SET run_id = gen_random_uuid()::text WHERE goal_id = ${goalId}`;
    const { items, temporal, runs } = await history();
    expect(temporal).toBe('expired');
    expect(new Set(runs.map(({ isKept, link }) => `${isKept} ${link}`))).toEqual(
      new Set(['false null']),
    );
    expect(items).toEqual(whole.items.map((turn) => ({ ...turn, events: [] })));
    expect((await point('turn=1')).turn).toBe(1);
  });

  test('refuses places that it does not have', async () => {
    await expect(point('turn=99')).rejects.toMatchObject({ problem: { status: 404 } });
    await expect(point('turn=1&seq=1')).rejects.toMatchObject({ problem: { status: 400 } });
    const cursor = Buffer.from('["x"]').toString('base64url');
    await expect(history(`?cursor=${cursor}`)).rejects.toMatchObject({ problem: { status: 400 } });
    await expect(point('at=yesterday')).rejects.toMatchObject({ problem: { status: 400 } });
    expect((await point('seq=2000000000')).seq).toBe((await point('')).seq);
  });
});
