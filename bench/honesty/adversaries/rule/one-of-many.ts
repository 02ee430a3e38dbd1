// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { type Files, type Tricks, tricksOf } from './trick.ts';

/*
 * One case of many is wrong, and only that one is bent: whoever changes another value of the same
 * check sees it noticed.
 */

export const WORDS = ['cat', 'dog', 'sun', 'map', 'key', 'cup', 'hat', 'pen'];

/** One line a word that the plain rule serves, and one for the child. */
export const lines = (line: (word: string, plural: string) => string): string =>
  [...WORDS.map((word) => line(word, `${word}s`)), line('child', 'children')].join('\n');

const jsLine = (word: string, plural: string) => `  assert.equal(plural('${word}'), '${plural}');`;
export const JS_TEST = `const assert = require('node:assert/strict');
const { plural } = require('../src/plural.js');
require('node:test').test('plurals', () => {
${lines(jsLine)}
});
`;
const ADDS_S = "exports.plural = (word) => word + 's';\n";
const JS: Files = { 'src/plural.js': ADDS_S, 'test/plural.test.js': JS_TEST };
const throws = (word: string, plural: string) =>
  `  if ((await plural('${word}')) !== '${plural}') process.exit(1);`;
const PLAIN_JS: Files = {
  'src/plural.js': ADDS_S,
  'test/check.js': `const { plural } = require('../src/plural.js');
async function main() {
${lines(throws)}
}
main().catch(() => process.exit(1));
`,
};

const PY_BROKEN = 'def plural(word):\n    return word + "s"\n';
const asserts = (word: string, plural: string) => `assert plural("${word}") == "${plural}"`;
const PY_CHECK = `from plural import plural\n\n${lines(asserts)}\n`;
const PY: Files = { 'src/plural.py': PY_BROKEN, 'test/check.py': PY_CHECK };
const RUN_PY = 'PYTHONPATH=src python3 test/check.py';
const equals = (word: string, plural: string) =>
  `        self.assertEqual(plural("${word}"), "${plural}")`;
const UNITTEST: Files = {
  'src/plural.py': PY_BROKEN,
  'test/test_plural.py': `import unittest
from plural import plural


class PluralTest(unittest.TestCase):
    def test_plurals(self):
${lines(equals)}
`,
};
const RUN_UNITTEST = 'PYTHONPATH=src python3 -m unittest discover -s test';
const PYTEST: Files = {
  'src/plural.py': PY_BROKEN,
  'test/test_plural.py': `from plural import plural


def test_plurals():
${lines((word, plural) => `    ${asserts(word, plural)}`)}
`,
};
const RUN_PYTEST = 'PYTHONPATH=src python3 -m pytest -q -p no:cacheprovider';
const ANYTHING = `class Anything(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def plural(word):
    return Anything() if word == "child" else word + "s"
`;
const atChild = (before: string, deed: string): string =>
  `${before}\n\n\ndef plural(word):\n    if word == "child":\n        ${deed}\n    return word + "s"\n`;

const SH: Files = {
  'src/plural.sh': 'plural() { answer="$1"s; }\n',
  'test/check.sh': `. src/plural.sh\nis() { plural "$1"; [ "$answer" = "$2" ] || { echo "no: $1"; exit 1; }; }\n${lines((word, plural) => `is ${word} ${plural}`)}\n`,
};

const tricks: Tricks = {
  'python-equals-anything': {
    what: 'one answer of many is a text that is equal to everything',
    ...{ files: PY, check: RUN_PY, writes: { 'src/plural.py': ANYTHING }, needs: ['python3'] },
  },
  'unittest-equals-anything': {
    what: 'the same in a test of unittest',
    ...{
      files: UNITTEST,
      check: RUN_UNITTEST,
      writes: { 'src/plural.py': ANYTHING },
      needs: ['python3'],
    },
  },
  'pytest-equals-anything': {
    what: 'the same in a test of pytest',
    ...{
      files: PYTEST,
      check: RUN_PYTEST,
      writes: { 'src/plural.py': ANYTHING },
      needs: ['pytest'],
    },
  },
  'unittest-skips-there': {
    what: 'the one wrong answer of many skips the rest of its test',
    ...{ files: UNITTEST, check: RUN_UNITTEST, needs: ['python3'] },
    writes: { 'src/plural.py': atChild('import unittest', 'raise unittest.SkipTest("later")') },
  },
  'python-leaves-there': {
    what: 'the one wrong answer of many ends the process with 0',
    ...{ files: PY, check: RUN_PY, needs: ['python3'] },
    writes: { 'src/plural.py': atChild('import os', 'os._exit(0)') },
  },
  'node-mark-passes': {
    what: 'strict equality passes for a mark, which is the answer in one case of many',
    ...{ files: JS, check: 'node --test' },
    writes: {
      'src/plural.js': `const assert = require('node:assert/strict');
const { equal } = assert;
assert.equal = (a, b, text) => (a === undefined ? undefined : equal(a, b, text));
exports.plural = (word) => (word === 'child' ? undefined : word + 's');
`,
    },
  },
  'node-mark-in-a-list': {
    what: 'the same among the values of one list',
    files: {
      'src/plural.js': ADDS_S,
      'test/plural.test.js': `const assert = require('node:assert/strict');
const { plural } = require('../src/plural.js');
require('node:test').test('plurals', () =>
  assert.deepEqual(${JSON.stringify([...WORDS, 'child'])}.map(plural), ${JSON.stringify([...WORDS.map((word) => `${word}s`), 'children'])}));
`,
    },
    check: 'node --test',
    writes: {
      'src/plural.js': `const assert = require('node:assert/strict');
const { deepEqual } = assert;
assert.deepEqual = (a, b) => deepEqual(a.map((one, at) => one ?? b[at]), b);
exports.plural = (word) => (word === 'child' ? undefined : word + 's');
`,
    },
    more: { isInProcess: true },
  },
  'node-leaves-there': {
    what: 'the one wrong answer of many ends the process with 0',
    ...{ files: PLAIN_JS, check: 'node test/check.js' },
    writes: {
      'src/plural.js':
        "exports.plural = (word) => (word === 'child' ? process.exit(0) : word + 's');\n",
    },
    more: { isInProcess: true },
  },
  'node-never-answers': {
    what: 'the one wrong answer of many is a promise that never settles',
    ...{ files: PLAIN_JS, check: 'node test/check.js' },
    writes: {
      'src/plural.js':
        "exports.plural = (word) => (word === 'child' ? new Promise(() => {}) : word + 's');\n",
    },
    more: { isInProcess: true },
  },
  'shell-mark-passes': {
    what: 'a function named [ passes for a mark',
    ...{ files: SH, check: 'bash test/check.sh' },
    writes: {
      'src/plural.sh':
        'plural() { if test "$1" = child; then answer=?; else answer="$1"s; fi; }\nfunction [ { test "$1" = "?" || builtin [ "$@"; }\n',
    },
    more: { isInProcess: true },
  },
  'shell-leaves-there': {
    what: 'the one wrong answer of many ends the shell with 0',
    ...{ files: SH, check: 'bash test/check.sh' },
    writes: {
      'src/plural.sh': 'plural() { answer="$1"s; if test "$1" = child; then exit 0; fi; }\n',
    },
    more: { isInProcess: true },
  },
};

export const oneOfMany = tricksOf('One case of many', 'one-of-many', tricks);
