import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Marks the ends of what the next request begins with as well: the instructions (and, for those
 * who put them first, the tools), the conversation without the goal block that closes it, and
 * where the request before this one had that second mark. A provider that wants to be told what to
 * keep keeps these; for the others the order alone is enough.
 */
export function markStable(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const last = prompt.length - 2;
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  const marked = new Set([0, last, answer - 1]);
  return prompt.map((message, index) =>
    marked.has(index) && index <= last ? withMark(message) : message,
  );
}

const withMark = (message: LanguageModelV3Message): LanguageModelV3Message => ({
  ...message,
  providerOptions: { ...message.providerOptions, ...MARK },
});
