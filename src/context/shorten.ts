import type { MessageContent, RequestedCall, StoredMessage } from '../contract/conversation.ts';
import { asProviderParts } from '../model/provider-parts.ts';
import { wholeCharacters } from '../tools/output.ts';
import { namedOnly } from './shown-attachments.ts';

/** Share of a shortened text that is its beginning. */
const SHARE_OF_HEAD = 0.6;

const known = new WeakMap<StoredMessage, Map<number, StoredMessage>>();

/**
 * The message with what calls brought and carried cut to `shown` characters each, and a reference
 * to the whole of it. Always the same object for the same message, so that its tokens are counted
 * once.
 */
export function shortened(message: StoredMessage, shown: number): StoredMessage {
  const before = known.get(message) ?? new Map<number, StoredMessage>();
  known.set(message, before);
  const short = before.get(shown) ?? cut(message, shown);
  before.set(shown, short);
  return short;
}

function cut(given: StoredMessage, shown: number): StoredMessage {
  const message = namedOnly(given);
  const { voice, content, seq } = message;
  if (voice === 'tool') {
    const text = cutMiddle(content.text, shown, content.callId ?? `m${seq}`);
    return text === content.text ? message : { ...message, content: { ...content, text } };
  }
  if (voice !== 'model') return message;
  const calls = content.calls?.map((call) => shortCall(call, shown, `m${seq}`));
  return { ...message, content: withoutReasoning({ ...content, ...(calls && { calls }) }) };
}

/** Keeps signatures of calls and drops old reasoning. */
function withoutReasoning(content: MessageContent): MessageContent {
  if (content.providerParts === undefined) return content;
  const { callOptions } = asProviderParts(content.providerParts);
  return { ...content, providerParts: { reasoning: [], callOptions } };
}

function shortCall(call: RequestedCall, shown: number, ref: string): RequestedCall {
  if (call.input.length <= 2 * shown) return call;
  const short = (value: unknown): unknown => {
    if (typeof value === 'string') return cutMiddle(value, shown, ref);
    if (Array.isArray(value)) return value.map(short);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, short(inner)]));
  };
  try {
    const input = JSON.stringify(short(JSON.parse(call.input)));
    // The arguments are many small values, none of them long.
    if (input.length <= 10 * shown + 1000) return { ...call, input };
  } catch {
    // Arguments that aren't JSON stay as they were written.
  }
  return { ...call, input: JSON.stringify({ arguments: cutMiddle(call.input, shown, ref) }) };
}

/** Cuts the middle of a text that is more than twice as long as `shown`. */
export function cutMiddle(text: string, shown: number, ref: string): string {
  if (text.length <= 2 * shown) return text;
  const head = wholeCharacters(text.slice(0, Math.ceil(shown * SHARE_OF_HEAD)));
  const tail = wholeCharacters(text.slice(text.length - (shown - head.length)));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters are no longer shown; \`recall\` with ref "${ref}" reads them …]\n${tail}`;
}
