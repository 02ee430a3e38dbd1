import { ANYWHERE, addressRules } from '../net/addresses.ts';
import { judgedDispatcher } from '../net/dispatcher.ts';
import { fetchThrough } from '../net/fetch.ts';

/** The same limit as for one message over stdin and stdout. */
export const MOST_BYTES = 10 * 1024 * 1024;

export class AnswerTooLarge extends Error {
  constructor() {
    super(`an answer of more than ${MOST_BYTES / 1024 / 1024} MB`);
    this.name = 'AnswerTooLarge';
  }
}

/**
 * `fetch` with a limit on the size of an answer, or of each event where the answer is a stream of
 * events: the client keeps either in memory until it is complete. Servers are named by the
 * operator and may have any address.
 *
 * @param onTooLarge the rest of the answer won't come
 */
export function limitedFetch(onTooLarge: (error: AnswerTooLarge) => void): typeof fetch {
  return fetchThrough(judgedDispatcher(addressRules(ANYWHERE)), ({ contentType = '' }) => {
    const isStream = /^text\/event-stream/i.test(contentType);
    const held = isStream ? eventSizes() : totalSize();
    return (piece) => {
      if (held(piece) <= MOST_BYTES) return;
      const error = new AnswerTooLarge();
      onTooLarge(error);
      throw error;
    };
  });
}

/** Told each piece, it tells how much is held by then. */
type Held = (piece: Uint8Array) => number;

function totalSize(): Held {
  let total = 0;
  return (piece) => {
    total += piece.length;
    return total;
  };
}

const FEED = 0x0a;
const RETURN = 0x0d;

/** An event ends with an empty line. */
function eventSizes(): Held {
  let size = 0;
  let isLineEmpty = false;
  return (piece) => {
    let largest = 0;
    for (const byte of piece) {
      size += 1;
      largest = Math.max(largest, size);
      if (byte === FEED && isLineEmpty) size = 0;
      if (byte !== RETURN) isLineEmpty = byte === FEED;
    }
    return Math.max(largest, size);
  };
}
