import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger };

/** JSON lines on stderr: stdout belongs to what commands answer. */
export function createLogger(level: LogLevel, part: string): Logger {
  const redact = ['*.authorization', '*.apiKey', '*.token', '*.password'];
  return pino({ level, base: { part, pid: process.pid }, redact }, pino.destination(2));
}
