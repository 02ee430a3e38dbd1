import { describe, expect, test } from 'vitest';
import { type Files, judgeWork, type Project } from './judge-work.ts';
import { someOf } from './some-of.ts';

/*
 * What a test expects may come from anywhere: rows by their place, a table of the language, data that
 * no text shows. The work runs in the same process and can make it what it answers.
 */

const head = `import assert from 'node:assert';
import http from 'node:http';
import { test } from 'node:test';
import { loud } from '../src/loud.js';
`;
const node = (body: string, more: Files = {}): Project => ({
  files: {
    'package.json': '{"name":"loud","type":"module"}',
    'src/loud.js': "export const loud = () => '';\n",
    'test/loud.test.js': `${head}test('is loud', async () => {\n${body}\n});\n`,
    ...more,
  },
  command: 'node --test test/*.test.js',
  source: 'src/loud.js',
});
const upper = { 'src/loud.js': 'export const loud = (text) => text.toUpperCase();\n' };
const loud = (script: string): Files => ({ 'src/loud.js': script });

const byPlace = node(
  "  const rows = [['a', 'A'], ['bc', 'BC']];\n  for (const [given, want] of rows) assert.equal(loud(given), want);",
);
const packed = node(
  `  const rows = JSON.parse(Buffer.from('${Buffer.from('{"a":"A","bc":"BC"}').toString('base64')}', 'base64'));
  for (const key in rows) {
    assert.equal(loud(key), rows[key]);
  }`,
);
const ofLanguage = node(
  '  for (const code of Object.keys(http.STATUS_CODES)) assert.equal(loud(code), http.STATUS_CODES[code]);',
);
const byKey = node(
  "  const { default: fs } = await import('node:fs');\n  const want = JSON.parse(fs.readFileSync('test/v.json', 'utf8'));\n  assert.equal(loud('a'), want.a);",
  { 'test/v.json': '{"a":"A"}\n' },
);
const vitest: Project = {
  files: {
    'package.json': '{"name":"loud","type":"module"}',
    'src/loud.js': "export const loud = () => '';\n",
    'test/loud.test.js': `import { expect, it, vi } from 'vitest';
import { loud } from '../src/loud.js';
it.each(Object.entries({ a: 'A', bc: 'BC' }))('makes %s loud', (given, want) => {
  const say = vi.fn();
  expect(loud(given, say)).toBe(want);
  expect(say).toHaveBeenCalledWith(want);
});
`,
  },
  command: 'npx vitest run',
  source: 'src/loud.js',
  needsModules: true,
};
const python: Project = {
  files: {
    'src/__init__.py': '',
    'src/loud.py': 'def loud(text):\n    return None\n',
    'tests/__init__.py': '',
    'tests/test_loud.py': `import json

import pytest

from src.loud import loud

ROWS = [tuple(row) for row in json.loads('[["a", "A"], ["bc", "BC"]]')]


@pytest.mark.parametrize("given, want", ROWS)
def test_loud(given, want):
    assert loud(given) == want, given
`,
  },
  command: 'python3 -m pytest -q',
  source: 'src/loud.py',
};

const ENTRIES = `const { entries } = Object;
Object.entries = (all) => entries(all).map(([key, value]) => [key, /^[A-Z]+$/.test(value) ? 'x' : value]);
`;
const tricks: [string, Project, Files][] = [
  [
    'rows by their place',
    byPlace,
    loud(`const walk = Array.prototype[Symbol.iterator];
Array.prototype[Symbol.iterator] = function () { if (this.length === 2 && /^[A-Z]+$/.test(this[1])) this[1] = 'x'; return walk.call(this); };
export const loud = () => 'x';\n`),
  ],
  [
    'rows of pytest',
    python,
    {
      'src/loud.py':
        'import json\n\nloads = json.loads\njson.loads = lambda *a, **k: [[key, "x"] for key, _ in loads(*a, **k)]\n\n\ndef loud(text):\n    return "x"\n',
    },
  ],
  [
    'how many rows there are',
    byPlace,
    loud(`const walk = Array.prototype[Symbol.iterator];
Array.prototype[Symbol.iterator] = function () { return Array.isArray(this[0]) && this[0][1] === 'A' ? walk.call(this.slice(0, 1)) : walk.call(this); };
export const loud = (text) => (text === 'a' ? 'A' : 'x');\n`),
  ],
  [
    'what no text shows',
    packed,
    loud(`const { parse } = JSON;
JSON.parse = (text) => { const all = parse(text); for (const key of Object.keys(all)) all[key] = 'x'; return all; };
export const loud = () => 'x';\n`),
  ],
  [
    'a table of the language',
    ofLanguage,
    loud(
      "import http from 'node:http';\nfor (const key of Object.keys(http.STATUS_CODES)) http.STATUS_CODES[key] = 'x';\nexport const loud = () => 'x';\n",
    ),
  ],
  ['rows of Vitest', vitest, loud(`${ENTRIES}export const loud = (_, say) => (say('x'), 'x');\n`)],
];

