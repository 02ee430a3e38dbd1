import { expect, test } from 'vitest';
import { retryAdvice } from '../../src/model/retry-advice.ts';

const now = Date.parse('2030-01-01T00:00:00Z');

test.each<[string, Record<string, string>, string, number | null]>([
  ['seconds', { 'retry-after': '12' }, '', 12],
  ['a date', { 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, '', 30],
  ['milliseconds, before all else', { 'retry-after-ms': '1500', 'retry-after': '9' }, '', 2],
  ['less than nothing', { 'retry-after': '-5' }, '', null],
  ['no number', { 'retry-after': 'Infinity' }, '', null],
  ['a number in another notation', { 'retry-after': '1e9' }, '', null],
  ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 40) }, '', 40],
  ['a moment in milliseconds', { 'x-ratelimit-reset': String(now + 40_000) }, '', 40],
  ['a duration', { 'x-ratelimit-reset': '1m30.5s' }, '', 91],
  [
    "the limits that are used up, of OpenAI's two",
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-remaining-tokens': '900',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    '',
    1,
  ],
  [
    'the last of those that are used up',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '8s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    '',
    360,
  ],
  [
    'the words of Anthropic',
    {
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2030-01-01T00:00:25Z',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2030-01-01T00:09:00Z',
    },
    '',
    25,
  ],
  ['the body of Google', {}, '{"details":[{"@type":"…RetryInfo","retryDelay": "34.2s"}]}', 35],
  ['only its text', {}, 'Rate limit reached. Please try again in 1m2.5s.', 63],
  ['a sentence', {}, 'Please retry after 20 seconds.', 20],
  ['nothing', {}, 'Slow down.', null],
])('M25 a provider that names %s', (_name, headers, text, seconds) => {
  expect(retryAdvice(headers, text, now)).toBe(seconds);
});
