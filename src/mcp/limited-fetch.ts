/** As much as one message may have over stdin and stdout. */
export const MOST_BYTES = 10 * 1024 * 1024;

export class AnswerTooLarge extends Error {
  constructor() {
    super(`an answer of more than ${MOST_BYTES / 1024 / 1024} MB`);
    this.name = 'AnswerTooLarge';
  }
}

/**
 * `fetch` that reads no more than that of an answer, or of one event where it is a stream of them:
 * whoever reads keeps it in memory until it is whole.
 *
 * @param onTooLarge the rest of the answer won't come
 */
export function limitedFetch(onTooLarge: (error: AnswerTooLarge) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const isStream = /^text\/event-stream/i.test(headers.get('content-type') ?? '');
    const limited = body.pipeThrough(limit(isStream ? eventSizes() : totalSize(), onTooLarge));
    return new Response(limited, { status, statusText, headers });
  };
}

/** Told each piece, it tells how much is held by then. */
type Held = (piece: Uint8Array) => number;

function limit(held: Held, onTooLarge: (error: AnswerTooLarge) => void) {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (held(piece) <= MOST_BYTES) return controller.enqueue(piece);
      const error = new AnswerTooLarge();
      controller.error(error);
      onTooLarge(error);
    },
  });
}

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
