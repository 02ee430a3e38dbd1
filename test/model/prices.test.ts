import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { PriceFileError } from '../../src/model/price-file.ts';
import { loadPrices } from '../../src/model/prices.ts';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: unknown) => {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
};
const usage = (inputTokens: number, cachedInputTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
});

const own = loadPrices(
  fileOf({
    models: {
      'compatible/small': {
        inputPerMTok: '0.000001',
        cachedInputPerMTok: '0.10',
        outputPerMTok: '5.00',
        contextWindow: 32_000,
      },
      'openai/gpt-4.1': { inputPerMTok: '7', outputPerMTok: '9', maxOutput: 500 },
    },
  }),
);
const packaged = loadPrices(undefined);

test('prices of the package are used, with their version', () => {
  const price = packaged.price('openai/gpt-5.1', usage(1_000_000, 400_000, 1000));
  expect(price).toEqual({ costUsd: '0.81', version: expect.stringMatching(/^genai-prices@\d/) });
});

test('a tier holds for the whole call once its input is above the start', () => {
  const below = packaged.price('google/gemini-2.5-pro', usage(200_000, 0, 0));
  const above = packaged.price('google/gemini-2.5-pro', usage(200_001, 0, 0));
  expect([below?.costUsd, above?.costUsd]).toEqual(['0.25', '0.5000025']);
});

test('M17 one token of a cheap model is charged exactly', () => {
  expect(own.price('compatible/small', usage(1, 0, 0))?.costUsd).toBe('0.000000000001');
  expect(own.price('compatible/small', usage(10, 10, 0))?.costUsd).toBe('0.000001');
});

test('the file wins over the package', () => {
  expect(own.price('openai/gpt-4.1', usage(1_000_000, 500_000, 0))).toEqual({
    costUsd: '7',
    version: expect.stringMatching(/^file:/),
  });
  expect(own.maxOutput('openai/gpt-4.1')).toBe(500);
  expect(own.contextWindow('compatible/small')).toBe(32_000);
  expect(own.maxOutput('compatible/small')).toBe(8000);
});

test('M18 an unknown model has no price, and a default window', () => {
  expect(packaged.price('openai/no-such-model', usage(1, 0, 1))).toBeNull();
  expect(packaged.price('compatible/gpt-4.1', usage(1, 0, 1))).toBeNull();
  expect(packaged.contextWindow('compatible/x')).toBe(128_000);
  expect(packaged.contextWindow('openai/gpt-5.1')).toBe(400_000);
});

test('costs are exact decimals that add up', () => {
  const pico = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(12, '0'));
  };
  const tokens = fc.nat(100_000_000);
  fc.assert(
    fc.property(tokens, tokens, (first, second) => {
      const cost = (output: number) =>
        own.price('compatible/small', usage(0, 0, output))?.costUsd ?? '';
      expect(cost(first)).toMatch(/^\d{1,9}(\.\d{1,12})?$/);
      expect(pico(cost(first)) + pico(cost(second))).toBe(pico(cost(first + second)));
    }),
  );
});

describe('a price file that can’t be used says where', () => {
  const complaint = (content: unknown) => {
    try {
      loadPrices(
        typeof content === 'string' && content.startsWith('/') ? content : fileOf(content),
      );
      return 'accepted';
    } catch (error) {
      return error instanceof PriceFileError ? error.message : 'another error';
    }
  };
  const good = { inputPerMTok: '1', outputPerMTok: '1' };

  test.each([
    ['a missing file', '/no/such/file', /can't be read/],
    ['broken JSON', '{\n"models": {\n"a/b": }\n}', /line 3 is not JSON/],
    ['a JSON that ends early', '{\n"models": {', /line 2 is not JSON/],
    [
      'a number',
      { models: { 'a/b': { ...good, inputPerMTok: 1 } } },
      /line 4, models › a\/b › inputPerMTok/,
    ],
    [
      'a negative price',
      { models: { 'a/b': { ...good, outputPerMTok: '-1' } } },
      /line 5, .*outputPerMTok/,
    ],
    ['an unknown field', { models: { 'a/b': { ...good, inputPerToken: '1' } } }, /inputPerToken/],
    [
      'a field that only another model has',
      '{"models": {\n"a/b": {"outputPerMTok": "1"},\n"c/d": {"inputPerMTok": "1", "outputPerMTok": "1"}}}',
      /line 2, models › a\/b › inputPerMTok: is missing/,
    ],
    [
      'an unknown field by its own line',
      '{"models": {\n"a/b": {"inputPerMTok": "1",\n"outputPerMTok": "1",\n"cached": "1"}}}',
      /line 4, models › a\/b › cached: unknown field/,
    ],
    [
      'a key that is written twice over',
      '{"models": {\n"a/\\"b\\"": {"inputPerMTok": "1", "outputPerMTok": "inputPerMTok"},\n"c/d": {\n"inputPerMTok": ""}}}',
      /line 2, models › a\/"b" › outputPerMTok: must be a decimal/,
    ],
    ['a bad id', { models: { gpt: good } }, /gpt/],
    ['another shape', [], /the whole file/],
  ])('%s', (_name, content, expected) => {
    expect(complaint(content)).toMatch(expected);
  });
});
