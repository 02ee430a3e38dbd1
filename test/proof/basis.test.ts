import { describe, expect, it } from 'vitest';
import {
  type BasisComparison,
  changesOfBasis,
  mergeChanges,
  nameChanges,
  packageSections,
  runnerTables,
} from '../../src/proof/basis.ts';
import {
  lostTests,
  reasonWhyNoPass,
  reportOfCounts,
  reportOfNames,
} from '../../src/proof/test-report.ts';
import { isTestFile } from '../../src/shell/file-kinds.ts';

const basis = (entries: Record<string, string>) => ({ entries, installed: [], report: null });

const compare = (comparison: Partial<BasisComparison>) =>
  changesOfBasis({
    criterionId: 'c1',
    before: basis({}),
    now: basis({}),
    isMet: true,
    textOf: () => null,
    ...comparison,
  }).map(({ name, kind }) => [name, kind]);

const report = (passed: string[], skipped: string[] = [], broken: string[] = []) =>
  reportOfNames('node:test', { passed, failed: [], skipped, broken });

describe('changes of what a check rests on', () => {
  it.each([
    ['package.json#scripts.test', 'a', 'b', 'script'],
    ['package.json#scripts.pretest', undefined, 'b', 'script'],
    ['.npmrc', undefined, 'b', 'configuration'],
    ['~/.npmrc', 'a', 'b', 'configuration'],
    ['conftest.py', undefined, 'b', 'configuration'],
    ['test/conftest.py', undefined, 'b', 'configuration'],
    ['git:hooks/pre-commit', undefined, 'b', 'configuration'],
    ['executable:jest', 'a', 'b', 'executable'],
    ['executable:jest', undefined, 'b', 'executable'],
    ['link:src/a.js', undefined, 'b', 'link'],
    ['link:test/a.test.js', 'a', 'b', 'link'],
    ['scripts/verify.sh', 'a', 'b', 'script'],
    ['bin/check', 'a', undefined, 'script'],
    ['Makefile', 'a', 'b', 'configuration'],
    ['test/a.test.js', 'a', undefined, 'test_deleted'],
    ['test/a.test.js', 'a', 'b', 'test_changed'],
    ['src/__snapshots__/a.snap', 'a', 'b', 'test_changed'],
  ])('R11 %s from %s to %s is a change', (name, before, now, kind) => {
    const of = (value: string | undefined) => basis(value === undefined ? {} : { [name]: value });
    expect(compare({ before: of(before), now: of(now) })).toEqual([[name, kind]]);
  });

  it('lets a link go that led out of the workspace', () => {
    expect(compare({ before: basis({ 'link:src/a.js': 'a' }) })).toEqual([]);
  });

  it('lets test files come, and programs that a package manager installed', () => {
    const now = { ...basis({ 'test/b.test.js': 'b', 'executable:jest': 'c' }) };
    expect(compare({ now: { ...now, installed: ['executable:jest'] } })).toEqual([]);
  });

  it('lets a test file gain tests, as far as its text is known', () => {
    const before = basis({ 'test/a.test.js': 'a' });
    const now = basis({ 'test/a.test.js': 'b' });
    const texts: Record<string, string> = {
      a: "test('x', () => {});\n",
      b: "test('x', () => {});\ntest('y', () => {});\n",
    };
    expect(compare({ before, now, textOf: (sha) => texts[sha] ?? null })).toEqual([]);
    expect(compare({ before, now })).toHaveLength(1);
  });

  it('names a file that can no longer be executed, unless it went altogether', () => {
    const before = basis({ 'tests/a.sh': 'a', 'mode:tests/a.sh': 'x' });
    const plain = { 'tests/a.sh': 'a' };
    expect(compare({ before, now: basis(plain) })).toEqual([['mode:tests/a.sh', 'mode']]);
    expect(compare({ before: basis(plain), now: before })).toEqual([['mode:tests/a.sh', 'mode']]);
    const now = { ...before, installed: ['mode:tests/a.sh'] };
    expect(compare({ before: basis(plain), now })).toEqual([]);
    expect(compare({ before, now: basis({}) })).toEqual([['tests/a.sh', 'test_deleted']]);
    expect(compare({ before: basis({}), now: before })).toEqual([]);
  });

  it('lets no line come into a test of the shell, whose lines are the test', () => {
    const before = basis({ 'tests/a.sh': 'a' });
    const now = basis({ 'tests/a.sh': 'b' });
    const texts: Record<string, string> = { a: 'diff x y\n', b: '# more\ndiff x y\n' };
    const changes = compare({ before, now, textOf: (sha) => texts[sha] ?? null });
    expect(changes).toEqual([['tests/a.sh', 'test_changed']]);
  });

  it('names lost tests only after a run that was met', () => {
    const before = { ...basis({}), report: report(['a > 1', 'a > 2']) };
    const now = { ...basis({}), report: report(['a > 1']) };
    expect(compare({ before, now })).toEqual([['test:a > 2', 'test_gone']]);
    expect(compare({ before, now, isMet: false })).toEqual([]);
  });

  it('leaves out what a person accepted, as it was accepted', () => {
    const change = {
      name: 'a',
      kind: 'script',
      criterionIds: ['c1'],
      before: '1',
      now: '2',
    } as const;
    const gone = { ...change, name: 'b', now: null };
    const all = [change, { ...change, criterionIds: ['c2'] }, gone];
    expect(mergeChanges(all)).toEqual([{ ...change, criterionIds: ['c1', 'c2'] }, gone]);
    expect(mergeChanges(all, { a: '2', b: null })).toEqual([]);
    expect(mergeChanges(all, { a: '3', b: 'x' })).toHaveLength(2);
  });

  it('names few and counts the rest', () => {
    const changes = Array.from({ length: 40 }, (_, index) => ({
      name: `test/${'x'.repeat(500)}${index}`,
      kind: 'test_changed' as const,
      criterionIds: ['c1'],
      before: '1',
      now: '2',
    }));
    const names = nameChanges(changes);
    expect(names.at(-1)).toBe('and 25 more');
    expect(names.join('').length).toBeLessThan(4000);
  });
});

