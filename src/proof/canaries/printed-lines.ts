import type { Outcomes } from './canary.ts';

/** Reads names from the lines of tests that passed and of those that failed. */
export const printedLines =
  (passed: RegExp, failed: RegExp) =>
  (output: string): Outcomes => {
    const lines = output.replace(COLOURS, '').split('\n');
    const of = (pattern: RegExp) =>
      lines.flatMap((line) => {
        const name = pattern.exec(line)?.[1];
        return name === undefined ? [] : [name.trim()];
      });
    return { passed: of(passed), failed: of(failed), skipped: [] };
  };

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
