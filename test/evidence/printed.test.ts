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
