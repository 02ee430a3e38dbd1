/** Where a command writes; tests give their own. */
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
  const hasColours = process.stderr.isTTY === true && !process.env.NO_COLOR;
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    paint: hasColours ? colours : plain,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}

const sgr = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const colours: Paint = { dim: sgr(2), good: sgr(32), bad: sgr(31), notable: sgr(33) };

const unchanged = (text: string) => text;
export const plain: Paint = { dim: unchanged, good: unchanged, bad: unchanged, notable: unchanged };

/** Control characters of models, commands and files must not steer the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�');
}

export function oneLine(text: string, length = 100): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}
