import { describe, expect, test } from 'vitest';
import { reply, type ScriptedReply } from '../../demo/script.ts';
import type { StoredMessage } from '../../src/contract/conversation.ts';
import type { ModelAnswer } from '../../src/contract/model.ts';
import { SCRIPTED_MODEL, withScriptedModel } from '../support/model.ts';

const hello: StoredMessage = {
  seq: 1,
  turn: 1,
  step: null,
  voice: 'person',
  content: { text: 'Hello' },
};

type Config = Parameters<typeof withScriptedModel>[1];

async function ask(model: string, fault: ScriptedReply, config: Config = {}) {
  await using scripted = await withScriptedModel(() => fault, config);
  return await scripted.models.call({
    model,
    system: 'You are terse.',
    messages: [hello],
    tools: [],
    maxOutputTokens: 500,
    signal: new AbortController().signal,
  });
}

function troubleOf(answer: ModelAnswer) {
  if (answer.kind !== 'trouble') throw new Error(`no trouble: ${JSON.stringify(answer)}`);
  return answer;
}

const long = 'x'.repeat(200);
const impatient = { patience: { firstByteTimeoutMs: 80, idleTimeoutMs: 80 } };
const page = (status: number): ScriptedReply =>
  reply.error(status, '<html>bad gateway</html>', { 'content-type': 'text/html' });

/** What goes wrong, how it is told, whether it may have been paid for. */
const faults: [string, ScriptedReply, string, boolean, Config?][] = [
  ['429', reply.error(429), 'rate_limit', false],
  ['503', reply.error(503), 'overload', false],
  ['529', reply.error(529), 'overload', false],
  ['500', reply.error(500), 'connection', false],
  ['a page of HTML with 502', page(502), 'connection', false],
  ['a page of HTML with 200', page(200), 'malformed', true],
  ['401', reply.error(401), 'auth', false],
  ['402', reply.error(402), 'quota', false],
  ['no byte at all', { hang: 'before' }, 'timeout', true, impatient],
  ['silence after some text', { text: 'hm', hang: 'after_text' }, 'timeout', true, impatient],
  [
    'a socket that breaks',
    { text: long, cutAfter: { characters: 96, how: 'socket' } },
    'connection',
    true,
  ],
  [
    'a body that ends too early',
    { text: long, cutAfter: { characters: 96, how: 'end' } },
    'connection',
    true,
  ],
  ['a line that is no JSON', { text: long, garbage: '{"choices": [' }, 'malformed', true],
  ['a text without an end', { text: long.repeat(100) }, 'malformed', true],
  [
    'an error in the stream',
    { text: long, streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    'overload',
    true,
  ],
  [
    'a rate limit in the stream',
    { text: long, streamError: { type: 'rate_limit_error', message: 'Rate limit reached' } },
    'rate_limit',
    true,
  ],
  [
    'a quota that is used up',
    reply.error(429, {
      type: 'error',
      error: { type: 'insufficient_quota', message: 'You exceeded your current quota' },
    }),
    'quota',
    false,
  ],
  [
    'a quota that comes again in a moment',
    reply.error(429, {
      type: 'error',
      error: {
        type: 'resource_exhausted',
        message: 'You exceeded your current quota. Please retry in 34.2s.',
      },
    }),
    'rate_limit',
    false,
  ],
  [
    'no credit',
    reply.error(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low' },
    }),
    'quota',
    false,
  ],
  [
    'a request that is too long',
    reply.error(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
    }),
    'context_overflow',
    false,
  ],
  [
    'content that is refused',
    reply.error(400, {
      type: 'error',
      error: { type: 'content_filter', message: 'blocked by the content policy' },
    }),
    'content_refused',
    false,
  ],
];

const everyModel = [
  SCRIPTED_MODEL,
  'openai/gpt-4.1',
  'anthropic/claude-sonnet-4-5',
  'google/gemini-2.5-pro',
];

