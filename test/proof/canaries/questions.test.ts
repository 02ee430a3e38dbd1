import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knownWords, withQuestions } from '../../../src/proof/canaries/questions.ts';

const WORD = 'gk0123456789abcdef';

/** The test as it is, and with questions: its exit code and output. */
function askedOf(name: string, text: string, work: string) {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-questions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asking = withQuestions(name, text, WORD);
  writeFileSync(join(folder, name), asking ?? text);
  writeFileSync(join(folder, name.replace('check', 'work')), work);
  const program = name.endsWith('.py') ? 'python3' : process.execPath;
  const { status, stdout, stderr } = spawnSync(program, [name], {
    ...{ cwd: folder, encoding: 'utf8' },
    // As a shell has it.
    env: { ...process.env, PWD: folder },
  });
  const told = new RegExp(`${WORD} (\\S+)`).exec(stdout + stderr)?.[1] ?? null;
  return { isAsked: asking !== null, status, told, lines: asking?.split('\n').length };
}

test.each([
  ['check.py', 'import work\nopen(work.__file__)\nimport datetime\n', ''],
  [
    'check.cjs',
    "const work = require('./work.cjs');\nwork.readFileSync(''); new Date();\n",
    'exports.readFileSync = () => {};',
  ],
])('WORD-24: a process is what it was given: %s', (name, text, work) => {
  expect(askedOf(name, text, work)).toMatchObject({ isAsked: true, status: 0, told: null });
});

test.each([
  ['check.py', 'import work\nopen(work.__file__)\n', 'import os\nos.chdir("/")\n', 'folder'],
  [
    'check.py',
    'import work\nimport datetime\n',
    'import os\nos.environ["TZ"] = "Asia/Tokyo"\n',
    'zone',
  ],
  [
    'check.py',
    'from decimal import Decimal\nimport work\nDecimal(1)\n',
    'import decimal\ndecimal.getcontext().prec = 3\n',
    'Decimal',
  ],
  [
    'check.cjs',
    "const work = require('./work.cjs');\nreadFileSync(\n);",
    "process.chdir('/'); globalThis.readFileSync = () => {};",
    'folder',
  ],
  [
    'check.cjs',
    "const work = require('./work.cjs');\nnew Date();\n",
    "process.env.TZ = 'Asia/Tokyo';",
    'zone',
  ],
  [
    'check.cjs',
    "const work = require('./work.cjs');\nrequire('util').inspect(1);\n",
    "require('util').inspect.defaultOptions.depth = 9;",
    'inspect',
  ],
])(
  'WORD-24: where the work sets what the process shares, it says so: %s %j',
  (name, text, work, told) => {
    expect(askedOf(name, text, work)).toMatchObject({ status: 1, told });
  },
);

test('WORD-6: each question holds in Python itself', () => {
  const text = `import work\n${knownWords.python.map((word) => `f = lambda: ${word}()\n`).join('')}`;
  const { lines, ...asked } = askedOf('check.py', text, '');
  expect(asked).toEqual({ isAsked: true, status: 0, told: null });
  expect(lines).toBe(text.split('\n').length);
});

test.each(['cjs', 'mjs'])('WORD-6: each question holds in JavaScript itself, in .%s', (kind) => {
  const head =
    kind === 'cjs' ? "const work = require('./work.cjs');" : "import * as work from './work.mjs';";
  const text = `${head}\n${knownWords.javascript.map((word) => `() => x.${word}();\n`).join('')}`;
  const asked = askedOf(`check.${kind}`, text, '');
  const isThere = kind === 'cjs' || 'getBuiltinModule' in process;
  if (isThere) expect(asked).toMatchObject({ isAsked: true, status: 0, told: null });
});

test.each([
  ['import builtins\nbuiltins.len = lambda some: 3\n', 'assert len([]) == 3\n', 'len'],
  ['import time\ntime.monotonic = lambda: 0.0\n', 'time.monotonic()\n', 'monotonic'],
  ['import random\nrandom.randint = lambda a, b: 2\n', 'random.randint(1, 9)\n', 'randint'],
  ['import math\nmath.isclose = lambda *a: True\n', 'math.isclose(1, 2)\n', 'isclose'],
  [
    'import builtins\ndef bend():\n    builtins.sorted = list\n',
    'sorted([])\nwork.bend()\n',
    'sorted',
  ],
])('WORD-7: where the work answers, Python says it: %j', (work, text, word) => {
  const asked = askedOf('check.py', `import math, random, time\nimport work\n${text}`, work);
  expect(asked).toMatchObject({ status: 1, told: word });
});

