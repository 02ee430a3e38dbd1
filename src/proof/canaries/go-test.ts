import { type CanaryKind, type Statement, statementsFor, type TestFile } from './canary.ts';

const T: Readonly<Record<string, string>> = {
  Error: '"x"',
  Errorf: '"%d", 1',
  Fatal: '"x"',
  Fatalf: '"%d", 1',
  Fail: '',
  FailNow: '',
};

const TESTIFY: Readonly<Record<string, string>> = {
  Equal: 't, 1, 2',
  NotEqual: 't, 1, 1',
  True: 't, false',
  False: 't, true',
  Nil: 't, 1',
  NotNil: 't, nil',
  Len: 't, []int{1}, 2',
  Contains: 't, []int{1}, 2',
  ElementsMatch: 't, []int{1}, []int{2}',
};

/** The packages of testify under the names that the file gives them. */
function testifyStatements(text: string): Statement[] {
  const found = text.matchAll(
    /^\s*(?:import\s+)?(\w+)?\s*"github\.com\/stretchr\/testify\/(\w+)"/gm,
  );
  return [...found].flatMap(([, alias, name = '']) => {
    if (name !== 'assert' && name !== 'require') return [];
    return statementsFor(text, TESTIFY, ['Equal', 'True'], (call, values) => [
      `${alias ?? name}.${call}`,
      `${alias ?? name}.${call}(${values})`,
    ]);
  });
}

export const goTest: CanaryKind = {
  runner: 'go test',
  isOwn: ({ path, text }) =>
    path.endsWith('_test.go') &&
    /^\s*(?:import\s+)?"testing"$/m.test(text) &&
    /^func Test/m.test(text),
  plant: (file) => plantGo(file),
};

function plantGo({ id, text }: TestFile) {
  const own = statementsFor(text, T, ['Error', 'Fatal'], (name, values) => [
    `t.${name}`,
    `t.${name}(${values})`,
  ]);
  const statements = [...own, ...testifyStatements(text)];
  const nameOf = (index: number | string) => `Test${id.toUpperCase()}${index}`;
  const write = (name: string, code: string) => `func ${name}(t *testing.T) { ${code} }`;
  const lines = (all: readonly Statement[]) =>
    [
      ...all.map(([, code], index) => write(nameOf(index), code)),
      write(nameOf('Holds'), 't.Log("x")'),
    ].join('\n');
  const clause = /^package \w+/m.exec(text)?.[0] ?? 'package main';
  return {
    text: `${text}\n${lines(statements)}\n`,
    bare: `${clause}\n\nimport "testing"\n\n${lines(own)}\n`,
    mustFail: new Map(statements.map(([name], index) => [nameOf(index), name])),
    mustPass: nameOf('Holds'),
  };
}
