import { EnvHttpProxyAgent } from 'undici';
import { ANYWHERE, addressRules } from '../net/addresses.ts';
import { judgedDispatcher } from '../net/dispatcher.ts';
import { fetchThrough } from '../net/fetch.ts';
import { markEnd } from './end-of-stream.ts';

/** `fetch` has no timeouts of its own, because the model call limits silence itself. */
const PATIENT = { headersTimeout: 0, bodyTimeout: 0 } as const;
/** Far above the longest answer with its framing. */
const MOST_BYTES = 64 * 1024 * 1024;
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/**
 * `fetch` for the providers' clients. It goes through the proxy that `HTTPS_PROXY`, `HTTP_PROXY`
 * and `NO_PROXY` name; without one it connects to any address that the operator configures.
 * @param mostBytes the limit of an answer's body, which fails beyond it
 */
export function createFetch(
  environment: NodeJS.ProcessEnv = process.env,
  mostBytes = MOST_BYTES,
): typeof fetch {
  const hasProxy = PROXY_VARIABLES.some((name) => environment[name]);
  const dispatcher = hasProxy
    ? new EnvHttpProxyAgent(PATIENT)
    : judgedDispatcher(addressRules(ANYWHERE), PATIENT);
  return fetchThrough(dispatcher, ({ status, contentType, signal }) => {
    const mark = markEnd(signal, { ok: status < 300, contentType });
    let bytes = 0;
    return (piece) => {
      bytes += piece.length;
      if (bytes > mostBytes) throw new AnswerTooLong(mostBytes);
      mark(piece);
    };
  });
}

/** A class of its own distinguishes this error from a broken connection. */
export class AnswerTooLong extends Error {
  constructor(mostBytes: number) {
    super(`The provider sent more than ${mostBytes} bytes in one answer.`);
    this.name = 'AnswerTooLong';
  }
}
