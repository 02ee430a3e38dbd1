import { expect, test } from 'vitest';
import { heardIn } from '../../../src/evidence/proof/canaries/heard.ts';
import type { CheckRun } from '../../../src/evidence/run-check.ts';
import { reportOfNames } from '../../../src/proof/test-report.ts';

const run = (wasEnded: boolean, failed: readonly string[], cutOff: readonly string[]) =>
  ({
    ...{ wasEnded, exitCode: 0, couldNotRun: false },
    report: reportOfNames('node:test', { passed: [], failed, skipped: [], cutOff }),
  }) as unknown as CheckRun;
const times = new Map([
  ['a.js > adds', 2],
  ['a.js > waits', 1],
]);
const tests = [...times.keys()];

test('PRF-50: of a run that was ended the failures count that were told before', () => {
  const ran = run(
    true,
    ['a.js > adds', 'a.js > adds', 'a.js > waits', 'a.js > old'],
    ['a.js > waits'],
  );
  const heard = heardIn(ran, tests, times);
  expect(heard).toMatchObject({ wasEnded: false, exitCode: null });
  expect(heard?.report?.failed).toEqual(['a.js > adds', 'a.js > adds']);
  expect(heard?.report?.passed).toEqual(['a.js > waits']);
});

test.each([
  ['was not ended', run(false, ['a.js > adds'], [])],
  ['told of no failure', run(true, [], [])],
  ['told of what its end cut off alone', run(true, ['a.js > waits'], ['a.js > waits'])],
  ['told of other tests alone', run(true, ['a.js > old'], [])],
  ['has no report', { ...run(true, [], []), report: null }],
])('PRF-50: a run that %s says nothing more', (_, ran) => {
  expect(heardIn(ran, tests, times)).toBeNull();
});
