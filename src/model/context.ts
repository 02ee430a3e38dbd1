import type { TurnKind } from '../goal/facts.ts';
import type { GoalBrief, ModelPort, StoredMessage, ToolDeclaration } from '../turn/ports.ts';
import { renderGoalBlock } from './goal-block.ts';
import { systemPrompt } from './prompts.ts';
import { shorten } from './shorten.ts';

/** Until conversations are compacted, older messages fall away in blocks. */
const MOST_MESSAGES = 400;
/** The start moves in steps, so that the prefix stays the same, and cached, for many requests. */
const BLOCK = 100;
/** What a message costs beside its text: role, ids, separators. */
const TOKENS_PER_MESSAGE = 6;
/** Tokenizers differ; a reservation that is too small would overshoot the budget. */
const MARGIN = 1.1;

interface RequestParts {
  readonly system: string;
  /** The conversation and, last, the goal as the record has it now. */
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly estimatedInput: number;
}

/**
 * Everything stable comes first (system prompt, tools, conversation), the goal block last: it
 * changes with every step and would otherwise void the provider's prompt cache.
 */
export function buildRequest(parts: {
  readonly brief: GoalBrief;
  readonly kind: TurnKind;
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly model: Pick<ModelPort, 'countTokens'>;
  /** Tokens that the whole request may have, as estimated; null = as many as it takes. */
  readonly mostTokens?: number | null;
}): RequestParts {
  const system = systemPrompt(parts.brief.mode, parts.brief.textTokens);
  const conversation = conversationOf(parts, system);
  const messages = [...conversation, goalMessage(parts.brief, parts.kind, conversation)];
  const estimatedInput = estimate(system, messages, parts.tools, parts.model.countTokens);
  return { system, messages, tools: parts.tools, estimatedInput };
}

function conversationOf(
  parts: Parameters<typeof buildRequest>[0],
  system: string,
): readonly StoredMessage[] {
  const all = newestMessages(parts.messages);
  const { mostTokens = null, brief, kind, tools, model } = parts;
  if (mostTokens === null) return all;
  const count = model.countTokens;
  const fixed = estimate(system, [goalMessage(brief, kind, all)], tools, count);
  return shorten(all, (mostTokens - fixed) / MARGIN, (message) => messageTokens(message, count));
}

function goalMessage(
  brief: GoalBrief,
  kind: TurnKind,
  conversation: readonly StoredMessage[],
): StoredMessage {
  const last = conversation.at(-1);
  return {
    seq: (last?.seq ?? 0) + 1,
    turn: last?.turn ?? 1,
    step: null,
    voice: 'host',
    content: { text: renderGoalBlock(brief, kind) },
  };
}

function newestMessages(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const first = messages[messages.length - MOST_MESSAGES];
  if (first === undefined) return messages;
  const start = Math.ceil(first.seq / BLOCK) * BLOCK;
  return messages.filter((message) => message.seq >= start);
}

function estimate(
  system: string,
  messages: readonly StoredMessage[],
  tools: readonly ToolDeclaration[],
  count: (text: string) => number,
): number {
  const conversation = messages.reduce((sum, message) => sum + messageTokens(message, count), 0);
  return Math.ceil((count(system) + toolTokens(tools, count) + conversation) * MARGIN);
}

const counted = new WeakMap<StoredMessage, number>();

/** Messages never change and every step counts all of them again. */
function messageTokens(message: StoredMessage, count: (text: string) => number): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = countMessage(message, count);
  counted.set(message, tokens);
  return tokens;
}

function countMessage({ content }: StoredMessage, count: (text: string) => number): number {
  const calls = content.calls ?? [];
  const inCalls = calls.reduce(
    (sum, call) => sum + count(call.tool) + count(call.input) + TOKENS_PER_MESSAGE,
    0,
  );
  return count(content.text) + inCalls + TOKENS_PER_MESSAGE;
}

const toolTexts = new WeakMap<readonly ToolDeclaration[], string>();

/** Declarations are one list per mode for the life of the process. */
function toolTokens(tools: readonly ToolDeclaration[], count: (text: string) => number): number {
  const text = toolTexts.get(tools) ?? JSON.stringify(tools);
  toolTexts.set(tools, text);
  return count(text);
}
