import { expect, test } from 'vitest';
import { readUsage } from '../../src/model/reported-usage.ts';

const sumOf = (pieces: readonly unknown[]) =>
  pieces.reduce<ReturnType<typeof readUsage>>((before, piece) => readUsage(piece, before), null);

test.each<[string, unknown[], [number, number, number, number?]]>([
  [
    'Anthropic, whose cached tokens stand beside the input',
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 20,
            cache_read_input_tokens: 100,
            cache_creation_input_tokens: 5,
            output_tokens: 1,
          },
        },
      },
      { type: 'ping' },
      { type: 'message_delta', usage: { output_tokens: 40 } },
    ],
    [125, 100, 40, 5],
  ],
  [
    'OpenAI, whose cached tokens are part of it',
    [
      { choices: [], usage: null },
      {
        usage: {
          prompt_tokens: 120,
          completion_tokens: 7,
          prompt_tokens_details: { cached_tokens: 100 },
        },
      },
    ],
    [120, 100, 7],
  ],
  [
    'a server that tells the sums with every piece',
    [1, 2, 3].map((completion_tokens) => ({ usage: { prompt_tokens: 9, completion_tokens } })),
    [9, 0, 3],
  ],
  [
    'Google, whose thoughts are output',
    [
      {
        usageMetadata: {
          promptTokenCount: 30,
          cachedContentTokenCount: 10,
          candidatesTokenCount: 4,
          thoughtsTokenCount: 6,
        },
      },
    ],
    [30, 10, 10],
  ],
])(
  'what is read of %s',
  (_name, pieces, [inputTokens, cachedInputTokens, outputTokens, written]) => {
    expect(sumOf(pieces)).toEqual({
      inputTokens,
      cachedInputTokens,
      outputTokens,
      ...(written === undefined ? {} : { cacheWriteTokens: written }),
    });
  },
);

test('what says nothing of usage changes nothing', () => {
  expect(sumOf([null, 'text', 3, {}, { usage: 'much' }, { message: null }])).toBeNull();
});
