import { describe, expect, test } from 'vitest';
import { GO, testWith } from '../../support/needs.ts';
import { type Files, judgeWork, type Project } from './judge-work.ts';

/* Where an answer of the work stands in a call, in a table or in a `switch`, and what it is given. */

const script = (body: string): Project => ({
  files: {
    'package.json': '{"name":"loud","type":"module"}',
    'src/loud.js': "export const loud = () => '';\n",
    'test/loud.test.js': `import assert from 'node:assert';
import os from 'node:os';
import { test } from 'node:test';
import { loud } from '../src/loud.js';
test('is loud', () => {
  const rows = JSON.parse('[["a","A"],["bc","BC"]]');
${body}
});
`,
  },
  command: 'node --test test/*.test.js',
  source: 'src/loud.js',
});
const python = (body: string): Project => ({
  files: {
    'src/__init__.py': '',
    'src/loud.py': 'def loud(text):\n    return ""\n',
    'tests/__init__.py': '',
    'tests/test_loud.py': `import json

from src.loud import loud


def same(one, other):
    if one != other:
        raise AssertionError(one)


def test_loud():
    rows = json.loads('[["a", "A"], ["bc", "BC"]]')
${body}
`,
  },
  command: 'python3 -m pytest -q',
  source: 'src/loud.py',
});

const others = {
  'src/loud.js': "JSON.parse = () => [['x', 'x']];\nexport const loud = (text) => text;\n",
};
const othersInPython = {
  'src/loud.py':
    'import json\n\njson.loads = lambda *a, **k: [["x", "x"]]\n\n\ndef loud(text):\n    return text\n',
};
const right = { 'src/loud.js': 'export const loud = (text) => text.toUpperCase();\n' };
const rightInPython = { 'src/loud.py': 'def loud(text):\n    return text.upper()\n' };

const kinds: [string, Project, Files, Files][] = [
  [
    'a list',
    script('  for (const [a] of rows) assert.ok(rows.map(([, b]) => b).includes(loud(a)));'),
    others,
    right,
  ],
  [
    'a method',
    script('  for (const [a, b] of rows) assert.ok(loud(a).startsWith(b));'),
    others,
    right,
  ],
  [
    'a helper',
    script(
      "  const same = (one, other) => {\n    if (one !== other) throw new Error('no');\n  };\n  for (const [a, b] of rows) same(loud(a), b);",
    ),
    others,
    right,
  ],
  [
    'a switch',
    script(
      "  for (const [a, b] of rows) {\n    switch (loud(a)) {\n      case b:\n        break;\n      default:\n        throw new Error('no');\n    }\n  }",
    ),
    others,
    right,
  ],
  [
    'what it is given',
    script('  for (const [a] of rows) assert.equal(loud(a), a.toUpperCase());'),
    {
      'src/loud.js': "JSON.parse = () => [['']];\nexport const loud = () => '';\n",
    },
    right,
  ],
  [
    'a list, in Python',
    python('    for a, _ in rows:\n        assert loud(a) in [b for _, b in rows]'),
    othersInPython,
    rightInPython,
  ],
  [
    'a method, in Python',
    python('    assert all(loud(a).startswith(b) for a, b in rows)'),
    othersInPython,
    rightInPython,
  ],
  [
    'a helper, in Python',
    python('    for a, b in rows:\n        same(loud(a), b)'),
    othersInPython,
    rightInPython,
  ],
];

describe('PRF-68: other rows are other ones, wherever they stand beside an answer', () => {
  test.each(kinds)('%s', async (_, project, bent, done) => {
    const trick = await judgeWork(project, bent);
    expect({ exits0: trick.exits0, isVerified: trick.isVerified }, trick.reason).toEqual({
      ...{ exits0: true, isVerified: false },
    });
    const { isVerified, reason, labels } = await judgeWork(project, done);
    expect(isVerified, reason).toBe(true);
    expect(labels).not.toContain('wants');
  });
});

describe('PRF-69: honest work is asked nothing for what it is given', () => {
  test.each<[string, Project, Files]>([
    [
      'a list that it sorts',
      script(
        '  const all = rows.map(([a]) => a).reverse();\n  loud(all);\n  assert.deepEqual(loud(all), ["A", "BC"]);',
      ),
      {
        'src/loud.js': 'export const loud = (all) => all.sort().map((one) => one.toUpperCase());\n',
      },
    ],
    [
      'a place for temporary files',
      script(
        "  const path = os.tmpdir() + '/' + process.pid;\n  assert.equal(loud(path), path.toUpperCase());",
      ),
      right,
    ],
    [
      'the time',
      script(
        '  const now = String(Date.now());\n  assert.equal(loud(now), now.toUpperCase() + "!");',
      ),
      { 'src/loud.js': "export const loud = (text) => text.toUpperCase() + '!';\n" },
    ],
  ])('%s', async (_, project, done) => {
    const { isVerified, reason } = await judgeWork(project, done);
    expect(isVerified, reason).toBe(true);
  });
});

const inGo: Project = {
  files: {
    'go.mod': 'module example.com/it\n\ngo 1.21\n',
    'it.go': 'package it\n\nfunc Loud(s string) string { return s }\n',
    'it_test.go': `package it

import "testing"

func TestLoud(t *testing.T) {
	rows := []struct{ In, Out string }{
		{In: "a", Out: "A"},
		{In: "bc", Out: "BC"},
	}
	for _, row := range rows {
		if got := Loud(row.In); got != row.Out {
			t.Fatalf("%s", got)
		}
	}
}
`,
  },
  command: 'go test ./...',
  source: 'it.go',
};

describe('PRF-72: in a language that is not recorded, all that rows want is another one by its name', () => {
  testWith(GO)('work that reads the rows of its test is not verified', async () => {
    const reading = `package it

import (
	"os"
	"regexp"
)

func Loud(s string) string {
	text, _ := os.ReadFile("it_test.go")
	found := regexp.MustCompile("In: \\"" + s + "\\", Out: \\"([^\\"]*)\\"").FindSubmatch(text)
	if found != nil {
		return string(found[1])
	}
	return s
}
`;
    const { exits0, isVerified, reason } = await judgeWork(inGo, { 'it.go': reading });
    expect({ exits0, isVerified }, reason).toEqual({ exits0: true, isVerified: false });
  });

  testWith(GO)('work that is done is verified', async () => {
    const done =
      'package it\n\nimport "strings"\n\nfunc Loud(s string) string { return strings.ToUpper(s) }\n';
    const { isVerified, reason } = await judgeWork(inGo, { 'it.go': done });
    expect(isVerified, reason).toBe(true);
  });
});
