import type { AskedRequest } from '../contract/asked-request.ts';
import type { Attached } from '../contract/attachments.ts';
import type { Compaction } from '../contract/compaction-record.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { ModelPort, ToolDeclaration } from '../contract/model.ts';
import type { TurnKind } from '../contract/turn-facts.ts';
import { asProviderParts } from '../model/provider-parts.ts';
import { promptOf } from './asked.ts';
import { renderGoalBlock } from './goal-block.ts';
import { systemPrompt } from './prompts.ts';
import { fileLine } from './shown-attachments.ts';
import { viewOf } from './view.ts';

/** Tokens of a message beside its text: role, ids, separators. */
const TOKENS_PER_MESSAGE = 6;
/** Of a file: its tag, and why it is only named. */
const TOKENS_OF_LABEL = 40;
/** Tokenizers differ; a reservation that is too small would overshoot the budget. */
const MARGIN = 1.1;

/** Marks of one length differ in their number of tokens, and estimates are to be the same. */
export const SOME_MARK = '0123456789abcdef';

export interface RequestParts {
  readonly system: string;
  /** The conversation and, last, the goal as the record has it now. */
  readonly messages: readonly StoredMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly hostMark?: string;
  readonly estimatedInput: number;
  /** The same by reference, for the record. */
  readonly asked: AskedRequest;
}

interface RequestGround {
  readonly brief: GoalBrief;
  readonly kind: TurnKind;
  readonly messages: readonly StoredMessage[];
  /** The newest one; null or absent = the conversation is shown whole. */
  readonly compaction?: Compaction | null;
  readonly tools: readonly ToolDeclaration[];
  readonly model: Pick<ModelPort, 'countTokens'>;
  /** Carried by the host's words in this goal's conversation. */
  readonly hostMark?: string | undefined;
}

/**
 * Everything stable comes first (system prompt, tools, conversation), the goal block last: it
 * changes with every step and would otherwise void the provider's prompt cache.
 */
export function buildRequest(ground: RequestGround): RequestParts {
  const { brief, kind, tools, model, hostMark } = ground;
  const { mode, textTokens: hasTextTokens } = brief;
  const offered = namesOf(tools);
  const systemOf = (mark?: string) =>
    systemPrompt({ mode, offered, hasTextTokens, hostMark: mark });
  const system = systemOf(hostMark);
  const conversation = viewOf(ground.messages, ground.compaction ?? null);
  const block = goalMessage(brief, kind, conversation);
  const messages = [...conversation, block];
  const counted = hostMark === undefined ? system : systemOf(SOME_MARK);
  const estimatedInput = estimate(counted, messages, tools, model.countTokens);
  const mark = hostMark === undefined ? {} : { hostMark };
  const asked = {
    prompt: promptOf(counted, tools, SOME_MARK),
    through: ground.messages.at(-1)?.seq ?? null,
    compaction: ground.compaction?.number ?? null,
    isMarked: hostMark !== undefined,
    own: [block.content],
  };
  return { system, messages, tools, ...mark, estimatedInput, asked };
}

/** Tokens that the conversation may have, as counted, for a request of at most `limit`. */
export function roomIn(ground: RequestGround, limit: number): number {
  return Math.floor((limit - fixedInput(ground)) / MARGIN);
}

/** Estimated tokens of a request without any conversation. */
export function fixedInput(ground: RequestGround): number {
  return buildRequest({ ...ground, messages: [], compaction: null }).estimatedInput;
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
    content: { text: renderGoalBlock(brief, kind), isBlock: true },
  };
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

/** Caches token counts: messages never change, and every step counts all of them. */
export function messageTokens(message: StoredMessage, count: (text: string) => number): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = countMessage(message, count);
  counted.set(message, tokens);
  return tokens;
}

function countMessage({ content }: StoredMessage, count: (text: string) => number): number {
  const calls = content.calls ?? [];
  const thoughts = asProviderParts(content.providerParts).reasoning.map(({ text }) => count(text));
  const inCalls = calls.reduce(
    (sum, call) => sum + count(call.tool) + count(call.input) + TOKENS_PER_MESSAGE,
    0,
  );
  const inThoughts = thoughts.reduce((sum, tokens) => sum + tokens, 0);
  const inFiles = (content.attachments ?? []).reduce(
    (sum, file) => sum + fileTokens(file, count),
    0,
  );
  return count(content.text) + inCalls + inThoughts + inFiles + TOKENS_PER_MESSAGE;
}

/** Name, type, size and reference, with the tag around them. */
function fileTokens(file: Attached, count: (text: string) => number): number {
  const { shown } = file;
  const label = count(fileLine(file)) + TOKENS_OF_LABEL;
  if (shown?.kind === 'image') return label + shown.tokens;
  return label + (shown?.kind === 'text' ? count(shown.text) : 0);
}

const toolNames = new WeakMap<readonly ToolDeclaration[], ReadonlySet<string>>();

function namesOf(tools: readonly ToolDeclaration[]): ReadonlySet<string> {
  const known = toolNames.get(tools) ?? new Set(tools.map(({ name }) => name));
  toolNames.set(tools, known);
  return known;
}

const toolTexts = new WeakMap<readonly ToolDeclaration[], string>();

/** Declarations are one list per mode for the life of the process. */
function toolTokens(tools: readonly ToolDeclaration[], count: (text: string) => number): number {
  const text = toolTexts.get(tools) ?? JSON.stringify(tools);
  toolTexts.set(tools, text);
  return count(text);
}
