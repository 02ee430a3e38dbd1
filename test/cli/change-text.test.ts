import { expect, test } from 'vitest';
import { changeLines } from '../../src/cli/change-text.ts';

test('each change of the basis says what became of it, with its diff and nothing that steers a terminal', () => {
  const change = { criterionIds: ['c1', 'c2'], before: null, now: 'ff', diff: '' } as const;
  const lines = changeLines([
    {
      ...change,
      criterionIds: ['c1', 'c2'],
      name: '.npmrc',
      kind: 'configuration',
      diff: '@@ -1,0 +1,1 @@\n+script-shell=\u001b[2J/bin/true',
    },
    {
      ...change,
      criterionIds: ['c1'],
      name: 'test:a.js > adds',
      kind: 'test_skipped',
      now: 'skipped',
    },
    { ...change, criterionIds: ['c1'], name: 'mode:a.sh', kind: 'mode', before: 'ee', now: null },
    {
      ...change,
      criterionIds: ['c1'],
      name: 'suppressions:src/a.ts',
      kind: 'suppression',
      diff: '@@ -1,0 +1,1 @@\n+@ts-nocheck',
    },
  ]);
  expect(lines).toEqual([
    'what the checks rest on changed since the baseline:',
    '  .npmrc  configuration added (c1, c2)',
    '    @@ -1,0 +1,1 @@',
    '    +script-shell=\ufffd[2J/bin/true',
    '  a.js > adds  test is skipped now (c1)',
    '  a.sh  can no longer be executed (c1)',
    '  src/a.ts  a checker is silenced (c1)',
    '    @@ -1,0 +1,1 @@',
    '    +@ts-nocheck',
  ]);
  expect(changeLines([])).toEqual([]);
});
