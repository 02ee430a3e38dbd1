import { Agent, type Dispatcher, EnvHttpProxyAgent, interceptors, request } from 'undici';
import { markEnd } from './end-of-stream.ts';

/** Silence is the model call's own to judge, which sees all of it. */
const PATIENT = { headersTimeout: 0, bodyTimeout: 0 } as const;
/** Far above the longest answer with all that travels around it. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_REDIRECTIONS = 5;
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/**
 * What the providers' clients fetch with: half the processor time of the runtime's own `fetch`
 * for a streamed answer, and it goes through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` name. Fails as `fetch` does, since the clients tell errors apart by it.
 * Other bodies than text are not sent.
 * @param mostBytes of one answer; its body fails behind them
 */
export function createFetch(
  environment: NodeJS.ProcessEnv = process.env,
  mostBytes = MOST_BYTES,
): typeof fetch {
  const hasProxy = PROXY_VARIABLES.some((name) => environment[name]);
  const agent = hasProxy ? new EnvHttpProxyAgent(PATIENT) : new Agent(PATIENT);
  const redirect = interceptors.redirect({ maxRedirections: MOST_REDIRECTIONS });
  const dispatcher = agent.compose(redirect);
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal;
    const answer = await send(String(input), init, { signal, dispatcher });
    const { statusCode: status, statusText, body } = answer;
    const headers = headersOf(answer.headers);
    const contentType = [answer.headers['content-type']].flat()[0];
    const look = markEnd(signal, { ok: status < 300, contentType });
    return new Response(streamOf(body, look, mostBytes), { status, statusText, headers });
  };
}

async function send(
  url: string,
  { method = 'GET', headers, body }: RequestInit,
  options: { readonly signal: AbortSignal; readonly dispatcher: Dispatcher },
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
  mostBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = body[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        bytes += value.length;
        if (bytes > mostBytes) {
          body.destroy();
          return controller.error(new AnswerTooLong(mostBytes));
        }
        look(value);
        controller.enqueue(value);
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** Told from a connection that broke. */
export class AnswerTooLong extends Error {
  constructor(mostBytes: number) {
    super(`The provider sent more than ${mostBytes} bytes in one answer.`);
    this.name = 'AnswerTooLong';
  }
}

const headersOf = (given: Dispatcher.ResponseData['headers']): [string, string][] =>
  Object.entries(given).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
