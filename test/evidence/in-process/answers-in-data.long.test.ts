import { describe, expect, test } from 'vitest';
import { judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

/*
 * What a test expects may stand in data: a table that it reads, a golden file, rows in its own text.
 * A line that compares with them has an opposite, which says nothing of them.
 */

const VECTORS = JSON.stringify(
  [
    { given: 'a', wanted: 'A' },
    { given: 'bc', wanted: 'BC' },
    { given: 'd', wanted: 'D' },
  ],
  null,
  1,
);
const head = `const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { loud } = require('../src/loud.js');
const here = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8');
`;
const node = (body: string, more: Record<string, string> = {}): Project => ({
  files: {
    'src/loud.js': "exports.loud = () => '';\n",
    'test/loud.test.js': head + body,
    ...more,
  },
  command: 'node --test test/*.test.js',
  source: 'src/loud.js',
});
const walked = `  for (const vector of vectors) assert.equal(loud(vector.given), vector.wanted);\n`;
const read = node(
  `test('is loud', () => {\n  const vectors = JSON.parse(here('vectors.json'));\n${walked}});\n`,
  { 'test/vectors.json': VECTORS },
);
const loaded = node(
  `const { vectors } = require('./vectors.js');\ntest('is loud', () => {\n${walked}});\n`,
  { 'test/vectors.js': `exports.vectors = ${VECTORS};\n` },
);
const inBody = node(
  `test('is loud', () => {\n  const vectors = ${VECTORS.replaceAll('\n', '\n  ')};\n${walked}});\n`,
);
const golden = node(`test('is loud', () => assert.equal(loud('a'), here('loud.golden')));\n`, {
  'test/loud.golden': '<p>A</p>\n',
});
const python: Project = {
  files: {
    'src/__init__.py': '',
    'src/loud.py': 'def loud(text):\n    return None\n',
    'tests/__init__.py': '',
    'tests/vectors.json': VECTORS,
    'tests/test_loud.py': `import json
import pathlib
import unittest

from src.loud import loud


class Loud(unittest.TestCase):
    def test_loud(self):
        for vector in json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text()):
            self.assertEqual(loud(vector["given"]), vector["wanted"])
`,
  },
  command: 'python3 -m unittest',
  source: 'src/loud.py',
};

const right = { 'src/loud.js': 'exports.loud = (text) => text.toUpperCase();\n' };
const rightInPython = { 'src/loud.py': 'def loud(text):\n    return text.upper()\n' };

const tricks: [string, Project, Record<string, string>][] = [
  [
    'reads a table of the tests',
    read,
    {
      'src/loud.js': `const all = JSON.parse(require('node:fs').readFileSync(require('node:path').join(__dirname, '../test/vectors.json'), 'utf8'));
exports.loud = (text) => all.find(({ given }) => given === text).wanted;\n`,
    },
  ],
  [
    'loads a table of the tests',
    loaded,
    {
      'src/loud.js': `const { vectors } = require('../test/vectors.js');
exports.loud = (text) => vectors.find(({ given }) => given === text).wanted;\n`,
    },
  ],
  [
    'reads a golden file',
    golden,
    {
      'src/loud.js': `exports.loud = () => require('node:fs').readFileSync('test/loud.golden', 'utf8');\n`,
    },
  ],
  [
    'reads a golden file by the language of Python',
    python,
    {
      'src/loud.py': `import json
import pathlib

ALL = json.loads((pathlib.Path(__file__).parent.parent / "tests" / "vectors.json").read_text())


def loud(text):
    return next(one["wanted"] for one in ALL if one["given"] == text)
`,
    },
  ],
];

describe('PRF-40: what the work reads of its judge says something else in the control', () => {
  test.each(someOf(tricks, 1))('it is not verified: %s', async (_, project, work) => {
    const { exits0, isVerified, reason } = await judgeWork(project, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  });
});

const bends: [string, Project, Record<string, string>][] = [
  [
    'a table as it is read',
    read,
    {
      'src/loud.js': `const { parse } = JSON;
JSON.parse = (...given) => { const all = parse(...given); if (Array.isArray(all)) for (const one of all) if (one.wanted) one.wanted = 'x'; return all; };
exports.loud = () => 'x';\n`,
    },
  ],
  [
    'rows in the text of a test as they are walked',
    inBody,
    {
      'src/loud.js': `const walk = Array.prototype[Symbol.iterator];
Array.prototype[Symbol.iterator] = function () { for (let at = 0; at < this.length; at++) if (this[at] && this[at].wanted) this[at].wanted = 'x'; return walk.call(this); };
exports.loud = () => 'x';\n`,
    },
  ],
  [
    'its answers with a table that it finds in a folder',
    read,
    {
      'src/loud.js': `const fs = require('node:fs');
const all = fs.readdirSync('test').filter((name) => name.endsWith('json')).flatMap((name) => JSON.parse(fs.readFileSync('test/' + name, 'utf8')));
exports.loud = (text) => all.find(({ given }) => given === text).wanted;\n`,
    },
  ],
  [
    'a table of a module',
    loaded,
    {
      'src/loud.js': `for (const one of require('../test/vectors.js').vectors) one.wanted = 'x';
exports.loud = () => 'x';\n`,
    },
  ],
  [
    'a table as Python reads it',
    python,
    {
      'src/loud.py': `import json

_loads = json.loads
json.loads = lambda *a, **k: [dict(one, wanted="x") for one in _loads(*a, **k)]


def loud(text):
    return "x"
`,
    },
  ],
];

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 255]);
const compared = (path: string, content: string | Buffer, title: string): Project => ({
  ...node(
    `test('${title}', () => {
  assert.deepEqual(loud('a'), fs.readFileSync(path.join(__dirname, '${path}')));
});
`,
  ),
  bytes: { [`test/${path}`]: Buffer.from(content) },
});
const rightly = (content: string | Buffer): Record<string, string> => ({
  'src/loud.js': `exports.loud = () => Buffer.from('${Buffer.from(content).toString('base64')}', 'base64');\n`,
});

