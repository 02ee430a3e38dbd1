/** Did the provider say itself that the stream is over? */
export interface StreamEnd {
  isMarked: boolean;
}

/** By the call's own signal, the one thing of it that the clients hand on to `fetch`. */
const watched = new WeakMap<AbortSignal, StreamEnd>();

const MARK = '[DONE]';
const TAIL_BYTES = 40;

/**
 * From now on the stream of the call with this signal is watched for the end mark that the
 * clients throw away. An answer without a finish reason is whole when the provider marked its
 * end, and broken off otherwise: a proxy that loses its upstream closes the body as politely as a
 * finished one.
 */
export function watchEnd(signal: AbortSignal): StreamEnd {
  const end: StreamEnd = { isMarked: false };
  watched.set(signal, end);
  return end;
}

/** Takes the pieces of a stream's body in their order. */
export function markEnd(signal: AbortSignal): (piece: Buffer) => void {
  const end = watched.get(signal);
  let tail = '';
  return (piece) => {
    if (end === undefined) return;
    tail = (tail + piece.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES);
    end.isMarked = tail.trimEnd().endsWith(MARK);
  };
}
