import { createColors } from 'picocolors';
import stringWidth from 'string-width';

/** The streams that a command writes to; tests give their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly paint: Paint;
  readonly isInteractive: boolean;
}

export interface Paint {
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly notable: (text: string) => string;
}

export function processTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    paint: paintIn(hasColours(process.env, process.stderr.isTTY === true)),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}

/** Follows https://no-color.org and https://force-color.org; NO_COLOR wins over FORCE_COLOR. */
export function hasColours(environment: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

export function paintIn(isColoured: boolean): Paint {
  const { dim, green, red, yellow } = createColors(isColoured);
  return { dim, good: green, bad: red, notable: yellow };
}

export const plain = paintIn(false);

/** Control characters of models, commands and files must not steer the terminal or its reader. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Control}\p{Bidi_Control}]/gu, '�');
}

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
