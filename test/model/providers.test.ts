import { describe, expect, test } from 'vitest';
import { flaky, reply, type ScriptedReply, sequence } from '../../demo/script.ts';
import type { StoredMessage } from '../../src/contract/conversation.ts';
import { Refusal } from '../../src/contract/failures.ts';
import type { ModelAnswer, ModelRequest } from '../../src/contract/model.ts';
import { createModels } from '../../src/model/providers.ts';
import { SCRIPTED_MODEL, withScriptedModel } from '../support/model.ts';

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

const hello: StoredMessage = {
  seq: 1,
  turn: 1,
  step: null,
  voice: 'person',
  content: { text: 'Hello' },
};

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: SCRIPTED_MODEL,
    system: 'You are terse.',
    messages: [hello],
    tools,
    maxOutputTokens: 500,
    signal: new AbortController().signal,
    ...change,
  };
}

function answerOf(result: ModelAnswer): Extract<ModelAnswer, { kind: 'answer' }> {
  if (result.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(result)}`);
  return result;
}

function troubleOf(result: ModelAnswer): Extract<ModelAnswer, { kind: 'trouble' }> {
  if (result.kind !== 'trouble') throw new Error(`no trouble: ${JSON.stringify(result)}`);
  return result;
}

const everyModel = [
  SCRIPTED_MODEL,
  'openai/gpt-4.1',
  'anthropic/claude-sonnet-4-5',
  'google/gemini-2.5-pro',
];

describe.each(everyModel)('%s', (model) => {
  test('streams text in pieces and reports usage with cached tokens', async () => {
    const text = 'A sentence that is long enough to travel in several pieces.';
    await using scripted = await withScriptedModel(() => ({
      text,
      usage: { input: 120, cached: 100, output: 12 },
    }));
    const pieces: string[] = [];
    const answer = answerOf(
      await scripted.models.call(request({ model, onText: (piece) => pieces.push(piece) })),
    );
    expect(answer.text).toBe(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
    expect(answer.finishReason).toBe('stop');
    expect(answer.usage).toEqual({ inputTokens: 120, cachedInputTokens: 100, outputTokens: 12 });
    const [seen] = scripted.server.requests;
    expect(seen?.messages.map((message) => message.text)).toEqual(['You are terse.', 'Hello']);
    expect(seen?.tools).toEqual(['read_file']);
    expect(seen?.maxTokens).toBe(500);
  });

  test('hands over tool calls in order, with their raw input', async () => {
    await using scripted = await withScriptedModel(() =>
      reply.calls([
        { tool: 'read_file', input: { path: 'a' } },
        { tool: 'read_file', input: { path: 'b' } },
      ]),
    );
    const answer = answerOf(await scripted.models.call(request({ model })));
    expect(answer.calls.map((call) => [call.tool, JSON.parse(call.input)])).toEqual([
      ['read_file', { path: 'a' }],
      ['read_file', { path: 'b' }],
    ]);
    expect(new Set(answer.calls.map((call) => call.providerId)).size).toBe(2);
    expect(answer.finishReason).toBe('tool_calls');
  });

  // Google's arguments come as an object of the answer's own JSON.
  test.skipIf(model.startsWith('google/'))(
    'F23 keeps malformed arguments as the model wrote them',
    async () => {
      await using scripted = await withScriptedModel(() => reply.malformedCall('read_file'));
      const answer = answerOf(await scripted.models.call(request({ model })));
      expect(answer.calls[0]?.input).toBe('{"path": ');
    },
  );

  test('a broken socket in mid-stream is trouble with the connection, and was not free', async () => {
    await using scripted = await withScriptedModel(() => ({
      text: 'x'.repeat(200),
      cutAfter: { characters: 72, how: 'socket' },
    }));
    const { trouble, partialText, hasStarted } = troubleOf(
      await scripted.models.call(request({ model })),
    );
    expect(trouble).toMatchObject({ kind: 'connection', isRetryable: true });
    expect('x'.repeat(72).startsWith(partialText)).toBe(true);
    expect(hasStarted).toBe(true);
  });

  test('a body that ends politely before the finish is trouble with the connection', async () => {
    await using scripted = await withScriptedModel(() => ({
      text: 'x'.repeat(200),
      cutAfter: { characters: 72, how: 'end' },
    }));
    const result = troubleOf(await scripted.models.call(request({ model })));
    expect(result.trouble.kind).toBe('connection');
    expect(result.partialText).toBe('x'.repeat(72));
  });

  test('a cancel in mid-stream returns at once with what had arrived', async () => {
    await using scripted = await withScriptedModel(() => ({ text: 'so far', hang: 'after_text' }));
    const cancel = new AbortController();
    const result = await scripted.models.call(
      request({ model, signal: cancel.signal, onText: () => cancel.abort() }),
    );
    expect(result).toMatchObject({ kind: 'aborted', partialText: 'so far', hasStarted: true });
  });

  test('M25 a rate limit carries the advice of the provider and is free', async () => {
    await using scripted = await withScriptedModel(() =>
      reply.error(
        429,
        { error: { message: 'slow down', type: 'rate_limit_error' } },
        { 'retry-after': '7' },
      ),
    );
    expect(await scripted.models.call(request({ model }))).toMatchObject({
      kind: 'trouble',
      trouble: { kind: 'rate_limit', isRetryable: true, retryAfterSeconds: 7 },
      hasStarted: false,
    });
    expect(scripted.server.requests).toHaveLength(1);
  });

  test('a wrong key is trouble that no retry can end', async () => {
    await using scripted = await withScriptedModel(() => reply.text('never'), {
      serverKey: 'other',
    });
    expect(await scripted.models.call(request({ model }))).toMatchObject({
      kind: 'trouble',
      trouble: { kind: 'auth', isRetryable: false },
      hasStarted: false,
    });
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
  ] as const)('the finish reason %s is told', async (finish, expected) => {
    await using scripted = await withScriptedModel(() => ({ text: 'cut', finishReason: finish }));
    expect(answerOf(await scripted.models.call(request({ model }))).finishReason).toBe(expected);
  });
});

const errors: [string, ScriptedReply, string, boolean][] = [
  ['503', reply.error(503), 'overload', true],
  ['529', reply.error(529), 'overload', true],
  ['500', reply.error(500), 'connection', true],
  ['408', reply.error(408), 'timeout', true],
  ['403', reply.error(403), 'auth', false],
  [
    'quota',
    reply.error(429, {
      error: { message: 'You exceeded your current quota', code: 'insufficient_quota' },
    }),
    'quota',
    false,
  ],
  [
    'overflow',
    reply.error(400, { error: { message: 'too long', code: 'context_length_exceeded' } }),
    'context_overflow',
    false,
  ],
  [
    'refused',
    reply.error(400, { error: { message: 'blocked', code: 'content_filter' } }),
    'content_refused',
    false,
  ],
  ['another 400', reply.error(400), 'other', false],
  ['HTML', reply.error(502, '<html>bad gateway</html>'), 'connection', true],
];

test.each(errors)('an answer of %s is sorted', async (_name, fault, kind, isRetryable) => {
  await using scripted = await withScriptedModel(() => fault);
  expect(await scripted.models.call(request())).toMatchObject({
    kind: 'trouble',
    trouble: { kind, isRetryable },
    hasStarted: false,
  });
});

test('nobody listening is trouble with the connection, and free', async () => {
  const scripted = await withScriptedModel(() => reply.text('never'));
  await scripted.server.close();
  expect(await scripted.models.call(request())).toMatchObject({
    trouble: { kind: 'connection', isRetryable: true },
    hasStarted: false,
  });
});

test.each(['before', 'after_text'] as const)('silence %s becomes a timeout', async (hang) => {
  await using scripted = await withScriptedModel(() => ({ text: 'hm', hang }), {
    patience: hang === 'before' ? { firstByteTimeoutMs: 60 } : { idleTimeoutMs: 1000 },
  });
  expect(await scripted.models.call(request())).toMatchObject({
    trouble: { kind: 'timeout', isRetryable: true },
    partialText: hang === 'before' ? '' : 'hm',
    hasStarted: true,
  });
});

test('slow but steady streams outlive the idle timeout', async () => {
  await using scripted = await withScriptedModel(
    () => ({ text: 'x'.repeat(240), pieceDelayMs: 400 }),
    {
      patience: { idleTimeoutMs: 3000 },
    },
  );
  expect(answerOf(await scripted.models.call(request())).text).toHaveLength(240);
});

test('a signal that is already aborted sends nothing', async () => {
  await using scripted = await withScriptedModel(() => reply.text('never'));
  const result = await scripted.models.call(request({ signal: AbortSignal.abort() }));
  expect(result).toMatchObject({ kind: 'aborted', partialText: '', hasStarted: false });
  expect(scripted.server.requests).toHaveLength(0);
});

test('F3 an answer without a finish reason, but with its end marked, counts as absent', async () => {
  await using scripted = await withScriptedModel(() => ({
    text: 'Now I need to…',
    finishReason: null,
  }));
  const answer = answerOf(await scripted.models.call(request()));
  expect(answer).toMatchObject({ text: 'Now I need to…', finishReason: 'absent' });
  expect(answer.usage).not.toBeNull();
});

test('a provider that reports no usage gives null, not zero', async () => {
  await using scripted = await withScriptedModel(() => ({ text: 'ok', usage: null }));
  expect(answerOf(await scripted.models.call(request())).usage).toBeNull();
});

test('F2 an empty answer is an answer: its meaning is for the rules', async () => {
  await using scripted = await withScriptedModel(() => ({
    ...reply.empty(),
    finishReason: 'tool_calls',
  }));
  expect(answerOf(await scripted.models.call(request()))).toMatchObject({
    text: '',
    calls: [],
    finishReason: 'tool_calls',
  });
});

test('connections are kept alive between calls', async () => {
  await using scripted = await withScriptedModel(() => reply.text('ok'));
  for (let call = 0; call < 20; call++) answerOf(await scripted.models.call(request()));
  // Two, because an answer is read to its end a moment before its connection is free again.
  expect(scripted.server.connections()).toBeLessThanOrEqual(2);
});

test('a script finds its place from the conversation, and a retry gets its own reply', async () => {
  await using scripted = await withScriptedModel(
    flaky([reply.error(503)], sequence([reply.text('one'), reply.text('two')])),
  );
  expect(troubleOf(await scripted.models.call(request())).trouble.kind).toBe('overload');
  expect(answerOf(await scripted.models.call(request())).text).toBe('one');
  const model: StoredMessage = { ...hello, seq: 2, voice: 'model', content: { text: 'one' } };
  const longer = request({ messages: [hello, model, { ...hello, seq: 3 }] });
  await scripted.models.call(longer);
  expect(answerOf(await scripted.models.call(longer)).text).toBe('two');
});

describe('assertUsable', () => {
  const models = createModels({ openaiApiKey: '' });
  const codeOf = (model: string) => {
    try {
      models.assertUsable(model);
      return 'usable';
    } catch (error) {
      return error instanceof Refusal ? `${error.code}: ${error.message}` : 'another error';
    }
  };

  test.each([
    ['openai/gpt-5.1', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-4-5', 'ANTHROPIC_API_KEY'],
    ['google/gemini-2.5-pro', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['compatible/anything', 'OPENAI_COMPATIBLE_BASE_URL'],
  ])('%s without its setting names %s', (model, variable) => {
    expect(codeOf(model)).toMatch(new RegExp(`^model_key_missing: .*${variable}`));
  });

  test.each(['gpt-5.1', 'nobody/x', 'openai/', '/x', 'constructor/x', '__proto__/x'])(
    '"%s" is no model',
    (model) => {
      expect(codeOf(model)).toMatch(/^unknown_model/);
    },
  );

  test('a configured model is usable', () => {
    expect(() => createModels({ openaiApiKey: 'k' }).assertUsable('openai/gpt-5.1')).not.toThrow();
  });
});
