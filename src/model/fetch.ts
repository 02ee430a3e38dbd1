import { EnvHttpProxyAgent } from 'undici';
import { ANYWHERE, addressRules } from '../net/addresses.ts';
import { judgedDispatcher } from '../net/dispatcher.ts';
import { fetchThrough } from '../net/fetch.ts';
import { markEnd } from './end-of-stream.ts';

/** Silence is the model call's own to judge, which sees all of it. */
const PATIENT = { headersTimeout: 0, bodyTimeout: 0 } as const;
/** Far above the longest answer with all that travels around it. */
const MOST_BYTES = 64 * 1024 * 1024;
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/**
 * What the providers' clients fetch with. It goes through the proxy that `HTTPS_PROXY`,
 * `HTTP_PROXY` and `NO_PROXY` name; without one it connects to whatever address the operator's
 * settings lead to.
 * @param mostBytes of one answer; its body fails behind them
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

/** Told from a connection that broke. */
export class AnswerTooLong extends Error {
  constructor(mostBytes: number) {
    super(`The provider sent more than ${mostBytes} bytes in one answer.`);
    this.name = 'AnswerTooLong';
  }
}