test.each([
  ['performance.now = () => 0;', 'performance.now();', 'performance.now'],
  ['const now = Date.now; Date.now = () => Math.floor(now() / 1000);', 'Date.now();', 'Date.now'],
  [
    'Buffer.compare = () => 0;',
    "Buffer.compare(Buffer.from(''), Buffer.from(''));",
    'Buffer.compare',
  ],
  [
    'exports.bend = () => { Object.is = () => true; };',
    'Object.is(1, 2); work.bend();',
    'Object.is',
  ],
  ['Array.prototype.every = () => true;', '[].every(Boolean);', 'every'],
])('WORD-7: where the work answers, JavaScript says it: %j', (work, text, word) => {
  const asked = askedOf('check.cjs', `const work = require('./work.cjs');\n${text}\n`, work);
  expect(asked).toMatchObject({ status: 1, told: word });
});

test.each([
  [
    'def yes(*a, **k):\n    return None\nimport unittest\nunittest.TestCase.assertIsNone = yes\n',
    'assertIsNone',
  ],
  [
    'import unittest, contextlib\nunittest.TestCase.assertRaises = lambda *a: contextlib.suppress(Exception)\n',
    'assertRaises',
  ],
  ['import unittest\nunittest.TestCase.assertRaises = lambda *a: None\n', 'assertRaises'],
  [
    'import unittest, contextlib\nunittest.TestCase.assertLogs = lambda *a: contextlib.nullcontext()\n',
    'assertLogs',
  ],
  [
    'import unittest, contextlib\nunittest.TestCase.subTest = lambda *a, **k: contextlib.suppress(AssertionError)\n',
    'subTest',
  ],
])(
  'WORD-12: an assertion that the work lets hold whatever it is given says so in Python: %j',
  (work, word) => {
    const asked = askedOf('check.py', `import work\nlambda self: self.${word}()\n`, work);
    expect(asked).toMatchObject({ status: 1, told: word });
  },
);

test.each([
  ["require('node:assert').throws = () => {};", 'throws'],
  ["require('node:assert').strict.throws = () => {};", 'throws'],
  ["require('node:assert').strict.match = () => {};", 'match'],
  ["require('node:assert').notEqual = () => {};", 'notEqual'],
  [
    "const a = require('node:assert'); const e = a.equal; a.equal = (x, y) => y === undefined || e(x, y);",
    'equal',
  ],
  ["require('node:assert').rejects = async () => {};", 'rejects'],
  ['globalThis.expect = () => ({ toThrow() {} });', 'toThrow'],
])(
  'WORD-12: an assertion that the work lets hold whatever it is given says so in JavaScript: %j',
  (work, word) => {
    const text = `const work = require('./work.cjs');\n() => assert.${word}();\n`;
    expect(askedOf('check.cjs', text, work)).toMatchObject({ status: 1, told: word });
  },
);

test.each([
  ['check.py', 'def test():\n    assert work() == 1\n'],
  ['check.py', 'import work\nassert work.it() == 1\n'],
  ['check.cjs', 'assert.equal(work(), 1);\n'],
  ['check.go', 'package a\nimport "time"\n'],
])(
  'WORD-8: %s is asked nothing without a word that is known, or a place for it: %j',
  (name, text) => {
    expect(withQuestions(name, text, WORD)).toBeNull();
  },
);

test('WORD-25: questions in TypeScript are of types that a strict compiler takes, and hold', () => {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-questions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const asks = [...knownWords.javascript, 'readFileSync'].map((word) => `// ${word}()`).join('\n');
  const text = `import assert from 'node:assert';\ndeclare const expect: any;\n// new Date();\n${asks}\nassert(true);\n`;
  const asking = withQuestions('check.test.ts', text, WORD) ?? '';
  expect(asking).toContain("['toBe'");
  writeFileSync(join(folder, 'check.test.ts'), asking);
  const types = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types')];
  const strict = ['--strict', '--noUnusedLocals', '--target', 'es2022', '--module', 'nodenext'];
  const { stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/typescript-7/bin/tsc',
      '--ignoreConfig',
      '--outDir',
      folder,
      ...types,
      ...strict,
    ].concat(join(folder, 'check.test.ts')),
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  const ran = spawnSync(process.execPath, [join(folder, 'check.test.js')], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { ...process.env, PWD: folder },
  });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});
