import { type Dispatcher, request } from 'undici';

const MOST_REDIRECTIONS = 5;
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of these, what isn't read is asked again as it was. */
const KEEPING: ReadonlySet<number> = new Set([307, 308]);
/** Answers with these statuses have no body, and `Response` refuses one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export interface Head {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Called for each answer; what it returns sees the pieces of the body, and the body fails with
 * what that throws.
 */
export type Watch = (head: Head) => (piece: Buffer) => void;

/** The keys among the headers are for the service that the settings name, and so is the trust. */
export class RedirectRefused extends Error {
  constructor(to: string) {
    super(`it redirects to ${to}, which no setting names`);
    this.name = 'RedirectRefused';
  }
}

/**
 * `fetch` over connections of the service's own: half the processor time of the runtime's for a
 * streamed answer. Fails as `fetch` does, since the clients tell errors apart by it. Other bodies
 * than text are not sent, and redirections are followed within the origin only.
 */
export function fetchThrough(dispatcher: Dispatcher, watch: Watch): typeof fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal;
    const answer = await follow(new URL(String(input)), init, { signal, dispatcher });
    const { statusCode: status, statusText, body } = answer;
    const headers = headersOf(answer.headers);
    if (WITHOUT_BODY.has(status)) {
      await body.dump();
      return new Response(null, { status, statusText, headers });
    }
    const contentType = [answer.headers['content-type']].flat()[0];
    const look = watch({ status, contentType, signal });
    return new Response(streamOf(body, look), { status, statusText, headers });
  };
}

interface Sending {
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
}

async function follow(
  url: URL,
  init: RequestInit,
  options: Sending,
  hops = 0,
): Promise<Dispatcher.ResponseData> {
  const answer = await send(url.href, init, options);
  const { statusCode: status } = answer;
  const location = [answer.headers.location].flat()[0];
  if (!REDIRECTIONS.has(status) || location === undefined) return answer;
  await answer.body.dump();
  const to = URL.canParse(location, url.href) ? new URL(location, url.href) : null;
  if (to?.origin !== url.origin || hops === MOST_REDIRECTIONS) {
    throw new TypeError('fetch failed', { cause: new RedirectRefused(to?.href ?? location) });
  }
  const isKept = KEEPING.has(status) || ['GET', 'HEAD'].includes(init.method ?? 'GET');
  const again = isKept ? init : { ...init, method: 'GET', body: null };
  return await follow(to, again, options, hops + 1);
}

async function send(
  url: string,
  { method = 'GET', headers, body }: RequestInit,
  options: Sending,
): Promise<Dispatcher.ResponseData> {
  try {
    return await request(url, {
      ...options,
      method: method as Dispatcher.HttpMethod,
      headers: headers as Iterable<[string, string]>,
      body: typeof body === 'string' ? body : null,
    });
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw new TypeError('fetch failed', { cause: error });
  }
}

/** Read piece by piece by hand: every stage of web streams costs more than all of undici. */
function streamOf(
  body: Dispatcher.ResponseData['body'],
  look: (piece: Buffer) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // A body that is cancelled before it is read would emit an unhandled error.
  body.on('error', () => {});
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        try {
          look(value);
        } catch (error) {
          body.destroy();
          return controller.error(error);
        }
        controller.enqueue(value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

const headersOf = (given: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(given).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
