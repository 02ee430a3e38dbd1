import { AsyncLocalStorage } from 'node:async_hooks';

/** Did the provider say itself that the stream is over? */
export interface StreamEnd {
  isMarked: boolean;
}

const current = new AsyncLocalStorage<StreamEnd>();

const MARK = '[DONE]';

/** Runs a call whose stream is watched for the end mark that the clients throw away. */
export function watchingEnd<Result>(end: StreamEnd, call: () => Result): Result {
  return current.run(end, call);
}

/**
 * An answer without a finish reason is whole when the provider marked its end, and broken off
 * otherwise; a proxy that loses its upstream closes the body as politely as a finished one.
 */
export const fetchWithEnd: typeof fetch = async (input, init) => {
  const end = current.getStore();
  const response = await fetch(input, init);
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  if (end === undefined || !isStream || response.body === null) return response;
  return new Response(response.body.pipeThrough(markWatcher(end)), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};

function markWatcher(end: StreamEnd): TransformStream<Uint8Array, Uint8Array> {
  let tail = '';
  return new TransformStream({
    transform(bytes, controller) {
      tail = (tail + Buffer.from(bytes.subarray(-32)).toString('latin1')).slice(-40);
      end.isMarked = tail.trimEnd().endsWith(MARK);
      controller.enqueue(bytes);
    },
  });
}
