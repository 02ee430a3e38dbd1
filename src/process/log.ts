import { type Logger, pino } from 'pino';
import type { LogLevel } from '../contract/config.ts';
import { createMasker } from '../secrets/masker.ts';

export type { Logger };

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly host?: string;
  readonly ip?: string;
}

/** A query may hold what lets somebody in: a link that decides, or the code of a sign-in. */
export const serializers = {
  req: ({ method, url, host, ip }: LoggedRequest) => ({
    ...{ method, url: url.split('?', 1)[0], host, remoteAddress: ip },
  }),
};

/** JSON lines on stderr: stdout belongs to what commands answer. */
export function createLogger(
  level: LogLevel,
  part: string,
  mask: (text: string) => string = createMasker(process.env).text,
): Logger {
  const redact = ['*.authorization', '*.apiKey', '*.token', '*.password'];
  const hooks = { streamWrite: mask };
  const base = { part, pid: process.pid };
  return pino({ level, base, redact, hooks, serializers }, pino.destination(2));
}
