import type { ReportedUsage } from '../contract/model.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * Adds the usage that a piece of a stream reports to the usage reported before; the clients report
 * it only at the end of a whole stream. Reads the formats of OpenAI, Anthropic and Google.
 */
export function readUsage(raw: unknown, before: ReportedUsage | null): ReportedUsage | null {
  const chunk = fieldsOf(raw);
  const usage = chunk.usage ?? fieldsOf(chunk.message).usage ?? chunk.usageMetadata;
  return isFields(usage) ? merge(before, inOneShape(usage)) : before;
}

function inOneShape(usage: Fields): ReportedUsage {
  const cachedAside = count(usage.cache_read_input_tokens);
  const written = count(usage.cache_creation_input_tokens);
  const inputAside = cachedAside + written;
  return {
    inputTokens:
      count(usage.prompt_tokens) +
      count(usage.input_tokens) +
      inputAside +
      count(usage.promptTokenCount),
    cachedInputTokens:
      cachedAside +
      count(fieldsOf(usage.prompt_tokens_details).cached_tokens) +
      count(usage.cachedContentTokenCount),
    outputTokens:
      count(usage.completion_tokens) +
      count(usage.output_tokens) +
      count(usage.candidatesTokenCount) +
      count(usage.thoughtsTokenCount),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
}

/** All providers report running totals; a piece without a number leaves the total as it was. */
function merge(before: ReportedUsage | null, now: ReportedUsage): ReportedUsage {
  const written = Math.max(before?.cacheWriteTokens ?? 0, now.cacheWriteTokens ?? 0);
  return {
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    inputTokens: Math.max(before?.inputTokens ?? 0, now.inputTokens),
    cachedInputTokens: Math.max(before?.cachedInputTokens ?? 0, now.cachedInputTokens),
    outputTokens: Math.max(before?.outputTokens ?? 0, now.outputTokens),
  };
}
