import { describe, expect, it } from 'vitest';
import { onlyAddsTests } from '../../src/proof/added-tests.ts';

const js = `import test from 'node:test';
import assert from 'node:assert/strict';
import { sum } from '../src/sum.js';

test('adds', () => {
  assert.equal(sum(1, 2), 3);
});

describe('more', () => {
  test('negative', () => {
    assert.equal(sum(-1, 1), 0);
  });
});
`;

const python = `from src.sum import add


def test_adds():
    result = add(1, 2)
    assert result == 3


class TestMore:
    def test_negative(self):
        assert add(-1, 1) == 0
`;

const go = `package sum

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("wrong")
	}
}
`;

const jsTest = `test('zero (and more)', () => {
  assert.equal(sum(0, 0), 0);
});
`;

describe('a test file that was only extended', () => {
  it.each([
    ['a test at the end', js, `${js}\n${jsTest}`],
    ['a test between two', js, js.replace("describe('more'", `${jsTest}\ndescribe('more'`)],
    [
      'a test in a suite',
      js,
      js.replace("  test('negative'", `  test('x', () => {});\n  test('negative'`),
    ],
    ['a comment', js, `// Sums.\n${js}`],
    [
      'a parametrised test',
      js,
      `${js}\ntest.each([[1, 2]])('%i', (a, b) => {\n  expect(a).toBe(b);\n});\n`,
    ],
    ['an import of its own', js, `import { product } from '../src/product.js';\n${js}\n${jsTest}`],
    ['a wider import', js, js.replace('{ sum }', '{ product, sum }')],
    [
      'a function at the end',
      python,
      `${python}\n\ndef test_zero():\n    """Nothing."""\n    assert add(0, 0) == 0\n`,
    ],
    ['a method', python, `${python}\n    def test_zero(self):\n        assert add(0, 0) == 0\n`],
    [
      'a parametrised function',
      python,
      `${python}\n\n@pytest.mark.parametrize("a", [1, 2])\ndef test_zero(a):\n    assert add(a, 0) == a\n`,
    ],
    [
      'a Go test',
      go,
      `${go}\nfunc TestZero(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal()\n\t}\n}\n`,
    ],
    ['other line ends', js, js.replaceAll('\n', '\r\n')],
  ])('accepts %s', (_, before, after) => {
    expect(onlyAddsTests(before, after)).toBe(true);
  });

  it.each([
    ['a changed expectation', js, js.replace(', 3)', ', 4)')],
    ['a deleted test', js, js.slice(0, js.indexOf('describe'))],
    ['an early return', js, js.replace('  assert.equal(sum(1', '  return;\n  assert.equal(sum(1')],
    ['an exit at the top', js, `process.exit(0);\n${js}`],
    ['a side effect at the top', js, `assert.equal = () => {};\n${js}`],
    ['a skip marker', js, js.replace("test('adds'", "test.skip('adds'")],
    ['a new test that is the only one', js, `${js}\ntest.only('x', () => {});\n`],
    ['a hook', js, `${js}\nbeforeEach(() => {\n  x();\n});\n`],
    [
      'a hoisted mock in a new test',
      js,
      `${js}\ntest('x', () => {\n  vi.mock('../src/sum.js');\n});\n`,
    ],
    [
      'a block comment around a test',
      js,
      js.replace("test('adds'", "/*\ntest('adds'").replace('});\n\nd', '});\n*/\nd'),
    ],
    [
      'a text around an assertion',
      python,
      python
        .replace('    assert result', '    """\n    assert result')
        .replace('== 3\n', '== 3\n    """\n'),
    ],
    [
      'a test that opens a text',
      js,
      js.replace("describe('more'", "test('x', () => { `\ndescribe('more'"),
    ],
    ['an import in place of a name', python, `${python}\nfrom fake import add\n`],
    ['an import in place of a global', js, `import { expect } from './fake.js';\n${js}`],
    ['a renamed import', js, `import { fake as sum } from './fake.js';\n${js}`],
    ['an import from elsewhere', js, js.replace('../src/sum.js', './fake.js')],
    ['a function of the same name', python, `${python}\n\ndef test_adds():\n    pass\n`],
    [
      'a function that takes over assertions',
      python,
      python.replace('    assert result', 'def test_b():\n    result = 3\n    assert result'),
    ],
    [
      'a decorator on an old test',
      python,
      python.replace('def test_adds', '@pytest.mark.parametrize("a", [])\ndef test_adds'),
    ],
    ['a fixture', python, `${python}\n\n@pytest.fixture(autouse=True)\ndef nothing():\n    pass\n`],
  ])('refuses %s', (_, before, after) => {
    expect(onlyAddsTests(before, after)).toBe(false);
  });
});
