import { expect, test } from 'vitest';
import {
  diagnosticsIn,
  type Parser,
  parseAny,
  parseBiome,
  parseCargo,
  parseCompileall,
  parseEslint,
  parseGo,
  parseMypy,
  parsePyright,
  parseRuff,
  parseTypescript,
} from '../../src/diagnostics/parse.ts';
import { processorMs } from '../support/processor-time.ts';

const RULER = '━'.repeat(40);

/** What the real programs printed, and what it says: path:line:column severity rule message. */
const recorded: Record<string, readonly [Parser, string, readonly string[]]> = {
  'tsc 6': [
    parseTypescript,
    `a.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.
src/b (old).ts(2,41): error TS2339: Property 'nope' does not exist on type 'string'.
  Did you mean 'note'?
`,
    ["a.ts:1:14 error TS2322 Type 'string' is not assignable to type 'number'."],
  ],
  'biome 2.5': [
    parseBiome,
    `a.ts:3:23 lint/suspicious/noDoubleEquals  FIXABLE  ${RULER}

  × Using == may be unsafe if you are relying on type coercion.
  
    1 │ export const a: number = 'x';
  > 3 │ let unused = 1; if (a == 2) { debugger }
      │                       ^^

a.ts:3:31 lint/suspicious/noDebugger  FIXABLE  ${RULER}

  × This is an unexpected use of the debugger statement.
  
Checked 2 files in 20ms. No fixes applied.
Found 2 errors.
lint ${RULER}

  × Some errors were emitted while running checks.
`,
    [
      'a.ts:3:23 error lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion.',
      'a.ts:3:31 error lint/suspicious/noDebugger This is an unexpected use of the debugger statement.',
    ],
  ],
  'eslint 9': [
    parseEslint,
    `
/project/a.js
  1:7   error    'unused' is assigned a value but never used  no-unused-vars
  2:5   warning  'a' is not defined                           no-undef
  2:15  error    Unexpected 'debugger' statement              no-debugger

/project/src/b.js
  1:1  error  Parsing error: The keyword 'let' is reserved

✖ 4 problems (3 errors, 1 warning)
`,
    [
      "a.js:1:7 error no-unused-vars 'unused' is assigned a value but never used",
      "a.js:2:5 warning no-undef 'a' is not defined",
      "a.js:2:15 error no-debugger Unexpected 'debugger' statement",
      "src/b.js:1:1 error - Parsing error: The keyword 'let' is reserved",
    ],
  ],
  ruff: [
    parseRuff,
    `a.py:1:8: F401 [*] \`os\` imported but unused
a.py:3:16: F821 Undefined name \`y\`
b.py:1:7: invalid-syntax: Expected a parameter or the end of the parameter list
Found 5 errors.
[*] 2 fixable with \`--fix\`.
`,
    [
      'a.py:1:8 error F401 [*] `os` imported but unused',
      'a.py:3:16 error F821 Undefined name `y`',
      'b.py:1:7 error invalid-syntax Expected a parameter or the end of the parameter list',
    ],
  ],
  mypy: [
    parseMypy,
    `b.py:1: error: Expected \`)\`, found newline  [syntax]
a.py:3:5: error: Returning Any from function declared to return "str"  [no-any-return]
a.py:3:16: note: a remark is no finding
Found 2 errors in 1 file (errors prevented further checking)
`,
    [
      'b.py:1:null error syntax Expected `)`, found newline',
      'a.py:3:5 error no-any-return Returning Any from function declared to return "str"',
    ],
  ],
  pyright: [
    parsePyright,
    `/project/a.py
  /project/a.py:2:8 - warning: Import "os" is not accessed (reportUnusedImport)
  /project/a.py:3:16 - error: "y" is not defined (reportUndefinedVariable)
1 error, 1 warning, 0 informations
`,
    [
      'a.py:2:8 warning reportUnusedImport Import "os" is not accessed',
      'a.py:3:16 error reportUndefinedVariable "y" is not defined',
    ],
  ],
  'python -m compileall': [
    parseCompileall,
    `*** Error compiling './b.py'...
  File "./b.py", line 1
    def g(:
          ^
SyntaxError: invalid syntax

`,
    ['b.py:1:null error - SyntaxError: invalid syntax'],
  ],
  'go vet': [
    parseGo,
    `# x
# [x]
vet: ./b.go:3:12: undefined: undefinedThing
a.go:6:14: fmt.Printf format %d has arg "x" of wrong type string
`,
    [
      'b.go:3:12 error - undefined: undefinedThing',
      'a.go:6:14 error - fmt.Printf format %d has arg "x" of wrong type string',
    ],
  ],
  'cargo check': [
    parseCargo,
    `src/main.rs:4:20: error[E0425]: cannot find value \`c\` in this scope
src/main.rs:2:18: warning: unused variable: \`b\`
error: could not compile \`x\` (bin "x") due to 2 previous errors
`,
    [
      'src/main.rs:4:20 error E0425 cannot find value `c` in this scope',
      'src/main.rs:2:18 warning - unused variable: `b`',
    ],
  ],
};

test.each(Object.entries(recorded))(
  '%s: each finding has its place',
  (_, [parse, output, says]) => {
    const found = parse(output, '/project').map(
      ({ path, line, column, severity, rule, message }) =>
        `${path}:${line}:${column} ${severity} ${rule ?? '-'} ${message}`,
    );
    expect(found).toEqual(says);
  },
);

test('an endless line of a checker gone wild takes no time, and yields nothing', () => {
  const begun = processorMs();
  for (const [parse] of Object.values(recorded)) {
    expect(parse(`${'a:'.repeat(200_000)}\n${' '.repeat(200_000)}`, '/project')).toEqual([]);
  }
  expect(processorMs() - begun).toBeLessThan(50_000);
});

test('findings are narrowed to the files and folders that were asked for', () => {
  const found = parseGo('a.go:1:1: x\nsub/b.go:1:1: y\nsubway/c.go:1:1: z\n', '/project');
  expect(diagnosticsIn(found, ['./sub/']).map(({ path }) => path)).toEqual(['sub/b.go']);
  expect(diagnosticsIn(found, [])).toHaveLength(3);
});

test.each([
  ['src/a.c:3:7: error: expected ‘;’', ['src/a.c', 3, 7, 'error', 'expected ‘;’', undefined]],
  ['src/a.c:3: fatal error: gone', ['src/a.c', 3, null, 'error', 'gone', undefined]],
  [
    'a.sh:2:1: note: Double quote [SC2086]',
    ['a.sh', 2, 1, 'warning', 'Double quote [SC2086]', undefined],
  ],
  ['  a.cs(12,5): warning CS0168: unused', ['a.cs', 12, 5, 'warning', 'unused', 'CS0168']],
  ['lib/x.ex(4): it broke', ['lib/x.ex', 4, null, 'error', 'it broke', undefined]],
  ['a.rb:1:1: C0114: missing', ['a.rb', 1, 1, 'error', 'missing', 'C0114']],
])(
  'lines of programs that nobody knows: %s',
  (line, [path, at, column, severity, message, rule]) => {
    const [found] = parseAny(`Checking…\n${line}\n1 problem\n`, '/w');
    expect(found).toEqual({ path, line: at, column, severity, message, ...(rule && { rule }) });
  },
);

test('lines of programs that name no place are no findings', () => {
  expect(parseAny('http://a.b: c\n12:30:01 started\nError: oops\nran in 3:4: x\n', '/w')).toEqual(
    [],
  );
});
