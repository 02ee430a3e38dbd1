/** Tells whether the provider itself marked the end of the stream. */
export interface StreamEnd {
  isMarked: boolean;
  /** The content type of a successful answer that is no event stream. */
  contentType: string | null;
}

/** Keyed by the call's signal, the only part of a call that the clients pass to `fetch`. */
const watched = new WeakMap<AbortSignal, StreamEnd>();

const MARK = '[DONE]';
const TAIL_BYTES = 40;

/**
 * Watches the stream of the call with this signal for the end mark, which the clients drop. An
 * answer without a finish reason is whole if the provider marked its end, and broken off
 * otherwise: a proxy that loses its upstream closes the body as cleanly as a finished one.
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