describe.each(everyModel)('%s', (model) => {
  test.each(faults)('M25 %s has its type', async (_name, fault, kind, hasStarted, config) => {
    const answer = troubleOf(await ask(model, fault, config));
    expect({ kind: answer.trouble.kind, hasStarted: answer.hasStarted }).toEqual({
      kind,
      hasStarted,
    });
    expect(answer.trouble.message).not.toBe('');
  });

  test('the two timeouts say which of them it was', async () => {
    const first = troubleOf(await ask(model, { hang: 'before' }, impatient));
    expect(first.trouble.message).toContain('sent nothing for 80 ms');
    const idle = troubleOf(
      await ask(model, { text: 'hm', hang: 'after_text' }, { patience: { idleTimeoutMs: 1000 } }),
    );
    expect(idle.trouble.message).toContain('in the middle of its answer');
  });

  test('a stream that never comes to an end is given up', async () => {
    const steady = { text: 'x'.repeat(24 * 60), pieceDelayMs: 20 };
    const { trouble } = troubleOf(await ask(model, steady, { patience: { callTimeoutMs: 150 } }));
    expect(trouble).toMatchObject({ kind: 'timeout', message: expect.stringContaining('150 ms') });
  });

  test('M25 a stream that is alive and writes nothing is given up, one that thinks aloud is not', async () => {
    const mute = { text: ' ', keepAlive: { everyMs: 20, times: 400 } };
    const patience = { outputTimeoutMs: 3000 };
    const { trouble } = troubleOf(await ask(model, mute, { patience }));
    expect(trouble).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('wrote nothing for 3000 ms'),
    });
    const slow = { text: 'x'.repeat(24 * 30), pieceDelayMs: 150 };
    expect((await ask(model, slow, { patience })).kind).toBe('answer');
  });

  test('an answer of more bytes than are taken is malformed', async () => {
    const chatter = { text: 'hm', keepAlive: { everyMs: 0, times: 2000 } };
    const { trouble } = troubleOf(await ask(model, chatter, { mostBytes: 20_000 }));
    expect(trouble).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('more than 20000 bytes'),
    });
    const page = reply.error(500, 'x'.repeat(50_000));
    const refused = troubleOf(await ask(model, page, { mostBytes: 20_000 }));
    expect(refused.trouble.kind).toMatch(/malformed|connection/);
  });

  test('a key that the provider repeats is masked, also where the text is cut', async () => {
    const key = 'secret-key-of-forty-characters-0123456789';
    const message = `${'m'.repeat(480)} ${key}`;
    const config = {
      openaiApiKey: key,
      anthropicApiKey: key,
      googleApiKey: key,
      compatibleApiKey: key,
    };
    const { trouble } = troubleOf(
      await ask(model, reply.error(401, { error: { message } }), config),
    );
    expect(trouble.message).toMatch(/^m{480}/);
    expect(trouble.message).not.toContain('secret-key');
    expect(trouble.message.length).toBeLessThanOrEqual(500);
  });

  test('all that was generated before a break is known, as far as it came', async () => {
    const cut = { characters: 96, how: 'end' } as const;
    const answer = troubleOf(await ask(model, { text: long, cutAfter: cut }));
    expect(answer.generated).toBe('x'.repeat(96));
  });
});

test('what a provider reported before the break is known', async () => {
  const cut = { characters: 96, how: 'socket' } as const;
  const usage = { input: 1234, cached: 1000, output: 50 };
  const anthropic = await ask('anthropic/x', { text: long, usage, cutAfter: cut });
  expect(troubleOf(anthropic).reported).toMatchObject({
    inputTokens: 1234,
    cachedInputTokens: 1000,
  });
  // The other format tells its usage only at the end.
  const compatible = await ask(SCRIPTED_MODEL, { text: long, usage, cutAfter: cut });
  expect(troubleOf(compatible).reported).toBeNull();
});

test('a model that this process has no key for is trouble, not the end of the process', async () => {
  const answer = troubleOf(
    await ask('google/gemini-2.5-pro', reply.text('never'), { googleApiKey: '' }),
  );
  expect(answer).toMatchObject({
    trouble: { kind: 'auth', isRetryable: false },
    hasStarted: false,
  });
  expect(answer.trouble.message).toContain('GOOGLE_GENERATIVE_AI_API_KEY');
});