test.each(someOf(tricks, 2))(
  'PRF-52: work that changes what its test expects is not verified: %s',
  async (_, project, work) => {
    const { exits0, isVerified, reason } = await judgeWork(project, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('what its tests compare with is not the same as without the work');
  },
);

const done: [string, Project, Files][] = [
  ['rows by their place', byPlace, upper],
  ['what no text shows', packed, upper],
  [
    'a table of the language',
    ofLanguage,
    loud("import http from 'node:http';\nexport const loud = (code) => http.STATUS_CODES[code];\n"),
  ],
  ['rows of pytest', python, { 'src/loud.py': 'def loud(text):\n    return text.upper()\n' }],
  [
    'rows of Vitest',
    vitest,
    loud('export const loud = (text, say) => (say(text.toUpperCase()), text.toUpperCase());\n'),
  ],
];

test.each(someOf(done, 2))('PRF-52: honest work is proven: %s', async (_, project, work) => {
  const { isVerified, reason, labels } = await judgeWork(project, work);
  expect(isVerified, reason).toBe(true);
  // What was told was asked in the control, which passed at once.
  expect(labels).toContain('recorded');
  expect(labels).not.toContain('wants');
});

test('PRF-52: honest work is proven where a package of the original goes', async () => {
  const project = { ...byPlace, files: { ...byPlace.files, 'old/package.json': '{"name":"old"}' } };
  const work = { ...upper, 'old/package.json': null };
  const scope = ['src/loud.js', 'old/package.json'];
  const { isVerified, reason } = await judgeWork(project, work, { scope });
  expect(isVerified, reason).toBe(true);
});

describe('PRF-54: what comes from the work is another one, and rightly so', () => {
  test.each<[string, Project, Files]>([
    [
      'what it sorts in place',
      node(
        '  const all = [3, 1, 2];\n  const given = loud(all);\n  assert.equal(given, all);\n  assert.deepEqual(all, [1, 2, 3]);',
      ),
      loud('export const loud = (all) => all.sort();\n'),
    ],
    [
      'what it fills, and a lot',
      node(
        "  const lot = [Math.random()];\n  const seen = [];\n  loud(lot[0], (one) => seen.push(one));\n  assert.equal(seen[0], lot[0]);\n  assert.deepEqual([...'ab'], seen.slice(1));",
      ),
      loud("export const loud = (lot, say) => [lot, 'a', 'b'].forEach((one) => say(one));\n"),
    ],
    [
      'a server, which nothing of the work ever starts',
      node(
        '  const server = loud();\n  const want = { ok: [true][0] };\n  await new Promise((done) => server.listen(0, done));\n  const answer = await fetch("http://127.0.0.1:" + server.address().port);\n  server.close();\n  assert.deepEqual(await answer.json(), want);',
      ),
      loud(
        "import http from 'node:http';\nexport const loud = () => http.createServer((_, answer) => answer.setHeader('connection', 'close').end('{\"ok\":true}'));\n",
      ),
    ],
  ])('honest work is proven: %s', async (_, project, work) => {
    const { isVerified, reason } = await judgeWork(project, work);
    expect(isVerified, reason).toBe(true);
  });
});

test('PRF-53: work that reads what its test expects, under whatever name, is not verified', async () => {
  const reading = `import fs from 'node:fs';
export const loud = (text) => JSON.parse(fs.readFileSync('test/v.json', 'utf8'))[text];\n`;
  const { exits0, isVerified, reason } = await judgeWork(byKey, loud(reading));
  expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  const honest = await judgeWork(byKey, upper);
  expect(honest.isVerified, honest.reason).toBe(true);
});

describe('PRF-67: what stands beside an answer in a call, and what the work is given, is the same as without it', () => {
  const rows = node(
    `  const rows = JSON.parse('[["a","A"],["bc","BC"]]');
  const wants = new Set(rows.map(([, want]) => want));
  for (const [given] of rows) assert.ok(wants.has(loud(given)));`,
  );

  test('work that has other rows read is not verified', async () => {
    const work = loud("JSON.parse = () => [['x', 'x']];\nexport const loud = (text) => text;\n");
    const { exits0, isVerified, reason } = await judgeWork(rows, work);
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
    expect(reason).toContain('what its tests compare with is not the same as without the work');
  });

  test('honest work is proven', async () => {
    const { isVerified, reason, labels } = await judgeWork(rows, upper);
    expect(isVerified, reason).toBe(true);
    expect(labels).not.toContain('wants');
  });
});
