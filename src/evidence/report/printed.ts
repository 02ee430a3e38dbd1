import type { TestReport } from '../../contract/test-report.ts';
import {
  CTEST_BEGIN,
  countCtest,
  countSurefire,
  SUREFIRE_TOTAL,
} from '../../proof/build-output.ts';
import { reasonWhyEmpty } from '../../proof/run-output.ts';
import { type Runner, reportOfCounts, reportOfNames } from '../../proof/test-report.ts';

type Counts = { readonly ran: number; readonly skipped: number };

/** Escape sequences of terminals. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Parses the output of runners: counts, or names when each test has a line. A summary that seems
 * to tell of no test is null, unknown, unless the runner says so without a doubt.
 */
export function parsePrinted(output: string): TestReport | null {
  const text = output.replace(COLOURS, '');
  const report = parseCargo(text) ?? parseCounts(text);
  return report?.ran === 0 && reasonWhyEmpty(text) === null ? null : report;
}

function parseCounts(text: string): TestReport | null {
  for (const { runner, count } of COUNTERS) {
    const counts = count(text);
    if (counts !== null) return reportOfCounts(runner, counts);
  }
  return null;
}

export interface PrintedSummary {
  readonly runner: Runner;
  readonly ran: number;
}

/** Every printed summary; the largest first, since some runners run concurrently. */
export function printedSummaries(output: string): PrintedSummary[] {
  const text = output.replace(COLOURS, '');
  const found = COUNTERS.flatMap(({ runner, begins, count }) =>
    partsFrom(text, begins).map((part) => ({ runner, ran: count(part)?.ran ?? 0 })),
  );
  return found.sort((one, other) => other.ran - one.ran);
}

function partsFrom(text: string, begins: RegExp): string[] {
  const starts = [...text.matchAll(begins)].map(({ index }) => index);
  return starts.map((start, number) => text.slice(start, starts[number + 1]));
}

const PYTEST_END =
  /^=*\s*(.*\b(?:\d+ (?:passed|failed|errors?|skipped|x(?:failed|passed)|deselected|warnings?)|no tests ran)) in [\d.]+s\b/gm;

interface Counter {
  readonly runner: Runner;
  /** The first line of a summary. */
  readonly begins: RegExp;
  readonly count: (text: string) => Counts | null;
}

const COUNTERS: readonly Counter[] = [
  { runner: 'node:test', begins: /^[^\S\n]*(?:#|ℹ) tests \d+/gm, count: countNodeTest },
  { runner: 'vitest', begins: /^[^\S\n]*Tests[^\S\n]{2,}.*\(\d+\)\s*$/gm, count: countVitest },
  { runner: 'jest', begins: /^Tests:[^\S\n]+.*\d+ total\s*$/gm, count: countJest },
  { runner: 'mocha', begins: /^[^\S\n]*\d+ passing\b/gm, count: countMocha },
  { runner: 'pytest', begins: PYTEST_END, count: countPytest },
  { runner: 'unittest', begins: /^Ran \d+ tests? in /gm, count: countUnittest },
  { runner: 'Surefire', begins: SUREFIRE_TOTAL, count: countSurefire },
  { runner: 'ctest', begins: CTEST_BEGIN, count: countCtest },
];

/** Names of doc tests hold spaces: `src/lib.rs - add (line 3)`. */
const CARGO_TEST = /^test (\S.*?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/gm;
const CARGO_RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

function parseCargo(text: string): TestReport | null {
  const results = [...text.matchAll(CARGO_RESULT)];
  if (results.length === 0) return null;
  const sum = (at: number) => results.reduce((total, match) => total + Number(match[at]), 0);
  const lines = [...text.matchAll(CARGO_TEST)];
  const of = (result: string) =>
    lines.filter((line) => line[2] === result).map(([, name = '']) => name);
  const names = { passed: of('ok'), failed: of('FAILED'), skipped: of('ignored') };
  const [ran, skipped] = [sum(1) + sum(2), sum(3)];
  // With `--quiet`, or where tests print into these lines, only the sums are whole.
  return lines.length === ran + skipped
    ? reportOfNames('cargo test', names)
    : reportOfCounts('cargo test', { ran, skipped });
}

/** The last number before or behind a word; null where there is none. */
function last(text: string, pattern: RegExp): number | null {
  const found = [...text.matchAll(new RegExp(pattern, 'gm'))].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

function countNodeTest(text: string): Counts | null {
  const total = last(text, /^\s*(?:#|ℹ) tests (\d+)/);
  if (total === null) return null;
  const skipped = last(text, /^\s*(?:#|ℹ) skipped (\d+)/) ?? 0;
  const todo = last(text, /^\s*(?:#|ℹ) todo (\d+)/) ?? 0;
  return { ran: Math.max(0, total - skipped - todo), skipped: skipped + todo };
}

function countVitest(text: string): Counts | null {
  const line = [...text.matchAll(/^\s*Tests\s{2,}(.*\(\d+\))\s*$/gm)].at(-1)?.[1];
  return line === undefined ? null : countWords(line);
}

function countJest(text: string): Counts | null {
  const line = [...text.matchAll(/^Tests:\s+(.*\d+ total)\s*$/gm)].at(-1)?.[1];
  return line === undefined ? null : countWords(line);
}

function countMocha(text: string): Counts | null {
  const passing = last(text, /^\s*(\d+) passing\b/);
  if (passing === null) return null;
  const failing = last(text, /^\s*(\d+) failing\b/) ?? 0;
  return { ran: passing + failing, skipped: last(text, /^\s*(\d+) pending\b/) ?? 0 };
}

function countPytest(text: string): Counts | null {
  const line = [...text.matchAll(PYTEST_END)].at(-1)?.[1];
  return line === undefined ? null : countWords(line);
}

function countUnittest(text: string): Counts | null {
  const total = last(text, /^Ran (\d+) tests? in /);
  if (total === null) return null;
  const skipped = last(text, /^(?:OK|FAILED) \(.*?skipped=(\d+)/) ?? 0;
  return { ran: total - skipped, skipped };
}

/** `2 failed | 3 passed, 1 skipped`. */
function countWords(line: string): Counts {
  const of = (words: string) =>
    [...line.matchAll(new RegExp(`(\\d+) (?:${words})\\b`, 'g'))].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  return {
    ran: of('passed|failed|error|errors|xpassed'),
    skipped: of('skipped|todo|xfailed|pending|deselected'),
  };
}
