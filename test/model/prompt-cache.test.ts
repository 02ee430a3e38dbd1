import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anthropicWire, openaiWire } from '../../demo/scripted-wire.ts';
import { buildRequest } from '../../src/model/context.ts';
import { createModels } from '../../src/model/providers.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import type { ModelAnswer, ModelPort } from '../../src/turn/ports.ts';
import { builtInTools } from '../support/built-in-tools.ts';
import { briefOf } from './brief.ts';
import { talk } from './talk.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly cache_control?: unknown;
}
interface Body {
  readonly system: readonly Block[];
  readonly tools: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly prompt_cache_key?: string;
}

/** The bodies as they travelled, before any parser. */
const bodies: string[] = [];
const USAGE = { input: 1000, cached: 700, output: 5 };
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const chunk of request) parts.push(chunk as Buffer);
  bodies.push(Buffer.concat(parts).toString());
  const wire = request.url?.endsWith('/messages') ? anthropicWire : openaiWire;
  const opening = wire
    .opening('m', USAGE)
    .replace('"cache_creation_input_tokens":0', '"cache_creation_input_tokens":200');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(opening + wire.textPiece('m', 'ok') + wire.closing('m', { text: 'ok' }, USAGE));
});

let models: ModelPort;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  models = createModels({
    anthropicApiKey: 'key-of-anthropic',
    openaiApiKey: 'key-of-openai',
    baseUrls: { anthropic: url, openai: url },
  });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const tools = createRegistry(builtInTools).declarations('agent');
const steps = Array.from({ length: 6 }, () => ({ calls: 12, result: 20 }));

/** Sends what a goal's step sends after so many steps; each has used more of the budget. */
async function send(model: string, count: number): Promise<{ body: Body; answer: ModelAnswer }> {
  const brief = briefOf();
  const request = buildRequest({
    brief: { ...brief, usage: { ...brief.usage, tokens: count * 100 } },
    kind: 'start',
    messages: talk([{ said: 'Begin.', calls: 1, result: 10 }, ...steps.slice(0, count)]),
    tools,
    model: models,
  });
  const { signal } = new AbortController();
  const answer = await models.call({
    ...request,
    model,
    maxOutputTokens: 100,
    cacheKey: 'g-1',
    signal,
  });
  return { body: JSON.parse(bodies.at(-1) ?? '') as Body, answer };
}

const unmarked = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));

/** Positions of marked blocks, counted through all messages. */
const marksIn = ({ messages }: Body): number[] =>
  messages
    .flatMap(({ content }) => content)
    .flatMap((block, at) => (block.cache_control ? [at] : []));

describe('what a provider may keep', () => {
  test('is marked for Anthropic: instructions with tools, and the conversation without its block', async () => {
    const first = await send('anthropic/claude-sonnet-4-5', 3);
    const second = await send('anthropic/claude-sonnet-4-5', 4);
    for (const { body } of [first, second]) {
      expect(body.system.at(-1)?.cache_control).toEqual({ type: 'ephemeral' });
      const blocks = body.messages.flatMap(({ content }) => content);
      expect(blocks.at(-1)?.text).toContain('<goal id="goal-1">');
      expect(blocks.at(-1)?.cache_control).toBeUndefined();
      expect(marksIn(body).at(-1)).toBe(blocks.length - 2);
      expect(bodies.at(-1)?.match(/"cache_control"/g)?.length).toBeLessThanOrEqual(4);
    }
    expect(JSON.stringify(second.body.tools)).toBe(JSON.stringify(first.body.tools));
    expect(unmarked(second.body.system)).toBe(unmarked(first.body.system));
    // More blocks lie between the ends of the two than a provider looks back by itself.
    const [ends, after] = [marksIn(first.body), marksIn(second.body)];
    expect((after.at(-1) ?? 0) - (ends.at(-1) ?? 0)).toBeGreaterThan(20);
    expect(after).toContain(ends.at(-1));
    const until = (body: Body) =>
      unmarked(body.messages.flatMap(({ content }) => content).slice(0, (ends.at(-1) ?? 0) + 1));
    expect(until(second.body)).toBe(until(first.body));
  });

  test('is charged for what was written and what was read', async () => {
    const model = 'anthropic/claude-sonnet-4-5';
    const { answer } = await send(model, 1);
    const usage = answer.kind === 'answer' ? answer.usage : null;
    expect(usage).toMatchObject({ cachedInputTokens: 700, cacheWriteTokens: 200 });
    const plain = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 0 };
    const cost = (more: object) => Number(models.price(model, { ...plain, ...more })?.costUsd);
    expect(cost({ cacheWriteTokens: 1000 })).toBeCloseTo(cost({}) * 1.25, 9);
    expect(cost({ cachedInputTokens: 1000 })).toBeCloseTo(cost({}) * 0.1, 9);
  });

  test('begins alike, byte for byte, for those who look at the order alone', async () => {
    const [first, second] = [await send('openai/gpt-4o', 3), await send('openai/gpt-4o', 4)];
    expect(first.body.prompt_cache_key).toBe('g-1');
    const own = (body: Body) => body.messages.slice(0, first.body.messages.length - 1);
    expect(JSON.stringify(own(second.body))).toBe(JSON.stringify(own(first.body)));
    expect(JSON.stringify(second.body.tools)).toBe(JSON.stringify(first.body.tools));
  });
});
