import type { StoredMessage } from '../turn/ports.ts';

/** What stays of an old tool result, characters. */
const KEPT_OF_RESULT = 400;
/** The newest messages, which are left as they are while anything else can go. */
const UNTOUCHED = 8;

/**
 * The conversation within `target` tokens: old tool results are cut first, then the oldest messages
 * fall away. The record keeps all of them; this is what a request carries until conversations are
 * compacted, and where a compaction would take its place.
 * @returns at least the newest message, even where that alone is above the target
 */
export function shorten(
  messages: readonly StoredMessage[],
  target: number,
  tokensOf: (message: StoredMessage) => number,
): readonly StoredMessage[] {
  const sum = (list: readonly StoredMessage[]) =>
    list.reduce((total, message) => total + tokensOf(message), 0);
  if (sum(messages) <= target) return messages;
  const old = messages.length - UNTOUCHED;
  const cut = messages.map((message, index) =>
    index < old ? withoutLongResult(message) : message,
  );
  return sum(cut) <= target ? cut : newest(cut, target, tokensOf);
}

const cuts = new WeakMap<StoredMessage, StoredMessage>();

/** Always the same object for the same message, so that its tokens are counted once. */
function withoutLongResult(message: StoredMessage): StoredMessage {
  const { voice, content } = message;
  if (voice !== 'tool' || content.text.length <= 2 * KEPT_OF_RESULT) return message;
  const known = cuts.get(message);
  if (known !== undefined) return known;
  const left = content.text.length - KEPT_OF_RESULT;
  const text = `${content.text.slice(0, KEPT_OF_RESULT)}\n[… ${left} characters of this result are no longer shown]`;
  const short = { ...message, content: { ...content, text } };
  cuts.set(message, short);
  return short;
}

/** Never begins between a call and its result. */
function newest(
  messages: readonly StoredMessage[],
  target: number,
  tokensOf: (message: StoredMessage) => number,
): readonly StoredMessage[] {
  let start = messages.length;
  for (let left = target; start > 0; start -= 1) {
    left -= tokensOf(messages[start - 1] as StoredMessage);
    if (left < 0) break;
  }
  const kept = messages.slice(start);
  const first = kept.findIndex(({ voice }) => voice !== 'tool');
  if (first >= 0) return kept.slice(first);
  // All of it are results of one step: they stand behind the message that asked for them.
  const asked = messages.findLastIndex(({ voice }) => voice !== 'tool');
  return messages.slice(Math.max(0, asked));
}
