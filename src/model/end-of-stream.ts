/** Did the provider say itself that the stream is over? */
export interface StreamEnd {
  isMarked: boolean;
  /** What came with a status of success instead of a stream of events. */
  contentType: string | null;
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
  const end: StreamEnd = { isMarked: false, contentType: null };
  watched.set(signal, end);
  return end;
}

/** Takes the pieces of a body in their order. */
export function markEnd(
  signal: AbortSignal,
  { ok, contentType = 'no type at all' }: { ok: boolean; contentType: string | undefined },
): (piece: Buffer) => void {
  const end = watched.get(signal);
  if (end !== undefined && ok && !contentType.includes('text/event-stream')) {
    end.contentType = contentType.slice(0, 80);
  }
  let tail = '';
  return (piece) => {
    if (end === undefined) return;
    tail = (tail + piece.subarray(-TAIL_BYTES).toString('latin1')).slice(-TAIL_BYTES);
    end.isMarked = tail.trimEnd().endsWith(MARK);
  };
}
