import { expect, test } from 'vitest';
import type { CheckResult } from '../../schema/check-result.ts';
import { checkText, runLine } from '../../src/cli/check-text.ts';

const result = (diff: string): CheckResult =>
  ({
    ...{ status: 'asks', summary: 'asks', wayOut: null, head: null, terms: null },
    base: { commit: 'a'.repeat(40), why: 'the base' },
    scope: { change: ['src/**'], setBy: 'caller' },
    ...{ criteria: [], proof: null, accepted: [], beyondScope: [], notices: [], bundle: null },
    questions: [
      { name: 'test/a.test.js', why: 'beyond the scope', diff, accept: 'test/a.test.js' },
    ],
    ...{ isolation: null, runs: 1, durationMs: 1 },
  }) as unknown as CheckResult;

const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `+line ${at}`);

test.each([
  ['none', lines(60), null],
  ['what the terminal leaves out', lines(75), 15],
  ['that and what was cut before', [...lines(200), '… 3816 more lines'], 140 + 3816],
])('CHK-16 a question says how many lines of its change are not shown: %s', (_, shown, rest) => {
  const said = / … (\d+) more lines/.exec(checkText(result(shown.join('\n'))))?.[1];
  expect(said === undefined ? null : Number(said)).toBe(rest);
});

test.each([
  ['failed', null],
  ['timed out after 600 s', 'timed out after 600 s'],
])('CHK-18 a run that did not end by itself says why: %s', (shown, whyEnded) => {
  const run = { criterionId: 'c1', command: 'npm test', on: 'the base', isMet: false };
  const line = runLine({ ...run, whyEnded, durationMs: 600_200 });
  expect(line).toBe(`  c1 on the base: ${shown} (600.2 s)  npm test`);
});
