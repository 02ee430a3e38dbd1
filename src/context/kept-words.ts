import type { KeptWords } from '../contract/compaction-record.ts';
import type { StoredMessage } from '../contract/conversation.ts';

/** Most of the remaining room that one text gets, so that a long text hides no other. */
const SHARE_OF_ONE = 0.5;
/** A text that can be shown no longer than this is named instead. */
const LEAST_SHOWN = 200;
/** Whole, whatever its length. */
const WHOLE = 1_000_000;

/**
 * Decides how much of people's messages is shown, newest first: all of it if there is room, which
 * there nearly always is.
 *
 * @param room tokens for all of them
 */
export function keepWords(
  said: readonly StoredMessage[],
  room: number,
  tokensOf: (message: StoredMessage) => number,
): readonly KeptWords[] {
  const kept: KeptWords[] = [];
  let left = room;
  for (const message of said.toReversed()) {
    const tokens = tokensOf(message);
    const allowed = left * SHARE_OF_ONE;
    const { length } = message.content.text;
    const shown = tokens <= allowed ? WHOLE : Math.floor((length * allowed) / tokens / 2);
    if (shown < LEAST_SHOWN) break;
    kept.push({ seq: message.seq, shown });
    left -= Math.min(tokens, allowed);
  }
  return kept.toReversed();
}
