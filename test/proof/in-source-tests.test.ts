import { describe, expect, test } from 'vitest';
import { filesThatBendTheirTests } from '../../src/proof/in-source-tests.ts';

const bends = (path: string, before: string | null, now: string | null): boolean =>
  filesThatBendTheirTests([{ path, before, now }]).length > 0;

const PYTHON = `def mean(values):
    """The mean.

    >>> mean([1, 3])
    2.0
    >>> mean([2])
    2.0
    """
    return sum(values) / 2
`;

const RUST = `/// Adds.
///
/// \`\`\`
/// assert_eq!(sums::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 { a - b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3, "a } in a text");
    }
}
`;

const VITEST = `export const add = (a: number, b: number) => a - b;
if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it('adds', () => expect(add(1, 2)).toBe(3));
}
`;

const grown = (more: string): string => VITEST.replace(/}\n$/, `${more}}\n`);

describe('tests inside of source stay as they are', () => {
  test.each([
    ['calc.py', PYTHON, PYTHON.replace('/ 2', '/ len(values)')],
    ['calc.py', PYTHON, PYTHON.replace('    """\n', '    >>> mean([0])\n    0.0\n    """\n')],
    ['calc.py', PYTHON, PYTHON.replaceAll('\n    ', '\n        ')],
    ['lib.rs', RUST, RUST.replace('a - b', 'a + b')],
    [
      'lib.rs',
      RUST,
      RUST.replace(
        '    #[test]',
        '    #[test]\n    fn zero() { assert_eq!(add(0, 0), 0); }\n\n    #[test]',
      ),
    ],
    ['add.ts', VITEST, VITEST.replace('a - b', 'a + b')],
    [
      'add.ts',
      VITEST,
      grown(
        '  it(\'adds (none)\', () => {\n    expect(add(0, 0)).toBe(0);\n  })\n  test("more", f);\n',
      ),
    ],
    ['plain.ts', 'export const a = 1;', 'export const a = 2;'],
    ['new.py', null, PYTHON],
  ])('%s: the work beside them, and more of them', (path, before, now) => {
    expect(bends(path, before, now)).toBe(false);
  });

  test('also where they move to another file', () => {
    const files = [
      { path: 'a.py', before: PYTHON, now: 'from b import mean\n' },
      { path: 'b.py', before: null, now: PYTHON },
    ];
    expect(filesThatBendTheirTests(files)).toEqual([]);
  });
});

describe('a file bends its own tests', () => {
  test.each([
    ['another expected value', 'calc.py', PYTHON, PYTHON.replace('2.0', '3.0')],
    ['an example less', 'calc.py', PYTHON, PYTHON.replace('    >>> mean([2])\n    2.0\n', '')],
    [
      'an example that comes first and shares its names',
      'calc.py',
      PYTHON,
      PYTHON.replace('    >>> mean([1, 3])', '    >>> mean = lambda _: 2.0\n    >>> mean([1, 3])'),
    ],
    [
      'a skipped example',
      'calc.py',
      PYTHON,
      PYTHON.replace('[1, 3])', '[1, 3])  # doctest: +SKIP'),
    ],
    ['its deletion', 'calc.py', PYTHON, null],
    ['another assertion', 'lib.rs', RUST, RUST.replace('add(1, 2), 3, ', 'add(1, 2), -1, ')],
    ['an ignored test', 'lib.rs', RUST, RUST.replace('#[test]', '#[test]\n    #[ignore]')],
    [
      'a test module that no longer is one',
      'lib.rs',
      RUST,
      RUST.replace('cfg(test)', 'cfg(any())'),
    ],
    [
      'a macro between the tests',
      'lib.rs',
      RUST,
      RUST.replace(
        'use super::*;',
        'use super::*;\n    macro_rules! assert_eq { ($($x:tt)*) => {} }',
      ),
    ],
    [
      'documentation that runs nothing',
      'lib.rs',
      RUST,
      RUST.replace('/// ```\n/// assert', '/// ```ignore\n/// assert'),
    ],
    ['an in-source block', 'add.ts', VITEST, VITEST.replace('toBe(3)', 'toBe(-1)')],
    [
      'an in-source test that comes first',
      'add.ts',
      VITEST,
      VITEST.replace("  it('adds'", "  it('zero', () => expect(add(0, 0)).toBe(0));\n  it('adds'"),
    ],
    ['a hook behind the in-source tests', 'add.ts', VITEST, grown('  beforeEach(bend);\n')],
    ['one behind another test', 'add.ts', VITEST, grown("  it('a', f); beforeEach(bend);\n")],
    ['a test that lets no other run', 'add.ts', VITEST, grown("  it.only('a', f);\n")],
    [
      'a hook that a regular expression hides',
      'add.ts',
      VITEST,
      grown("  it('a', () => /'/); beforeEach(bend); it('b', () => /'/);\n"),
    ],
    ['what no bracket closes', 'add.ts', VITEST, grown("  it('a', (\n")],
    [
      'an in-source block that is gone',
      'add.ts',
      VITEST,
      VITEST.replace('import.meta.vitest)', 'false)'),
    ],
  ])('%s', (_, path, before, now) => {
    expect(bends(path, before, now)).toBe(true);
  });
});
