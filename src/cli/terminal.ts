import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../record/foreign-text.ts';

export { printable };

/** The streams that a command writes to; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly paint: Paint;
  readonly isInteractive: boolean;
  /** Lines at its foot can be drawn anew. */
  readonly hasScreen?: boolean;
}

/** Colours by what they mean; signs and words say the same without them. */
export interface Paint {
  readonly dim: (text: string) => string;
  /** Proved, or in order. */
  readonly good: (text: string) => string;
  /** Failed, refused, broken. */
  readonly bad: (text: string) => string;
  /** What a person should notice. */
  readonly notable: (text: string) => string;
  /** Waits for the person at this terminal, and nothing else. */
  readonly you: (text: string) => string;
  /** Older than what it speaks of, or near a limit. */
  readonly stale: (text: string) => string;
  /** What runs now, and ids. */
  readonly acting: (text: string) => string;
  readonly added: (text: string) => string;
  readonly removed: (text: string) => string;
}

export type ColourChoice = 'always' | 'never' | 'auto';

/** What flags of the command line say of the terminal, whatever the command. */
export interface TerminalFlags {
  readonly color?: ColourChoice;
  readonly ascii?: boolean;
}

let flags: TerminalFlags = {};

/** Said once, before any command runs. */
export function setTerminalFlags(given: TerminalFlags): void {
  flags = given;
}

export function processTerminal(): Terminal {
  const isColoured = hasColours(process.env, process.stderr.isTTY === true, flags.color);
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    paint: paintIn(isColoured, hasManyColours(process.env)),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    hasScreen: process.stderr.isTTY === true,
  };
}

/** For a table that goes to stdout, which may be a file while stderr is a terminal. */
export const paintOfResults = (): Paint =>
  paintIn(
    hasColours(process.env, process.stdout.isTTY === true, flags.color),
    hasManyColours(process.env),
  );

/**
 * Follows https://no-color.org and https://force-color.org. NO_COLOR wins over the flag, and the
 * flag over FORCE_COLOR.
 */
export function hasColours(
  environment: NodeJS.ProcessEnv,
  isTerminal: boolean,
  choice: ColourChoice = 'auto',
): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (choice !== 'auto') return choice === 'always';
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

const hasManyColours = ({ TERM = '', COLORTERM = '' }: NodeJS.ProcessEnv): boolean =>
  COLORTERM !== '' || TERM.includes('256');

/** Can the terminal show signs beyond ASCII? Where nothing tells, it can. */
export function isAscii(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (flags.ascii === true) return true;
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return locale === 'C' || locale === 'POSIX';
}

export function paintIn(isColoured: boolean, hasMany = false): Paint {
  const { dim, green, red, yellow, bold, blue, cyan, magenta } = createColors(isColoured);
  const orange = (text: string) => `\u001b[38;5;208m${text}\u001b[39m`;
  return {
    ...{ dim, good: green, bad: red, notable: yellow, acting: blue, added: cyan },
    removed: magenta,
    you: (text) => bold(yellow(text)),
    stale: isColoured && hasMany ? orange : yellow,
  };
}

export const plain = paintIn(false);

export function oneLine(text: string, length = 100): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Columns as wide as their widest cell, as a terminal shows it. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  const padded = (cell: string, column: number) =>
    cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}
