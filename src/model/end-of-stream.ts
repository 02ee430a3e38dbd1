/** Did the provider say itself that the stream is over? */
export interface StreamEnd {
  isMarked: boolean;
}

/** By the call's own signal, the one thing of it that the clients hand on to `fetch`. */
const watched = new WeakMap<AbortSignal, StreamEnd>();

const MARK = '[DONE]';

/** From now on the stream of the call with this signal is watched for the end mark that the
 * clients throw away. */
export function watchEnd(signal: AbortSignal): StreamEnd {
  const end: StreamEnd = { isMarked: false };
  watched.set(signal, end);
  return end;
}

/**
 * An answer without a finish reason is whole when the provider marked its end, and broken off
 * otherwise; a proxy that loses its upstream closes the body as politely as a finished one.
 */
export const fetchWithEnd: typeof fetch = async (input, init) => {
  const end = init?.signal ? watched.get(init.signal) : undefined;
  const response = await fetch(input, init);
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  if (end === undefined || !isStream || response.body === null) return response;
  return new Response(watchBytes(response.body, end), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};

/** Reads through by hand: a TransformStream costs three streams for each call. */
function watchBytes(
  body: ReadableStream<Uint8Array>,
  end: StreamEnd,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let tail = '';
  const look = (bytes: Uint8Array) => {
    tail = (tail + Buffer.from(bytes.subarray(-32)).toString('latin1')).slice(-40);
    end.isMarked = tail.trimEnd().endsWith(MARK);
  };
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        look(value);
        controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
