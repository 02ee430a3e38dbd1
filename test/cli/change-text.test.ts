import { expect, test } from 'vitest';
import { changeLines } from '../../src/cli/change-text.ts';

test('each change beyond the scope says what became of it, with its diff and nothing that steers a terminal', () => {
  const change = { criterionIds: ['c1', 'c2'], before: null, now: 'ff', diff: '' } as const;
  const lines = changeLines([
    {
      ...change,
      criterionIds: ['c1', 'c2'],
      name: '.npmrc',
      kind: 'beyond_scope',
      diff: '@@ -1,0 +1,1 @@\n+script-shell=\u001b[2J/bin/true',
    },
    {
      ...change,
      criterionIds: ['c1'],
      name: 'test:a.js > adds',
      kind: 'test_skipped',
      now: 'skipped',
    },
    {
      ...change,
      criterionIds: ['c1'],
      name: 'a.sh',
      kind: 'beyond_scope',
      before: 'ee',
      now: null,
    },
    {
      ...change,
      criterionIds: ['c1'],
      name: 'node_modules/',
      kind: 'packages',
    },
  ]);
  expect(lines).toEqual([
    'beyond the scope, and the proof needs it:',
    '  .npmrc  added (c1, c2)',
    '    @@ -1,0 +1,1 @@',
    '    +script-shell=\ufffd[2J/bin/true',
    '  a.js > adds  test is skipped now (c1)',
    '  a.sh  removed (c1)',
    '  node_modules/  installed packages changed (c1)',
  ]);
  expect(changeLines([])).toEqual([]);
});
