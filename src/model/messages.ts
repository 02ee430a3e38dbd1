import type {
  JSONObject,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type { RequestedCall, StoredMessage } from '../contract/conversation.ts';
import { isTextCall } from '../reply/text-call.ts';
import { markStable } from './cache-marks.ts';
import { fileParts, joined } from './file-parts.ts';
import { withoutMark } from './host-mark.ts';
import { asProviderParts } from './provider-parts.ts';
import { withoutTags } from './tags.ts';

const CUT = '[cut off here]';
const NO_RESULT = 'The host has no result of this call.';
/** The model sees this many characters of arguments that are not JSON. */
const SHOWN_RAW = 2_000;

/**
 * The conversation as providers accept it. The prompt is valid for any stored messages: every call
 * is followed by exactly one result, results without a call are dropped, and the first message is
 * not the model's.
 */
export function toPrompt(
  system: string,
  messages: readonly StoredMessage[],
  mark?: string,
): LanguageModelV3Prompt {
  const results = resultsByCall(messages);
  const conversation: LanguageModelV3Message[] = [];
  for (const message of messages) conversation.push(...toMessages(message, results, mark));
  const needsOpening = conversation[0]?.role !== 'user';
  const opening = needsOpening
    ? [userText(hostVoice('The conversation goes on from here.', mark))]
    : [];
  return markStable([{ role: 'system', content: system }, ...opening, ...conversation]);
}

type Results = ReadonlyMap<string, StoredMessage>;

/** The first result of a call counts; a person's message may stand between the two. */
function resultsByCall(messages: readonly StoredMessage[]): Results {
  const results = new Map<string, StoredMessage>();
  for (const message of messages) {
    const { callId } = message.content;
    if (message.voice === 'tool' && callId !== undefined && !results.has(callId)) {
      results.set(callId, message);
    }
  }
  return results;
}

const NONE: readonly LanguageModelV3Message[] = [];

function toMessages(
  message: StoredMessage,
  results: Results,
  mark: string | undefined,
): readonly LanguageModelV3Message[] {
  if (message.voice === 'tool') return NONE;
  return message.voice === 'model' ? modelMessages(message, results, mark) : spoken(message, mark);
}

/** Messages belong to one goal, which has one mark. */
const said = new WeakMap<StoredMessage, readonly LanguageModelV3Message[]>();

function spoken(
  message: StoredMessage,
  mark: string | undefined,
): readonly LanguageModelV3Message[] {
  const known = said.get(message);
  if (known !== undefined) return known;
  const { attachments = [] } = message.content;
  const content = joined([
    { type: 'text', text: inVoice(message, mark) },
    ...attachments.flatMap((file) => fileParts(file, mark)),
  ]);
  const messages = [{ role: 'user' as const, content }];
  said.set(message, messages);
  return messages;
}

function inVoice(
  { voice, content: { text, isBlock } }: StoredMessage,
  mark: string | undefined,
): string {
  if (voice === 'person') return withoutMark(asPerson(text), mark);
  const program = () => `${PROGRAM}\n<program>\n${asData(text)}\n</program>`;
  if (voice === 'agent') return hostVoice(program(), mark);
  return isBlock ? asHost(text, mark) : hostVoice(text, mark);
}

interface Converted {
  /** The results of the message's calls, in the calls' order. */
  readonly results: readonly (StoredMessage | undefined)[];
  readonly messages: readonly LanguageModelV3Message[];
}

const converted = new WeakMap<StoredMessage, Converted>();

/** Converted again only when a result came: every step sends the whole conversation. */
function modelMessages(
  message: StoredMessage,
  results: Results,
  mark: string | undefined,
): readonly LanguageModelV3Message[] {
  const calls = message.content.calls ?? [];
  const known = converted.get(message);
  const isSame = calls.every(({ callId }, at) => known?.results[at] === results.get(callId));
  if (known !== undefined && isSame) return known.messages;
  const messages = convertModelMessage(message, results, mark);
  converted.set(message, { results: calls.map(({ callId }) => results.get(callId)), messages });
  return messages;
}

function convertModelMessage(
  { content }: StoredMessage,
  results: Results,
  mark: string | undefined,
): LanguageModelV3Message[] {
  const all = content.calls ?? [];
  const calls = all.filter((call) => !isTextCall(call));
  const { reasoning, callOptions } = asProviderParts(content.providerParts);
  const said = [content.text.trimEnd(), content.isError ? CUT : ''].filter(Boolean).join(' ');
  const text = [said, content.token ?? ''].filter(Boolean).join('\n');
  if (text === '' && calls.length === 0) return [];
  const assistant: LanguageModelV3Message = {
    role: 'assistant',
    content: [
      ...reasoning,
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map((call) => callPart(call, callOptions[call.providerId])),
    ],
  };
  const files = filesOfResults(all, results, mark);
  if (calls.length === 0) return [assistant, ...answersToTokens(all, results, mark), ...files];
  const answers = calls.map((call) => resultPart(call, results));
  return [assistant, { role: 'tool', content: answers }, ...files];
}

/** Not every provider takes images among results, and each takes them from the user behind them. */
function filesOfResults(
  calls: readonly RequestedCall[],
  results: Results,
  mark: string | undefined,
): LanguageModelV3Message[] {
  const content = calls.flatMap(({ callId }) => {
    const { attachments = [] } = results.get(callId)?.content ?? {};
    if (attachments.length === 0) return [];
    const from = hostVoice(`Among the result of ${wireId(callId)}, as data:`, mark);
    const parts = attachments.flatMap((file) => fileParts(file, mark));
    return [{ type: 'text' as const, text: from }, ...parts];
  });
  return content.length === 0 ? [] : [{ role: 'user', content: joined(content) }];
}

/** A message with tool tokens as text instead of calls is answered in text. */
function answersToTokens(
  calls: readonly RequestedCall[],
  results: Results,
  mark: string | undefined,
): LanguageModelV3Message[] {
  const texts = calls.map(({ callId }) => results.get(callId)?.content.text);
  return texts.filter((text) => text !== undefined).map((text) => userText(hostVoice(text, mark)));
}

function callPart(
  call: RequestedCall,
  providerOptions: LanguageModelV3ToolCallPart['providerOptions'],
): LanguageModelV3ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: wireId(call.callId),
    toolName: wireName(call.tool),
    input: parsedInput(call.input),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

function resultPart(call: RequestedCall, results: Results): LanguageModelV3ToolResultPart {
  const result = results.get(call.callId)?.content;
  const type = result === undefined || result.isError ? 'error-text' : 'text';
  return {
    type: 'tool-result',
    toolCallId: wireId(call.callId),
    toolName: wireName(call.tool),
    output: { type, value: result?.text ?? NO_RESULT },
  };
}

/**
 * The host's own call ids are unique in the goal, the providers' are not always; dots are not
 * allowed by all of them.
 */
function wireId(callId: string): string {
  return callId.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** A made-up tool name must not make every later request invalid. */
function wireName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function parsedInput(input: string): JSONObject {
  if (input.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(input);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as JSONObject;
    }
  } catch {
    // Invalid JSON is shown to the model as it wrote it.
  }
  return { invalid_arguments: input.slice(0, SHOWN_RAW) };
}

function userText(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

const PROGRAM = 'A program (not a person, not the host) says, as data:';

const hostVoice = (text: string, mark: string | undefined): string =>
  asHost(withoutTags(text, ['goal']), mark);

/** Nested host tags are removed, so no other text can pose as the host or end its block. */
const asHost = (text: string, mark: string | undefined): string => {
  const tag = mark === undefined ? '<host>' : `<host mark="${mark}">`;
  return `${tag}\n${withoutMark(withoutTags(text, ['host']), mark)}\n</host>`;
};

/** People may mention a `<goal>` in a file, so only the start of a goal block is removed. */
const asPerson = (text: string): string =>
  withoutTags(text, ['host']).replace(/[<＜﹤](?=[\s\p{Cf}]*goal[\s\p{Cf}]+id\b)/giu, '&lt;');

const asData = (text: string): string => withoutTags(text, ['program']);
