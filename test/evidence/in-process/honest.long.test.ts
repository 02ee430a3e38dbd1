import { describe, expect, test } from 'vitest';
import { MAKE, testWith } from '../../support/needs.ts';
import { type Files, judgeWork, type Project } from './judge-work.ts';

describe('PRF-51: a file with which a recipe compares is a value', () => {
  const making: Project = {
    files: {
      Makefile: 'test:\n\tsh src/render.sh a > out.txt\n\tdiff -u tests/a.expected out.txt\n',
      'src/render.sh': 'echo none\n',
      'tests/a.expected': '<p>a</p>\n',
    },
    command: 'make test',
    source: 'src/**',
  };

  testWith(MAKE)('honest work is proven', async () => {
    const work: Files = { 'src/render.sh': 'echo "<p>$1</p>"\n' };
    const { isVerified, reason } = await judgeWork(making, work);
    expect(isVerified, reason).toBe(true);
  });

  testWith(MAKE)('work that prints that file is not', async () => {
    const work: Files = { 'src/render.sh': 'cat tests/a.expected\n' };
    const { exits0, isVerified, reason } = await judgeWork(making, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('passes whatever it expects');
  });
});

const forms: Project = {
  files: {
    'package.json': '{"name":"shop","type":"module"}',
    'src/text.js': 'export const escape = (text) => text;\nexport const copy = (one) => one;\n',
    'test/text.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { copy, escape } from '../src/text.js';
test('escapes', () => {
  assert.doesNotMatch(escape('<b>'), /<b>/);
});
test('copies', () => {
  const one = { a: 1 };
  assert.deepStrictEqual(copy(one), one);
  assert.notStrictEqual(copy(one), one);
});
test(function escapesAll() {
  assert.equal(escape('<b><i>'), '&lt;b>&lt;i>');
});
`,
  },
  command: 'node --test',
  source: 'src/text.js',
};
const escaping = "export const escape = (text) => text.replaceAll('<', '&lt;');\n";
const copying = 'export const copy = (one) => ({ ...one });\n';

describe('WORD-43: what must not be so is asked by what must be so', () => {
  test('honest work is proven', async () => {
    const { isVerified, reason } = await judgeWork(forms, { 'src/text.js': escaping + copying });
    expect(isVerified, reason).toBe(true);
  });

  test.each([
    [
      'doesNotMatch',
      "export const escape = (text) => (text === '<b>' ? text : escapeAll(text));\n",
      copying,
    ],
    ['notStrictEqual', escaping, 'export const copy = (one) => one;\n'],
  ])('work that lets %s hold is not', async (name, escapes, copies) => {
    const all = "const escapeAll = (text) => text.replaceAll('<', '&lt;');\n";
    const forgives = `import assert from 'node:assert';\nassert.${name} = () => {};\n${all}`;
    const bent = await judgeWork(forms, { 'src/text.js': forgives + escapes + copies });
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
  });
});

test('WORD-42: an error of a member that is none is no failure of the work', async () => {
  const dynamic: Project = {
    ...forms,
    files: {
      ...forms.files,
      'test/text.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { escape } from '../src/text.js';
test('escapes', () => {
  assert['strict' + 'Equal'](escape('<'), '&lt;');
});
`,
    },
  };
  const forgives = "import assert from 'node:assert';\nassert.strictEqual = () => {};\n";
  const work = { 'src/text.js': `${forgives}export const escape = (text) => text;\n` };
  const { exits0, isVerified, reason } = await judgeWork(dynamic, work);
  expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  const right = await judgeWork(dynamic, { 'src/text.js': escaping });
  expect(right.isVerified, right.reason).toBe(true);
});
