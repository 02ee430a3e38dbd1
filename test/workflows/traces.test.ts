import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { createClient } from '../../src/cli/client.ts';
import { goalSpanIdOf, traceIdOf, turnSpanIdOf } from '../../src/telemetry/trace-ids.ts';
import { OWN, TOKENS } from '../support/goal-world.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { counting } from './compaction-world.ts';
import { waitUntil } from './helpers.ts';

interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

const scripts = {
  works: counting((_request, step) => [write, claim][step - 1] ?? reply.text('?')),
};

let collector: Receiver;
let goals: ScriptedGoals;
beforeAll(async () => {
  collector = await startReceiver();
  collector.answers = () => 200;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  goals = await openScriptedGoals(scripts, { environment });
});
afterAll(async () => {
  await goals.world.close();
  collector.close();
});

const sent = (): Sent[] =>
  collector.received
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

test('TRC-4 a collector gets a goal as one trace: goal, turns, model calls and tools', async () => {
  const { goalId, usage } = await goals.run('works');
  await waitUntil(() => sent().some(({ spanId }) => spanId === goalSpanIdOf(goalId)));
  const spans = sent();
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(goalId)]));
  const named = (start: string) => spans.filter(({ name }) => name.startsWith(start));
  expect(named('turn').map(({ parentSpanId }) => parentSpanId)).toEqual(
    Array.from({ length: usage.turns }, () => goalSpanIdOf(goalId)),
  );
  expect(named('chat ')).toHaveLength(usage.steps);
  expect(named('execute_tool write_file')).toMatchObject([
    { parentSpanId: turnSpanIdOf(goalId, 1) },
  ]);
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  expect(JSON.stringify(collector.received)).not.toContain('answer.txt');
});

test('TRC-6 a goal that was asked for in a trace links to it, and is a trace of its own', async () => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const { url } = goals.world;
  const workspace = { path: await goals.world.workspace({}) };
  const caller = createClient({
    url,
    token: TOKENS.admin,
    traceparent: `00-${traceId}-${spanId}-01`,
  });
  const { goalId } = await caller.send<Goal>('POST', '/v1/goals', {
    ...{ ...OWN, objective: 'works', workspace },
    criteria: [{ kind: 'command', command: 'grep -q 42 answer.txt' }],
  });
  await waitUntil(() => sent().some((span) => span.spanId === goalSpanIdOf(goalId)));
  const goal = sent().find((span) => span.spanId === goalSpanIdOf(goalId));
  expect(goal?.links).toMatchObject([{ traceId, spanId }]);
  expect(goal?.traceId).toBe(traceIdOf(goalId));
});