describe('tests by name', () => {
  const unchanged = () => true;
  const changed = () => false;

  it('R11 misses tests that are skipped, gone, or whose file runs none any more', () => {
    const before = report(['a > 1', 'a > 2'], ['a > 3'], ['b']);
    expect(lostTests(before, report(['a > 1', 'c > 9'], ['a > 2']), changed)).toEqual([
      { name: 'a > 2', kind: 'test_skipped' },
      { name: 'b', kind: 'test_gone' },
    ]);
    expect(lostTests(before, null, changed)).toHaveLength(3);
    expect(lostTests(before, report(['a > 1', 'a > 2', 'b > 1']), changed)).toEqual([]);
  });

  it('excuses other names in a file that is unchanged and runs as many tests', () => {
    const before = report(['a > now 1', 'a > x']);
    expect(lostTests(before, report(['a > now 2', 'a > x']), unchanged)).toEqual([]);
    expect(lostTests(before, report(['a > now 2', 'a > x']), changed)).toHaveLength(1);
    expect(lostTests(before, report(['a > x']), unchanged)).toHaveLength(1);
    expect(lostTests(before, report(['a > 1', 'a > 2'], ['a > x']), unchanged)).toEqual([
      { name: 'a > x', kind: 'test_skipped' },
    ]);
  });

  it('compares counts where there are no names', () => {
    const before = reportOfCounts('mocha', { ran: 5, skipped: 0 });
    expect(lostTests(before, reportOfCounts('mocha', { ran: 6, skipped: 0 }), changed)).toEqual([]);
    expect(
      lostTests(before, reportOfCounts('mocha', { ran: 4, skipped: 1 }), changed),
    ).toHaveLength(1);
    expect(lostTests(before, null, changed)).toHaveLength(1);
    expect(lostTests(null, null, changed)).toEqual([]);
  });

  it('C19 a run in which nothing was collected, all was skipped or nothing was said is no pass', () => {
    expect(reasonWhyNoPass(report([]), [])).toBe('node:test ran no test');
    expect(reasonWhyNoPass(report([], ['a', 'b']), [])).toBe('node:test skipped all 2 tests');
    expect(reasonWhyNoPass(null, ['pytest'])).toBe('pytest reported no test at all');
    expect(reasonWhyNoPass(null, [])).toBeNull();
    expect(reasonWhyNoPass(report(['a'], ['b']), ['node:test'])).toBeNull();
  });
});

describe('what of a file a check rests on', () => {
  it('knows tests from configuration', () => {
    for (const path of [
      'test/a.js',
      'src/a.test.ts',
      'a_test.go',
      'pkg/test_a.py',
      '__tests__/x.js',
    ])
      expect(isTestFile(path), path).toBe(true);
    for (const path of [
      'src/a.js',
      'test/conftest.py',
      'executable:test',
      'package.json#scripts.test',
    ])
      expect(isTestFile(path), path).toBe(false);
  });

  it('leaves dependencies out of package.json, pyproject.toml and setup.cfg', () => {
    const manifest = { dependencies: { a: '1' }, jest: { bail: 1 }, type: 'module' };
    expect(Object.keys(packageSections(JSON.stringify(manifest)))).toEqual([
      'package.json#jest',
      'package.json#type',
    ]);
    expect(packageSections('{ no')).toEqual({ 'package.json': '{ no' });
    const project =
      '[project]\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
    expect(runnerTables(project)).toBe('[tool.pytest.ini_options]\naddopts = "-q"');
  });
});