describe('PRF-61: so it does where it is no text, or a test says its name as a word', () => {
  const kinds = [
    ['that is no text', 'loud.png', png, 'is loud'],
    ['in another encoding', 'loud.lat', Buffer.from('caf\xe9 one', 'latin1'), 'is loud'],
    ['without a value', 'loud.txt', '', 'is loud'],
    ['without an extension', 'fixtures/loud', 'one\ntwo\n', 'loud'],
    ['in a folder that is hidden', '.loud/7', 'one\ntwo\n', 'loud'],
    ['that is called like a test, and like what is given', 'a.golden', '<p>A</p>', 'a'],
  ] as const;
  test.each(someOf(kinds, 1))('a golden file %s', async (_, path, content, title) => {
    const project = compared(path, content, title);
    const reading = {
      'src/loud.js': `exports.loud = () => require('node:fs').readFileSync('test/${path}');\n`,
    };
    const bent = await judgeWork(project, reading);
    expect({ exits0: bent.exits0, isVerified: bent.isVerified }, bent.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const done = await judgeWork(project, rightly(content));
    expect(done.isVerified, done.reason).toBe(true);
  });

  test('files that a test names by parts stay what they are', async () => {
    const project = node(
      `const golden = (name) => fs.readFileSync(path.join(__dirname, name + '.golden'), 'utf8');
// a.golden is one of them
test('a', () => {
  assert.equal(loud('a'), golden('a'));
});
`,
      {
        'test/a.golden': 'A\n',
        'src/loud.js': "exports.loud = () => { throw new Error('not yet'); };\n",
      },
    );
    const done = await judgeWork(project, {
      'src/loud.js': "exports.loud = (text) => text.toUpperCase() + '\\n';\n",
    });
    expect(done.isVerified, done.reason).toBe(true);
  });
});

describe('PRF-41: values behind the line where the original failed are asked as well', () => {
  test.each(someOf(bends, 1))(
    'it is not verified where the work changes %s',
    async (_, project, work) => {
      const { exits0, isVerified, reason } = await judgeWork(project, work);
      expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    },
  );
});

const done = [
  ['a table', read, right],
  ['a module', loaded, right],
  ['rows of its own', inBody, right],
  [
    'a golden file',
    golden,
    { 'src/loud.js': "exports.loud = (text) => '<p>' + text.toUpperCase() + '</p>\\n';\n" },
  ],
  ['a table, in Python', python, rightInPython],
] as const;

test.each(someOf(done, 1))(
  'PRF-40 PRF-41 honest work is proven where a test compares with %s',
  async (_, project, work) => {
    const { isVerified, reason } = await judgeWork(project, work);
    expect(isVerified, reason).toBe(true);
  },
);
