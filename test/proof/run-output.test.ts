import { describe, expect, it } from 'vitest';
import { reasonWhyEmpty } from '../../src/proof/run-output.ts';
import { processorMs } from '../support/processor-time.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const nodeSummary = (mark: string, tests: number, pass: number, skipped: number, todo = 0) =>
  lines(
    ...[`tests ${tests}`, 'suites 0', `pass ${pass}`, 'fail 0', 'cancelled 0'],
    ...[`skipped ${skipped}`, `todo ${todo}`, 'duration_ms 3.1'],
  ).replaceAll(/^(?=.)/gm, `${mark} `);
const vitest = (tests: string) =>
  lines(
    '',
    '\u001b[2m Test Files \u001b[22m \u001b[33m1 skipped\u001b[39m\u001b[90m (1)\u001b[39m',
    tests,
  );

describe('output of a test run that exited zero', () => {
  it.each([
    ['node:test, nothing, TAP', `TAP version 13\n1..0\n${nodeSummary('#', 0, 0, 0)}`, 'no tests'],
    ['TAP, an empty plan', lines('TAP version 13', '1..0', '# tests 0', '# pass  0'), 'no tests'],
    ['node:test, all skipped, TAP', nodeSummary('#', 2, 0, 2), 'skipped all of its 2'],
    ['node:test, all skipped or to do', nodeSummary('ℹ', 2, 0, 1, 1), 'skipped all of its 2'],
    ['Vitest, nothing', lines('', 'No test files found, exiting with code 0'), 'no tests'],
    [
      'Vitest, all skipped, in colour',
      vitest(
        '\u001b[2m      Tests \u001b[22m \u001b[33m1 skipped\u001b[39m\u001b[2m | \u001b[22m\u001b[33m1 todo\u001b[39m\u001b[90m (2)\u001b[39m',
      ),
      'skipped all of its 2',
    ],
    ['Jest, nothing', lines('No tests found, exiting with code 0'), 'no tests'],
    [
      'Jest, all skipped',
      lines('Test Suites: 1 skipped, 0 of 1 total', 'Tests:       2 skipped, 2 total'),
      'Jest skipped',
    ],
    ['Mocha, nothing', lines('', '', '  0 passing (1ms)', ''), 'no tests'],
    ['Mocha, all pending', lines('  0 passing (1ms)', '  2 pending'), 'skipped all of its 2'],
    [
      'pytest, all skipped',
      lines(
        'collected 1 item',
        '',
        'test_a.py s   [100%]',
        '',
        '======= 1 skipped in 0.00s =======',
      ),
      'pytest skipped',
    ],
    ['pytest -q, all skipped', lines('s    [100%]', '1 skipped in 0.00s'), 'pytest skipped'],
    [
      'pytest, nothing',
      lines('collected 0 items', '', '====== no tests ran in 0.01s ======'),
      'no tests',
    ],
    ['pytest, all deselected', lines('2 deselected in 0.00s'), 'skipped all of its 2'],
    ['unittest, nothing', lines('', '-----', 'Ran 0 tests in 0.000s', '', 'OK'), 'no tests'],
    [
      'unittest, all skipped',
      lines('s', 'Ran 1 test in 0.000s', '', 'OK (skipped=1)'),
      'skipped all of its 1',
    ],
    [
      'go test, no files',
      lines('?   \tx\t[no test files]', '?   \tx/sub\t[no test files]'),
      'no tests',
    ],
    [
      'go test, none matched',
      lines('testing: warning: no tests to run', 'PASS', 'ok  \tx\t0.002s [no tests to run]'),
      'no tests',
    ],
    [
      'go test -v, all skipped',
      lines('=== RUN   TestA', '--- SKIP: TestA (0.00s)', 'PASS', 'ok  \tx\t0.002s'),
      'go test skipped',
    ],
    [
      'cargo test, nothing',
      lines(
        'running 0 tests',
        '',
        'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
      ),
      'no tests',
    ],
    [
      'cargo test, all ignored',
      lines(
        'test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.00s',
      ),
      'skipped all of its 3',
    ],
    ['ctest, nothing', lines('Test project /x/build', 'No tests were found!!!'), 'no tests'],
    [
      'ctest, all skipped or disabled',
      lines(
        '1/2 Test #4: skipped ..........................***Skipped   0.00 sec',
        '2/2 Test #5: off ..............................***Not Run (Disabled)   0.00 sec',
        '',
        '100% tests passed, 0 tests failed out of 1',
      ),
      'ctest skipped all of its 2',
    ],
    [
      'Surefire, all skipped, in two modules',
      lines(
        '[WARNING] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2',
        '[WARNING] Tests run: 1, Failures: 0, Errors: 0, Skipped: 1',
        '[INFO] BUILD SUCCESS',
      ),
      'Surefire skipped all of its 3',
    ],
  ])('says why it proves nothing: %s', (_, output, words) => {
    expect(reasonWhyEmpty(output)).toContain(words);
  });

  it.each([
    ['node:test', nodeSummary('#', 2, 1, 1)],
    ['node:test, its own report', nodeSummary('ℹ', 1, 1, 0)],
    ['Vitest', vitest('      Tests  1 passed | 1 skipped (2)')],
    ['Jest', lines('Tests:       1 skipped, 3 passed, 4 total')],
    ['Mocha', lines('  3 passing (5ms)', '  1 pending')],
    ['pytest', lines('====== 1 passed, 1 skipped in 0.01s ======')],
    ['pytest -q', lines('s.   [100%]', '1 passed, 1 skipped in 0.01s')],
    ['unittest', lines('Ran 3 tests in 0.001s', '', 'OK (skipped=1)')],
    ['go test', lines('ok  \tx\t0.004s', '?   \tx/sub\t[no test files]')],
    ['go test, cached', lines('ok  \tx\t(cached)')],
    [
      'cargo test, of two targets one empty',
      lines(
        'test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured',
        'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured',
      ),
    ],
    ['packages of which one has no tests', nodeSummary('#', 0, 0, 0) + nodeSummary('#', 3, 3, 0)],
    ['two runners of which one found none', nodeSummary('#', 0, 0, 0) + lines('1 passed in 0.01s')],
    ['a build', lines('built in 1.2s', '0 errors, 0 warnings')],
    ['TAP of another runner', lines('ok 1 - works', '1..1')],
    ['nothing', ''],
    [
      'tape, whose numbers stand behind two spaces',
      lines('TAP version 13', '# a', 'ok 1 a', '', '1..153', '# tests 153', '# pass  153', '# ok'),
    ],
    ['a summary like that of node:test', lines('# tests 3', '# pass  2', '# skip  1')],
    ['a line like that of Vitest', lines('      Tests  3 approved (3)')],
    ['pytest, unexpectedly passed', lines('====== 2 xpassed in 0.01s ======')],
    ['ava beside an empty runner', nodeSummary('#', 0, 0, 0) + lines('', '  2 tests passed')],
    [
      'cargo test, of documentation only',
      lines(
        'running 0 tests',
        'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
        '   Doc-tests sums',
        'test src/lib.rs - add (line 3) ... ok',
        'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
      ),
    ],
    [
      'cargo bench',
      lines('test result: ok. 0 passed; 0 failed; 0 ignored; 2 measured; 0 filtered out'),
    ],
    ['ctest', lines('1/1 Test #1: run ...............   Passed    0.01 sec')],
    [
      'Maven, one of whose modules has no tests',
      lines(
        '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in a.B',
        '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0',
        '[INFO] No tests to run.',
      ),
    ],
    ['a package of Maven without tests', lines('[INFO] No tests to run.', '[INFO] BUILD SUCCESS')],
    ['a package of Maven that leaves them out', lines('[INFO] Tests are skipped.')],
    ['a build of Gradle without tests', lines('> Task :test NO-SOURCE', 'BUILD SUCCESSFUL in 1s')],
  ])('finds nothing wrong: %s', (_, output) => {
    expect(reasonWhyEmpty(output)).toBeNull();
  });

  it('stays quick on a large output', () => {
    const output = `${' '.repeat(200)}\n1 x\n`.repeat(20_000);
    const begun = processorMs();
    expect(reasonWhyEmpty(output)).toBeNull();
    expect(processorMs() - begun).toBeLessThan(20_000);
  });
});
