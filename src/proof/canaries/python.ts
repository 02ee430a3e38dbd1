import { type Planting, type Statement, statementsFor, type TestFile } from './canary.ts';

const UNITTEST: Readonly<Record<string, string>> = {
  assertEqual: '1, 2',
  assertNotEqual: '1, 1',
  assertTrue: 'False',
  assertFalse: 'True',
  assertIs: '1, None',
  assertIsNone: '1',
  assertIsNotNone: 'None',
  assertIn: '1, [2]',
  assertNotIn: '1, [1]',
  assertIsInstance: '1, str',
  assertGreater: '1, 2',
  assertLess: '2, 1',
  assertAlmostEqual: '1, 2',
  assertDictEqual: '{1: 1}, {1: 2}',
  assertListEqual: '[1], [2]',
  assertCountEqual: '[1], [2]',
  assertRaises: 'ValueError, lambda: None',
  assertRegex: '"a", "b"',
};

const PLAIN: readonly Statement[] = [
  ['assert ==', 'assert 1 == 2'],
  ['assert of a list', 'assert [1] == [2]'],
  ['assert', 'assert not object()'],
  ['raise', 'raise AssertionError("x")'],
];

export const isPython = (path: string): boolean => path.endsWith('.py');

export const usesUnittest = (text: string): boolean =>
  /\bunittest\b|\bself\.assert[A-Z]\w*\(/.test(text);

/** Functions for pytest, and methods where the file has classes of unittest. */
export function plantPython(file: TestFile, hasFunctions: boolean): Planting {
  const { id, text } = file;
  const statements = hasFunctions ? [...PLAIN, ...pytestStatements(text)] : [];
  const methods = usesUnittest(text)
    ? [
        ...statementsFor(text, UNITTEST, ['assertEqual', 'assertTrue'], (name, values) => [
          `self.${name}`,
          `self.${name}(${values})`,
        ]),
        ...(hasFunctions ? [] : PLAIN),
      ]
    : [];
  const all = [...statements, ...methods];
  const names = all.map((_, index) => `test_${id}_${index}`);
  const mustPass = `test_${id}_holds`;
  const lines = statements.flatMap(([, code], index) => [
    `def ${names[index]}():`,
    ...(/\bpytest\./.test(code) ? ['    import pytest'] : []),
    `    ${code}`,
    '',
  ]);
  if (hasFunctions) lines.push(`def ${mustPass}():`, '    assert 1 == 1', '');
  if (methods.length > 0) {
    lines.push(`import unittest as u${id}`, `class Test${id}(u${id}.TestCase):`);
    for (const [index, [, code]] of methods.entries())
      lines.push(`    def ${names[statements.length + index]}(self):`, `        ${code}`);
    if (!hasFunctions) lines.push(`    def ${mustPass}(self):`, '        self.assertEqual(1, 1)');
  }
  const block = `\n\n${lines.join('\n')}\n\n`;
  // What a file does when it is started may never return.
  const main = text.search(/^if __name__\s*==/m);
  const at = main < 0 ? text.length : main;
  return {
    text: `${text.slice(0, at)}${block}${text.slice(at)}`,
    bare: `import unittest\n${block}${text.slice(at)}`,
    mustFail: new Map(names.map((name, index) => [name, all[index]?.[0] ?? ''])),
    mustPass,
  };
}

function pytestStatements(text: string): Statement[] {
  if (!/\bpytest\b/.test(text)) return [];
  return [
    ['pytest.raises', 'pytest.raises(ValueError, lambda: None)'],
    ['pytest.fail', 'pytest.fail("x")'],
    ['pytest.approx', 'assert 1.0 == pytest.approx(2.0)'],
  ];
}
