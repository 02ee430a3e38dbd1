import { expect, test } from 'vitest';
import { parsePrinted } from '../../src/evidence/report/printed.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test('tests of documentation have names with spaces', () => {
  const report = parsePrinted(
    lines(
      'running 0 tests',
      'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
      'test src/lib.rs - add (line 3) ... ok',
      'test src/lib.rs - sub (line 9) - compile ... ok',
      'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
    ),
  );
  expect(report).toMatchObject({
    runner: 'cargo test',
    hasNames: true,
    passed: ['src/lib.rs - add (line 3)', 'src/lib.rs - sub (line 9) - compile'],
  });
});

test('where names of cargo are not whole, its sums count', () => {
  const report = parsePrinted(
    lines('..', 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out'),
  );
  expect(report).toMatchObject({ hasNames: false, ran: 2, total: 3 });
});

test.each([
  ['tape', lines('ok 1 a', '1..1', '# tests 1', '# pass  1'), 1],
  ['an empty runner beside another', lines('# tests 0', '# pass 0', '  2 tests passed'), null],
  ['an empty runner', lines('# tests 0', '# suites 0', '# pass 0', '# fail 0'), 0],
  ['words that nobody knows', lines('      Tests  3 approved (3)'), null],
  ['nothing', '', null],
])('a summary says that nothing ran only without a doubt: %s', (_, output, ran) => {
  expect(parsePrinted(output)?.ran ?? null).toBe(ran);
});

test('tests of ctest count, also one that could not be run', () => {
  const report = parsePrinted(
    lines(
      '1/5 Test #1: ok ...............................   Passed    0.01 sec',
      '2/5 Test  #2: two words .......................***Failed    0.00 sec',
      '3/5 Test #3: gone .............................***Not Run   0.00 sec',
      '4/5 Test #4: later ............................***Skipped   0.00 sec',
      '5/5 Test #5: off ..............................***Not Run (Disabled)   0.00 sec',
      '50% tests passed, 2 tests failed out of 4',
    ),
  );
  expect(report).toMatchObject({
    ...{ runner: 'ctest', hasNames: false, ran: 3, total: 5 },
  });
});

const FAILED = '[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0';

test('totals of Surefire are those of all modules', () => {
  const report = parsePrinted(
    lines(
      '[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in a.B',
      '[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0',
      FAILED,
      '[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 2, Flakes: 1',
    ),
  );
  expect(report).toMatchObject({ runner: 'Surefire', hasNames: false, ran: 4, total: 6 });
});

test('a quiet Maven, which counts only what fails, is unknown', () => {
  expect(parsePrinted(lines(FAILED, '[ERROR] There are test failures.'))).toBeNull();
});
