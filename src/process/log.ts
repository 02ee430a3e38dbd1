import { type Logger, pino } from 'pino';
import type { LogLevel } from '../contract/config.ts';
import { createMasker } from '../secrets/masker.ts';

export type { Logger };

/** JSON lines on stderr: stdout belongs to what commands answer. */
export function createLogger(
  level: LogLevel,
  part: string,
  mask: (text: string) => string = createMasker(process.env).text,
): Logger {
  const redact = ['*.authorization', '*.apiKey', '*.token', '*.password'];
  const hooks = { streamWrite: mask };
  return pino({ level, base: { part, pid: process.pid }, redact, hooks }, pino.destination(2));
}
