import { APICallError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { classifyError, isBeforeGeneration } from '../../src/model/errors.ts';

const now = Date.parse('2030-01-01T00:00:00Z');

const httpError = (responseHeaders: Record<string, string>, statusCode = 429) =>
  new APICallError({
    message: 'no',
    url: 'http://x',
    requestBodyValues: {},
    statusCode,
    responseHeaders,
  });

test.each([
  [{ 'retry-after': '12' }, 12],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.2' }, 2],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 2],
  [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, 30],
  [{ 'retry-after': 'Mon, 31 Dec 2029 23:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('M25 retry-after %j is %s seconds', (headers, seconds) => {
  expect(classifyError(httpError(headers as Record<string, string>), now).retryAfterSeconds).toBe(
    seconds,
  );
});

const withCode = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });

test.each([
  [withCode('ECONNREFUSED'), 'connection', true],
  [withCode('ECONNRESET'), 'connection', false],
  [withCode('UND_ERR_BODY_TIMEOUT'), 'timeout', false],
  [new TypeError('terminated'), 'connection', false],
  [{ type: 'overloaded_error', message: 'Overloaded' }, 'overload', false],
  [{ type: 'error', error: { type: 'rate_limit_error' } }, 'rate_limit', false],
  [{ code: 'context_length_exceeded', message: 'too long' }, 'context_overflow', false],
  [httpError({}, 401), 'auth', true],
  ['text', 'other', false],
  [undefined, 'other', false],
])('%o is %s', (error, kind, isFree) => {
  expect(classifyError(error, now).kind).toBe(kind);
  expect(isBeforeGeneration(error)).toBe(isFree);
});

test('messages stay one short line', () => {
  const { message } = classifyError(new Error(`a\nb${'x'.repeat(5000)}`), now);
  expect(message).not.toContain('\n');
  expect(message.length).toBeLessThanOrEqual(500);
});
