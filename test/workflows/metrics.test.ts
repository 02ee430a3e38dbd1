import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import { worldCaller } from '../api/world-calls.ts';
import { eventually } from '../support/eventually.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { counting } from './compaction-world.ts';

const scripts = {
  works: counting((_request, step) => [write, claim][step - 1] ?? reply.text('?')),
  asks: () => reply.call('ask_user', { question: 'Which colour?' }),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
  await goals.run('works');
  await goals.run('asks');
});
afterAll(() => goals.world.close());

/** Samples by name and labels, of Prometheus' text format. */
function samplesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

test('MET-2 a worker counts turns, completions, gates, model calls, tokens and tools', async () => {
  const [worker] = goals.world.workers;
  // What is committed can be read a moment before its worker counts it.
  const samples = await eventually(async () => {
    const counted = samplesOf((await worker?.metrics()) ?? '');
    expect(counted).toMatchObject({
      'goalkeeper_completions_total{verification="verified",source="explicit"}': 1,
      'goalkeeper_gate_verdicts_total{verdict="proven"}': 1,
      'goalkeeper_pauses_total{reason="question"}': 1,
      'goalkeeper_tool_calls_total{tool="write_file",outcome="succeeded"}': 1,
    });
    return counted;
  });
  const { items } = await goals.world.client.get<{
    items: { usage: { steps: number; tokens: number } }[];
  }>('/v1/goals');
  const sum = (name: string) =>
    Object.entries(samples)
      .filter(([key]) => key.startsWith(name) && !key.includes('cached'))
      .reduce((total, [, value]) => total + value, 0);
  const used = (what: 'steps' | 'tokens') =>
    items.reduce((total, { usage }) => total + usage[what], 0);
  expect(sum('goalkeeper_steps_total')).toBe(used('steps'));
  expect(sum('goalkeeper_tokens_total')).toBe(used('tokens'));
  expect(sum('goalkeeper_model_call_seconds_count')).toBe(used('steps'));
});

test('MET-3 the API tells how the service stands, and its requests by route and never by path', async () => {
  const call = worldCaller(goals.world);
  const { goalId } = (await goals.world.client.get<{ items: { goalId: string }[] }>('/v1/goals'))
    .items[0] ?? { goalId: '' };
  await call(`GET /v1/goals/${goalId}`, { role: 'viewer' });
  const { status, headers, body } = await call('GET /metrics', { role: 'viewer' });
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(samplesOf(body as unknown as string)).toMatchObject({
    goalkeeper_record_up: 1,
    'goalkeeper_goals{status="complete",on="idle"}': 1,
    'goalkeeper_goals{status="paused",on="question"}': 1,
    'goalkeeper_workers{state="up"}': 1,
    goalkeeper_open_approvals: 0,
  });
  expect(body).toContain('route="/v1/goals/:goalId",status="200"');
  expect(body).not.toContain(goalId);
});

test('MET-4 sums over all goals are for those who see all of them', async () => {
  const call = worldCaller(goals.world);
  expect((await call('GET /metrics', { role: 'agent' })).status).toBe(403);
  const { status } = await fetch(`${goals.world.url}/metrics`);
  expect(status).toBe(401);
});
