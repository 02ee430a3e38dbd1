import { stripVTControlCharacters } from 'node:util';
import type { Receipt } from '../../../schema/ledger.ts';
import { emptyScreen, printed, rowsOnScreen } from '../../../schema/terminal-rows.ts';
import type { Client } from '../client.ts';
import { oneLine, printable } from '../terminal.ts';

const LAST_LINES = 5;
const MOST_READ = 64_000;

/** By these words test runners of all languages begin the line of a test that failed. */
const FAILED_TEST =
  /^\s*(?:[✗✖×✘]|not ok \d|--- FAIL|FAILED?\b|● |E {2,}|\d+\) |test \S+ \.\.\. FAILED|error(?:\[|:)|\S*Error: )/;
/** Among the lines behind it, these say what was expected and what came. */
const SAYS_WHY = /expect|receiv|actual|assert|error|!==?|[=<>]{2}|left:|right:|panicked/i;
/** The values stand in the lines behind it. */
const ANNOUNCES = /(?::|\|-?)\s*$/;
const LOOKED_AT = 20;
const MORE_AFTER = 2;

/** Why a command failed, from its output: the first test that failed, else the last lines. */
export function whyInOutput(output: string): string[] {
  const lines = textsOf(output).filter((text) => /[\p{L}\p{N}]/u.test(text));
  const first = lines.findIndex((text) => FAILED_TEST.test(text) && !/^\s*0 /.test(text));
  const shown =
    first >= 0 && first < lines.length - LAST_LINES
      ? [lines[first] ?? '', ...behind(lines.slice(first + 1))]
      : lines.slice(-LAST_LINES);
  return shown.map((text) => oneLine(text, 400));
}

/** What a failed test says: up to the next one, the lines that tell why, else those behind it. */
function behind(lines: readonly string[]): string[] {
  const end = lines.findIndex((text) => FAILED_TEST.test(text) && /^\S/.test(text));
  const own = lines.slice(0, Math.min(LOOKED_AT, end < 0 ? LOOKED_AT : end));
  const telling = own
    .filter((text) => SAYS_WHY.test(text) && !ANNOUNCES.test(text))
    .slice(0, MORE_AFTER);
  return telling.length > 0 ? telling : own.slice(0, MORE_AFTER);
}

const textsOf = (output: string): string[] =>
  rowsOnScreen(printed(emptyScreen, output)).map(({ text }) =>
    printable(stripVTControlCharacters(text)),
  );

/** What the ledger has of a call that ended. */
export interface Ended {
  readonly seq: number | null;
  readonly receipt: Receipt | null;
  readonly hasOutput: boolean;
}

/** Asks the ledger for what a failed call printed; what can't be read says nothing. */
export async function whyFailed(client: Client, goalId: string, ended: Ended): Promise<string[]> {
  const { seq, receipt, hasOutput } = ended;
  const { reason, exitCode, outputBytes = 0, ranNothing } = receipt ?? {};
  const told = reason === undefined ? [] : [oneLine(reason, 400)];
  if (ranNothing !== undefined) return [ranNothing];
  if (!hasOutput || seq === null || (exitCode === undefined && told.length > 0)) return told;
  const offset = Math.max(0, outputBytes - MOST_READ);
  const path = `/v1/goals/${goalId}/ledger/${seq}/output?offset=${offset}&limit=${MOST_READ}`;
  const why = whyInOutput(await client.text(path).catch(() => ''));
  return why.length > 0 ? why : told;
}
