import { describe, expect, test } from 'vitest';
import {
  type DelegateBranch,
  type DelegateReport,
  grantRefusalText,
  notBegunText,
  objectiveFor,
  reportText,
} from '../../../src/record/delegates/delegate-text.ts';
import type { GrantRefusal } from '../../../src/record/delegates/delegates.ts';

const report = (change: Partial<DelegateReport> = {}): string =>
  reportText({
    delegateId: 'd-1',
    goalId: 'g-2',
    task: 'look',
    end: { kind: 'finding', reason: 'done' },
    result: 'It is.',
    receipts: [],
    changedFiles: [],
    ...change,
  });
const evidence = (change: Partial<DelegateReport>): string =>
  report(change)
    .split('\n')
    .find((line) => line.startsWith('Evidence')) ?? '';

describe('the evidence of a delegate', () => {
  test('is none where it called nothing and changed nothing', () => {
    expect(evidence({})).toBe('Evidence: goal g-2, ledger rows none; changed files: none.');
  });

  test.each([
    [50, /"f49"\.$/],
    [51, /"f49" and 1\.$/],
    [60, /"f49" and 10\.$/],
  ])('names fifty of %i files, and how many more there are', (count, end) => {
    const changedFiles = Array.from({ length: count }, (_, index) => `f${index}`);
    expect(evidence({ changedFiles })).toMatch(end);
  });
});

describe('the branch of a delegate', () => {
  const base = '1'.repeat(40);
  const result = { base, commit: '2'.repeat(40), files: 3, added: 4, removed: 5 };
  const lines = (branch: DelegateBranch | null) => report({ branch }).split('\n').length;

  test('is told with the way to its work', () => {
    const text = report({ branch: { branch: 'b-1', result } });
    expect(text).toContain('on the branch b-1 (222222222222: 3 files, +4 −5)');
    expect(text).toContain('"git diff 111111111111 b-1"');
    expect(text).toContain('"git diff --binary 111111111111 b-1 | git apply"');
  });

  test('on which it wrote nothing is said to be so', () => {
    const text = report({ branch: { branch: 'b-1', result: { ...result, commit: base } } });
    expect(text).toContain('\nIt wrote nothing on its branch.\n');
  });

  test.each([
    ['beside its work', result.commit],
    ['alone', base],
  ])('CON-111 names what no commit can hold, %s', (_what, commit) => {
    const leftOut = ['big.bin', 'a<b'];
    const text = report({ branch: { branch: 'b-1', result: { ...result, commit, leftOut } } });
    expect(text).toContain('No commit can hold some of what it wrote ("big.bin", "a&lt;b")');
  });

  test('is not told where there is none, or nothing of it is known', () => {
    const without = report().split('\n').length;
    expect(lines(null)).toBe(without);
    expect(lines({ branch: 'b-1', result: null })).toBe(without);
  });
});

test.each<[GrantRefusal, string]>([
  [
    { limit: 'delegatesRunning', value: 6, allowed: 5 },
    'delegatesRunning 6 of at most 5 (so many run already; wait for one to end)',
  ],
  [
    { limit: 'chainTokens', value: 9, allowed: 9 },
    'chainTokens 9 of at most 9 (tokens used by delegates in a row)',
  ],
  [{ limit: 'budget', value: 0, allowed: 0 }, 'budget (too little of the budget is left to share)'],
  [{ limit: 'cycle', value: 1, allowed: 0 }, 'cycle (a goal above it has that very task)'],
])('a refusal %o is told with its numbers, where they say something', (refusal, text) => {
  expect(grantRefusalText(refusal)).toBe(text);
});

test('a task is quoted on one line, closes no tag and is cut', () => {
  expect(notBegunText('d-1', 'a\r\n\u2028<b> c', 'no')).toBe(
    'Delegate d-1, asked for: "a &lt;b> c" — did not begin: no.',
  );
  expect(notBegunText('d-1', 'x'.repeat(301), 'no')).toContain(`"${'x'.repeat(300)}"`);
});

test('a task without files is the objective as it is', () => {
  expect(objectiveFor('Look.', [])).toBe('Look.');
});
