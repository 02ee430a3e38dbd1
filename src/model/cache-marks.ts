import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Marks the ends of the prompt's prefixes that the next request repeats: the instructions (with
 * the tools, for providers that put them first), the conversation without the goal block that
 * closes it, and the place of that second mark in the previous request. Providers with explicit
 * caching cache up to these marks; for the others the order alone is enough.
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
