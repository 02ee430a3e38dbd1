import { describe, expect, test } from 'vitest';
import { reply, type ScriptedReply } from '../../demo/script.ts';
import type { ModelAnswer } from '../../src/contract/model.ts';
import { withScriptedModel } from '../support/model.ts';

async function ask(model: string, fault: ScriptedReply): Promise<ModelAnswer> {
  await using scripted = await withScriptedModel(() => fault);
  return await scripted.models.call({
    model,
    system: 'You are terse.',
    messages: [{ seq: 1, turn: 1, step: null, voice: 'person', content: { text: 'Hello' } }],
    tools: [],
    maxOutputTokens: 500,
    signal: new AbortController().signal,
  });
}

/** Its type, and when it wants to be asked again. */
type Row = readonly [
  name: string,
  fault: ScriptedReply | (() => ScriptedReply),
  kind: string,
  retryAfterSeconds: number | null,
];

const google = (code: number, status: string, message: string, details: readonly object[] = []) =>
  reply.error(code, { error: { code, status, message, details } });
const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;
const comesBack = { '@type': type('RetryInfo'), retryDelay: '34s' };
const badKey = { '@type': type('ErrorInfo'), reason: 'API_KEY_INVALID' };
const quota =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to the documentation.';

const ofGoogle: readonly Row[] = [
  [
    'a limit a minute, with its delay',
    google(429, 'RESOURCE_EXHAUSTED', quota, [comesBack]),
    'rate_limit',
    34,
  ],
  [
    'resources exhausted, without',
    google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
    'rate_limit',
    null,
  ],
  ['a quota without an end', google(429, 'RESOURCE_EXHAUSTED', quota), 'quota', null],
  [
    'overload',
    google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    'overload',
    null,
  ],
  [
    'an error of its own',
    google(500, 'INTERNAL', 'An internal error has occurred.'),
    'connection',
    null,
  ],
  [
    'a deadline of its own',
    google(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
    'timeout',
    null,
  ],
  [
    'a key that is none',
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [badKey]),
    'auth',
    null,
  ],
  [
    'an expired key',
    google(400, 'INVALID_ARGUMENT', 'API key expired. Please renew the API key.', [badKey]),
    'auth',
    null,
  ],
  [
    'a project without access',
    google(
      403,
      'PERMISSION_DENIED',
      'Generative Language API has not been used in project 1 before.',
    ),
    'auth',
    null,
  ],
  [
    'billing',
    google(
      400,
      'FAILED_PRECONDITION',
      'Please enable billing on your project in Google AI Studio.',
    ),
    'quota',
    null,
  ],
  [
    'too much input',
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    'context_overflow',
    null,
  ],
  [
    'a request that it can not read',
    google(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'),
    'other',
    null,
  ],
  [
    'no such model',
    google(404, 'NOT_FOUND', 'models/nobody is not found for API version v1beta.'),
    'other',
    null,
  ],
  [
    'overload in the stream',
    { text: 'So', streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    'overload',
    null,
  ],
];

const anthropic = (
  status: number,
  kind: string,
  message: string,
  headers: Record<string, string> = {},
) => reply.error(status, { type: 'error', error: { type: kind, message } }, headers);
const inAMinute = () => new Date(Date.now() + 60_000).toISOString();

const ofAnthropic: readonly Row[] = [
  [
    'a rate limit with its seconds',
    anthropic(429, 'rate_limit_error', 'This request would exceed your rate limit.', {
      'retry-after': '17',
    }),
    'rate_limit',
    17,
  ],
  [
    'a rate limit with the reset of what is used up',
    () =>
      anthropic(429, 'rate_limit_error', 'This request would exceed your rate limit.', {
        'anthropic-ratelimit-output-tokens-remaining': '0',
        'anthropic-ratelimit-output-tokens-reset': inAMinute(),
      }),
    'rate_limit',
    60,
  ],
  ['overload', anthropic(529, 'overloaded_error', 'Overloaded'), 'overload', null],
  ['an error of its own', anthropic(500, 'api_error', 'Internal server error'), 'connection', null],
  ['a timeout of its own', anthropic(504, 'timeout_error', 'Request timed out'), 'timeout', null],
  ['a key that is none', anthropic(401, 'authentication_error', 'invalid x-api-key'), 'auth', null],
  [
    'a key without access',
    anthropic(403, 'permission_error', 'Your API key does not have permission.'),
    'auth',
    null,
  ],
  [
    'no credit',
    anthropic(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API.',
    ),
    'quota',
    null,
  ],
  [
    'billing',
    anthropic(402, 'billing_error', 'There is an issue with your billing.'),
    'quota',
    null,
  ],
  [
    'too many tokens',
    anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    'context_overflow',
    null,
  ],
  [
    'too many bytes',
    anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    'context_overflow',
    null,
  ],
  [
    'an output that does not fit',
    anthropic(
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    ),
    'context_overflow',
    null,
  ],
  ['no such model', anthropic(404, 'not_found_error', 'model: nobody'), 'other', null],
  [
    'overload in the stream',
    { text: 'So', streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    'overload',
    null,
  ],
  [
    'an error of its own in the stream',
    { text: 'So', streamError: { type: 'api_error', message: 'Internal server error' } },
    'connection',
    null,
  ],
];

describe.each([
  ['google/gemini-2.5-pro', ofGoogle],
  ['anthropic/claude-sonnet-4-5', ofAnthropic],
])('%s', (model, rows) => {
  test.each(rows)('M25 in its own words: %s', async (_name, fault, kind, seconds) => {
    const begun = performance.now();
    const answer = await ask(model, typeof fault === 'function' ? fault() : fault);
    const passed = (performance.now() - begun) / 1000;
    if (answer.kind !== 'trouble') throw new Error(`no trouble: ${JSON.stringify(answer)}`);
    expect(answer.trouble.kind).toBe(kind);
    if (seconds === null) expect(answer.trouble.retryAfterSeconds).toBeNull();
    else {
      const told = answer.trouble.retryAfterSeconds ?? 0;
      expect(told).toBeLessThanOrEqual(seconds + 1);
      expect(told).toBeGreaterThanOrEqual(seconds - 1 - passed);
    }
    expect(answer.trouble.message).not.toMatch(/without a text|Failed to process/);
  });

  test('M25 an answer that its filter cut off, and one that says nothing', async () => {
    const refused = await ask(model, { text: 'So', finishReason: 'content_filter' });
    expect(refused).toMatchObject({ kind: 'answer', finishReason: 'content_filter' });
    const empty = await ask(model, reply.empty());
    expect(empty).toMatchObject({ kind: 'answer', text: '', calls: [], finishReason: 'stop' });
  });
});

const chunk = (data: object): ScriptedReply => ({
  garbage: JSON.stringify(data),
  finishReason: null,
});

test('M25 a prompt that Google blocks is content that was refused', async () => {
  const blocked = chunk({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });
  const answer = await ask('google/gemini-2.5-pro', blocked);
  expect(answer).toMatchObject({ kind: 'answer', finishReason: 'content_filter', text: '' });
});

test('a call that Google could not read from its own model is an answer with nothing in it', async () => {
  const finishReason = 'MALFORMED_FUNCTION_CALL';
  const broken = chunk({ candidates: [{ content: { role: 'model', parts: [] }, finishReason }] });
  const answer = await ask('google/gemini-2.5-pro', broken);
  expect(answer).toMatchObject({ kind: 'answer', calls: [], text: '' });
});
