import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { homeOf } from '../service.ts';
import { processTerminal } from '../terminal.ts';

const LINES = 20;
const LOOK_EVERY_MS = 300;
/** Of the end of a log; its lines have some hundred bytes. */
const TAIL_BYTES = 256_000;

export interface LogsOptions {
  readonly follow?: boolean;
  readonly lines?: number;
}

/** The last lines of each part's log, marked by its name where there are several. */
export async function logs(part: string | undefined, options: LogsOptions): Promise<ExitCode> {
  const home = homeOf(process.env);
  const known = existsSync(home) ? partsIn(home) : [];
  if (known.length === 0) {
    throw new UsageError(`There are no logs in ${home}.`, 'Start the service: "goalkeeper up".');
  }
  if (part !== undefined && !known.includes(part)) {
    throw new UsageError(`There is no log of "${part}".`, `Name one of ${known.join(', ')}.`);
  }
  const parts = part === undefined ? known : [part];
  const terminal = processTerminal();
  const show = (name: string, lines: readonly string[]) => {
    for (const line of lines) terminal.out(parts.length > 1 ? `${name.padEnd(10)}${line}` : line);
  };
  const ends = new Map<string, number>();
  for (const name of parts) {
    const { text, end } = readFrom(join(home, `${name}.log`), -TAIL_BYTES);
    show(name, wholeLines(text).slice(-(options.lines ?? LINES)));
    ends.set(name, end);
  }
  // Ends by Ctrl-C, or when nobody reads what it writes.
  while (options.follow === true) {
    await sleep(LOOK_EVERY_MS);
    for (const name of parts) {
      const { text, end } = readFrom(join(home, `${name}.log`), ends.get(name) ?? 0);
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      show(name, wholeLines(whole));
      ends.set(name, end - Buffer.byteLength(text.slice(whole.length)));
    }
  }
  return EXIT.complete;
}

const partsIn = (home: string): string[] =>
  readdirSync(home)
    .filter((name) => name.endsWith('.log'))
    .map((name) => name.slice(0, -'.log'.length))
    .sort();

const wholeLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** @param from where to begin; negative = so many bytes before the end. A log that was set aside begins anew. */
function readFrom(path: string, from: number): { text: string; end: number } {
  if (!existsSync(path)) return { text: '', end: 0 };
  const handle = openSync(path, 'r');
  try {
    const { size } = fstatSync(handle);
    const start = from < 0 ? Math.max(0, size + from) : from > size ? 0 : from;
    const buffer = Buffer.alloc(size - start);
    const count = readSync(handle, buffer, 0, buffer.length, start);
    return { text: buffer.subarray(0, count).toString(), end: start + count };
  } finally {
    closeSync(handle);
  }
}
