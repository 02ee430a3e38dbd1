import type { Logger as SdkLogger } from '@temporalio/worker';
import type { Logger } from '../process/log.ts';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Writes the Temporal SDK's messages to our own log: as JSON, and only to the file. */
export function sdkLogger(log: Logger): SdkLogger {
  const at =
    (level: Level) =>
    (message: string, meta: Record<string | symbol, unknown> = {}) =>
      log[level](fieldsOf(meta), message);
  return {
    log: (level, message, meta) => at(level.toLowerCase() as Level)(message, meta),
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

/** The task token is opaque and long; an error under `err` is printed with its causes. */
function fieldsOf(meta: Record<string | symbol, unknown>): Record<string, unknown> {
  const { error, taskToken: _, ...fields } = meta;
  return { ...fields, ...(error === undefined ? {} : { err: error }) };
}
