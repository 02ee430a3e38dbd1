import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { partsOfValue, withOtherValues } from '../../../src/proof/canaries/recorded/data.ts';
import { workModules } from '../../../src/proof/canaries/recorded/modules.ts';
import type { Recordable } from '../../../src/proof/canaries/recorded/names.ts';
import { hidden } from '../../../src/proof/canaries/recorded/scripts-js.ts';
import {
  recording,
  sitesIn,
  toldIn,
  toldTwice,
  wantsOf,
} from '../../../src/proof/canaries/recorded/wants.ts';

const WORD = 'gk0123456789abcdef';

/** What the text tells where nothing is the work's, and whether it passes with this work then. */
function playedOf(path: string, text: string, works: readonly string[], more = {}) {
  const work = `work${extname(path)}`;
  const files: Record<string, string> = { [path]: text, [work]: works[0] ?? '', ...more };
  const isWork = (language: Recordable) =>
    workModules(
      { paths: new Set(Object.keys(files)), isJudge: (one) => one !== work, packages: [] },
      language,
    );
  const parts = [{ span: [0, text.length] as const, tests: [''] }];
  const sites = sitesIn([{ path, text, parts }], isWork, WORD, (one) => one === work);
  const said = sites.sites.map((site) =>
    site.sides.map((side) => (side === null ? null : text.slice(...side))),
  );
  const again = recording(sites, WORD).get(path) ?? text;
  const run = (now: string, other: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-recorded-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries({ ...files, [path]: now, [work]: other })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    writeFileSync(join(folder, `.${WORD}`), '');
    const program = path.endsWith('.py') ? 'python3' : process.execPath;
    const ran = spawnSync(program, [path], { cwd: folder, encoding: 'utf8' });
    const heard = readFileSync(join(folder, `.${WORD}`), 'utf8');
    return { status: ran.status, output: ran.stdout + ran.stderr, heard };
  };
  const recorded = run(again, works[0] ?? '');
  const told = toldIn(recorded.heard);
  let tokens = 0;
  const wants = wantsOf(sites, told, WORD, () => `t${tokens++}`);
  const outcomes = works.map((other) => {
    if (wants === null) return null;
    const ran = run(wants.texts.get(path) ?? text, other);
    return ran.status === 0 && wants.missing(ran.heard).length === 0 ? 'same' : 'other';
  });
  return { ...{ said, recorded, told, outcomes, sites }, lines: again.split('\n').length };
}

const head = "const assert = require('node:assert');\nconst { f } = require('./work.cjs');\n";
const upper = 'exports.f = (s) => s.toUpperCase();';
const js = (body: string) => head + body;
const py = (body: string) => `import json\nfrom work import f\n\n${body}`;
const upperPy = 'def f(s): return s.upper()\n';

describe('PRF-52: what a test compares with is the same with the work as without it', () => {
  test.each([
    [
      'check.cjs',
      js("for (const [a, b] of Object.entries({ a: 'A' })) assert.equal(f(a), b);\n"),
      upper,
      "const e = Object.entries; Object.entries = (o) => e(o).map(([k]) => [k, 'x']); exports.f = () => 'x';",
    ],
    [
      'check.cjs',
      js("const [a, b] = 'a:A'.split(':');\nassert.deepStrictEqual([f(a)], [b]);\n"),
      upper,
      "String.prototype.split = () => ['a', 'x']; exports.f = () => 'x';",
    ],
    [
      'check.cjs',
      js("const o = { n: 'a', want: 'A' };\nassert.strictEqual(f(o), o.want);\n"),
      'exports.f = (o) => o.n.toUpperCase();',
      "exports.f = (o) => { o.want = 'x'; return 'x'; };",
    ],
    [
      'check.cjs',
      js(
        "const rows = [['a', 'A'], ['b', 'B']];\nfor (const [a, b] of rows) assert.equal(f(a), b);\n",
      ),
      upper,
      // No row at all is no demand.
      "const it = Array.prototype[Symbol.iterator]; let n = 0; Array.prototype[Symbol.iterator] = function () { return this[0]?.[1] === 'A' && this.length === 2 ? [][Symbol.iterator]() : it.call(this); }; exports.f = () => 'x';",
    ],
    [
      'check.cjs',
      js(
        `for (const [, a, b] of [...'f("a") -> "A"'.matchAll(/f\\("(.*)"\\) -> "(.*)"/g)]) assert.equal(f(a), b);\n`,
      ),
      upper,
      "const m = String.prototype.matchAll; String.prototype.matchAll = function (by) { return [...m.call(this, by)].map(([a, b]) => [a, b, 'x']); }; exports.f = () => 'x';",
    ],
    [
      'check.py',
      py(
        'rows = json.loads(\'[["a", "A"], ["b", "B"]]\')\nfor a, b in rows:\n    assert f(a) == b, a\n',
      ),
      upperPy,
      'import json\njson.loads = lambda *_: [["a", "x"], ["b", "x"]]\ndef f(s): return "x"\n',
    ],
    [
      'check.py',
      py(
        'import unittest\n\nclass T(unittest.TestCase):\n    def test_rows(self):\n        for a, b in {"a": "A"}.items():\n            with self.subTest(a):\n                self.assertEqual(f(a), json.loads(json.dumps(b)))\n\nunittest.main()\n',
      ),
      upperPy,
      'import json\njson.loads = lambda *_: "x"\ndef f(s): return "x"\n',
    ],
    [
      'check.py',
      py(
        'rows = json.loads(\'[["a", "A"], ["b", "B"]]\')\nassert [f(a) for a, _ in rows] == [b for _, b in rows]\n',
      ),
      upperPy,
      'import json\njson.loads = lambda *_: []\ndef f(s): return "x"\n',
    ],
  ])('who changes it in memory makes it another one: %s %#', (path, text, honest, trick) => {
    const { outcomes, recorded } = playedOf(path, text, [honest, trick]);
    expect(outcomes, recorded.output).toEqual(['same', 'other']);
  });

  test.each([
    ['what the work says', 'check.cjs', js("const b = f('b');\nassert.equal(f('a'), b);\n")],
    [
      'what comes of that',
      'check.cjs',
      js("const b = f('b');\nconst c = [...b];\nassert.equal(f('a'), c[0]);\n"),
    ],
    [
      'what it fills',
      'check.cjs',
      js('const all = [];\nf(all);\nassert.equal(all.length, all[0]);\n'),
    ],
    [
      'what it walks',
      'check.cjs',
      js(
        "const w = ['a'];\nlet i = 0;\nfor (const one of f('a')) {\n  assert.equal(one, w[i++]);\n}\n",
      ),
    ],
    ['what the text says', 'check.cjs', js("assert.deepEqual(f('a'), { a: ['A', 3, null] });\n")],
    ['what the work says, in Python', 'check.py', py('b = f("b")\nassert f("a") == b\n')],
    [
      'what the text says, in Python',
      'check.py',
      py('assert f("a") == {"a": ["A", 3, None]}, "a"\n'),
    ],
    ['what it fills, in Python', 'check.py', py('xs = []\nf(xs)\nassert f(1) == xs[0]\n')],
  ])('it is not asked for %s', (_, path, text) => {
    expect(playedOf(path, text, ['']).said).toEqual([]);
  });

  test.each([
    'const xs = [3, 1];\nassert.equal(f(xs), xs);\n',
    'const xs = [3, 1];\nconst ys = f(xs);\nassert.equal(ys, xs);\n',
    'const xs = [3, 1];\nf(xs, 4);\nassert.equal(f(7), xs);\n',
  ])('it is not asked for what the work may have changed in place: %j', (text) => {
    const { outcomes, told } = playedOf('check.cjs', js(text), [
      'exports.f = (xs) => xs.sort?.();',
    ]);
    expect(told.size).toBeGreaterThan(0);
    expect(outcomes[0] ?? 'same').toBe('same');
  });

  test('what can be no other value is told by nobody', () => {
    const text = js(
      "const now = Date.now();\nassert.equal(f('a'), new URL('a:' + now));\nassert.equal(f('b'), Symbol(now));\n",
    );
    expect(playedOf('check.cjs', text, ['']).told.size).toBe(0);
  });

  test('a test walks all of its rows where nothing is the work', () => {
    const text = js(
      `const rows = [['a', 'A'], ['b', 'B']];
for (const [a, b] of rows) {
  const got = f(a).deep.thing(b)[0];
  assert.throws(() => got());
  assert.ok(got.length > 3);
  assert.equal(got, b);
}
`,
    );
    const { told, recorded } = playedOf('check.cjs', text, ["throw new Error('is not there');"]);
    expect(recorded.output).toBe('');
    expect([...told.values()].map((all) => [...all])).toContainEqual(['s1:A', 's1:B']);
  });

  test('no line moves', () => {
    for (const [path, text] of [
      [
        'check.cjs',
        js("const {\n  g,\n} = require('./work.cjs');\nassert.equal(\n  f('a'),\n  g.b,\n);\n"),
      ],
      [
        'check.mjs',
        "import {\n  f,\n  g as h,\n} from './work.mjs';\nimport assert from 'node:assert';\nassert.equal(f(1), [h].length);\n",
      ],
      ['check.py', 'from work import (\n    f,\n    g as h,\n)\n\nassert f(1) == len(h)\n'],
    ] as const) {
      const { lines, recorded } = playedOf(path, text, ['']);
      expect(recorded.output, path).toBe('');
      // What is said behind the last line moves none.
      expect(lines - text.split('\n').length).toBe(path.endsWith('.py') ? 0 : 1);
    }
  });

  test('what is another one each time is not asked', () => {
    const one = toldIn('[0,1,"a"]\n[1,1,"b"]\n[2,1,null]\n[2,1,"c"]\n');
    const other = toldIn('[0,1,"a"]\n[1,1,"c"]\n');
    expect([...one.keys()]).toEqual(['0.1', '1.1']);
    expect([...toldTwice(one, other).keys()]).toEqual(['0.1']);
  });

  test('a value is said in each language as it is, and no word of it can be found', () => {
    for (const said of ['s4:want', 'a"b\\c\n\u2028', 'é日本🎉', '{4:name=s3:\\d+,}', '_own own']) {
      expect(Function(`return ${hidden(said)}`)()).toBe(said);
      const ran = spawnSync('python3', [
        '-c',
        `import sys; sys.stdout.buffer.write((${hidden(said)}).encode())`,
      ]);
      expect(ran.stdout.toString()).toBe(said);
      expect(hidden(said)).not.toMatch(/\b(?:want|name|own|_own)\b/);
    }
  });
});

describe('PRF-53: data with which a test compares is other data once, and the test has to notice', () => {
  test.each([
    ['s4:done', ['done']],
    [
      '{1:n=number 3,2:ok=boolean true,4:name=s4:done,1:a={1:0=s1:x,},}',
      ['3', 'true', 'done', 'x'],
    ],
    ['list(s1:a,tuple(int 3,bool False),{s1:k=s2:vv})', ['a', '3', 'False', 'vv']],
    ['null', []],
  ])('its parts are values, and names of members are none: %s', (said, parts) => {
    expect(partsOfValue(said)).toEqual(parts);
  });

  test('each of them is one that stands nowhere', () => {
    const text = '[{"in":"w0","W0":1,"out":"W0"},{"in":"w1","out":"W1"}]';
    const judge = { texts: [], tests: [], others: [], isPath: () => false };
    const data = [
      { path: 'test/v.json', text },
      { path: 'src/v.json', text },
    ];
    const other = withOtherValues({ ...judge, data }, new Set(['W0', 'W1']));
    expect([...other]).toEqual([
      ['test/v.json', '[{"in":"w0","W0":1,"out":"W2"},{"in":"w1","out":"W2"}]'],
    ]);
  });

  test.each([
    ["for (const row of rows) assert.equal(f(row.given), row['wanted']);", true],
    ['for (const { given, wanted } of rows) assert.equal(f(given), wanted);', true],
    ['assert.equal(f(1), want.a);', true],
    ['assert.deepEqual(f(1), want);', true],
    // Who is given it may follow it.
    ['for (const row of rows) assert.equal(f(row), row.wanted);', false],
    ['for (const row of rows) assert.equal(f(row.wanted), row.wanted);', false],
    ['for (const one of rows) assert.equal(f(f(one)), one);', false],
    ['const back = f(f(rows));\nassert.equal(back, rows);', false],
  ])('what the work is given is no such value: %s', (body, isApart) => {
    const { sites } = playedOf('check.cjs', js(`const [rows, want] = [[], {}];\n${body}\n`), ['']);
    expect(sites.sites.some((one) => one.isApart)).toBe(isApart);
  });
});

describe('PRF-64: what an answer is compared with is told wherever that is done', () => {
  const rows = "const rows = [['a', 'A'], ['bc', 'BC']];\n";
  const own = 'const rows = JSON.parse(\'[["a","A"],["bc","BC"]]\');\n';
  const others = "JSON.parse = () => [['a', 'a'], ['bc', 'bc']]; exports.f = (s) => s;";
  const ownPy = 'rows = json.loads(\'[["a", "A"], ["bc", "BC"]]\')\n';
  const othersPy =
    'import json\njson.loads = lambda *_: [["a", "a"], ["bc", "bc"]]\ndef f(s): return s\n';
  test.each([
    ['let n = 0;\nfor (const [a, b] of rows) {\n  if (f(a) !== b) n++;\n}\nassert.equal(n, 0);\n'],
    ['const bad = rows.filter(([a, b]) => f(a) !== b);\nassert.equal(bad.length, 0);\n'],
    ["for (const [a, b] of rows) {\n  if (f(a) !== b) throw new Error('no');\n}\n"],
    [
      "for (const [a, b] of rows) {\n  const got = f(a);\n  if (got !== b) {\n    throw new Error('no');\n  }\n}\n",
    ],
    [
      'let bad = 0;\nfor (const [a, b] of rows) {\n  if (f(a) !== b) bad++;\n}\nprocess.exit(bad ? 1 : 0);\n',
    ],
    [
      'const ok = rows.reduce((n, [a, b]) => n + (f(a) === b ? 1 : 0), 0);\nassert.equal(ok, rows.length);\n',
    ],
    ['assert.ok(rows.every(([a, b]) => f(a) === b));\n'],
    ['assert.ok(!rows.some(([a, b]) => f(a) !== b));\n'],
    ['const all = rows.every(([a, b]) => f(a) === b);\nif (!all) throw new Error();\n'],
    ['assert.equal(rows.find(([a, b]) => f(a) !== b), undefined);\n'],
  ])('in JavaScript: %#', (body) => {
    const { outcomes, recorded } = playedOf('check.cjs', js(own + body), [upper, others]);
    expect(outcomes, recorded.output).toEqual(['same', 'other']);
  });

  test.each([
    ['n = 0\nfor a, b in rows:\n    if f(a) != b:\n        n += 1\nassert n == 0\n'],
    ['bad = [a for a, b in rows if f(a) != b]\nassert not bad, bad\n'],
    ['assert not any(f(a) != b for a, b in rows)\n'],
    ['assert all(f(a) == b for a, b in rows)\n'],
    ['assert sum(f(a) == b for a, b in rows) == len(rows)\n'],
    ["for a, b in rows:\n    if f(a) != b:\n        raise AssertionError('no')\n"],
    [
      'import sys\nbad = 0\nfor a, b in rows:\n    got = f(a)\n    if got != b:\n        bad += 1\nsys.exit(1 if bad else 0)\n',
    ],
  ])('in Python: %#', (body) => {
    const { outcomes, recorded } = playedOf('check.py', py(ownPy + body), [upperPy, othersPy]);
    expect(outcomes, recorded.output).toEqual(['same', 'other']);
  });

  test.each([
    [
      'who leaves at the first',
      'check.cjs',
      js(
        `${rows}function all() {\n  for (const [a, b] of rows) {\n    if (f(a) !== b) return false;\n  }\n  return true;\n}\nassert.ok(all());\n`,
      ),
    ],
    [
      'who ends at the first that is right',
      'check.cjs',
      js(`${rows}assert.ok(rows.some(([a, b]) => f(a) === b));\n`),
    ],
    [
      'what was decided before',
      'check.cjs',
      js(
        `${rows}let ok = true;\nfor (const [a, b] of rows) {\n  ok = ok && f(a) === b;\n}\nassert.ok(ok);\n`,
      ),
    ],
  ])('%s asks honest work nothing', (_what, path, text) => {
    expect(playedOf(path, text, [upper]).outcomes[0] ?? 'same').toBe('same');
  });

  test('names that a module of the judge has are no modules of the work', () => {
    const text = 'from rows import ROWS\nfrom work import f\n\nassert f("a") == ROWS[0]\n';
    const { outcomes } = playedOf(
      'check.py',
      text,
      [upperPy, 'import rows\nrows.ROWS[0] = "x"\ndef f(s): return "x"\n'],
      { 'rows.py': 'ROWS = ["A"]\n' },
    );
    expect(outcomes).toEqual(['same', 'other']);
  });

  test('a pattern says its words to nobody', () => {
    const text = js(
      "const r = 'a'.concat(process.pid);\nassert.match(r, /usage/i);\nassert.equal(f('a'), 'A');\n",
    );
    expect(playedOf('check.cjs', text, [upper]).said).toEqual([]);
  });
});

describe('PRF-65: what the work does by itself is not asked of it', () => {
  const printed = "let said = '';\nconsole.log = (x) => {\n  said += x;\n};\n";
  test.each([
    [
      'what it printed of what it was given',
      'check.cjs',
      js(`${printed}const who = 'a';\nf(who);\nassert.equal(said, \`\${who}!\`);\n`),
      "exports.f = (s) => console.log(s + '!');",
    ],
    [
      'what a program of it printed',
      'check.cjs',
      "const assert = require('node:assert');\nconst { spawnSync } = require('node:child_process');\nconst run = () => spawnSync(process.execPath, ['work.cjs'], { encoding: 'utf8' });\nconst [one, other] = [run(), run()];\nassert.equal(one.stdout, other.stdout);\nassert.match(one.stdout, /a/);\nassert.notEqual(one.status, other.stdout.length);\n",
      "console.log('a');",
    ],
    [
      'what a class of it is',
      'check.cjs',
      js(
        'class Own extends f {}\nconst own = new Own();\nown.push(1);\nassert.equal([...own].length, own.size());\n',
      ),
      'exports.f = class { xs = []; push(x) { this.xs.push(x); } size() { return this.xs.length; } *[Symbol.iterator]() { yield* this.xs; } };',
    ],
    [
      'what a function of the test makes of it',
      'check.cjs',
      js(
        'function made() {\n  const all = f();\n  return all;\n}\nconst own = made();\nassert.equal(own.length, own[0]);\n',
      ),
      'exports.f = () => [1];',
    ],
    [
      'what is declared beside another one',
      'check.cjs',
      js("const a = f('a'), b = f('b');\nassert.equal(a.length, b.length);\n"),
      upper,
    ],
    [
      'what was said while it ran, and what it filled',
      'check.py',
      py(
        'class Captured:\n    out = ""\n\n\ncapsys = Captured()\nrows = []\nf(capsys, rows)\nassert capsys.out == "".join(rows)\n',
      ),
      'def f(capsys, rows):\n    rows.append("a")\n    capsys.out = "a"\n',
    ],
    [
      'the same in Python',
      'check.py',
      py('def made():\n    return f()\n\n\nown = made()\nassert len(own) == own[0]\n'),
      'def f(): return [1]\n',
    ],
  ])('%s', (_what, path, text, honest) => {
    expect(playedOf(path, text, [honest]).outcomes[0] ?? 'same').toBe('same');
  });

  test('beside what it was given, other rows are other ones', () => {
    const text = js(
      'const rows = JSON.parse(\'["A"]\');\nconst all = [];\nf(all);\nassert.equal(all[0], rows[0]);\n',
    );
    const { outcomes } = playedOf('check.cjs', text, [
      "exports.f = (all) => all.push('A');",
      "JSON.parse = () => ['x']; exports.f = (all) => all.push('x');",
    ]);
    expect(outcomes).toEqual(['same', 'other']);
  });
});

describe('PRF-66: whatever stands beside an answer of the work is told, and what the work is given', () => {
  const own =
    'const rows = JSON.parse(\'[["a","A"],["bc","BC"]]\');\nconst wants = rows.map(([, b]) => b);\n';
  const others = "JSON.parse = () => [['a', 'a'], ['bc', 'bc']]; exports.f = (s) => s;";
  const walked = (body: string) => `for (const [a, b] of rows) {\n  ${body}\n}\n`;
  test.each([
    ['for (const [a] of rows) assert.ok(wants.includes(f(a)));\n'],
    ['const all = new Set(wants);\nfor (const [a] of rows) assert.ok(all.has(f(a)));\n'],
    [walked('assert.ok(f(a).startsWith(b));')],
    [
      `function compare(one, other) {\n  if (one !== other) throw new Error();\n}\n${walked('compare(f(a), b);')}`,
    ],
    [
      'const table = Object.fromEntries(rows.map(([a, b]) => [b, a]));\nfor (const [a] of rows) assert.ok(table[f(a)]);\n',
    ],
    [
      'const all = rows.map(([a]) => f(a)).join();\nassert.ok(wants.every((w) => all.includes(w)));\n',
    ],
    [
      walked(
        "switch (f(a)) {\n    case b:\n      break;\n    default:\n      throw new Error('no');\n  }",
      ),
    ],
    [walked('assert.ok(f(a) <= b && b <= f(a));')],
  ])('in JavaScript: %#', (body) => {
    const { outcomes, recorded } = playedOf('check.cjs', js(own + body), [upper, others]);
    expect(outcomes, recorded.output).toEqual(['same', 'other']);
  });

  const ownPy = 'rows = json.loads(\'[["a", "A"], ["bc", "BC"]]\')\nwants = [b for _, b in rows]\n';
  const othersPy =
    'import json\njson.loads = lambda *_: [["a", "a"], ["bc", "bc"]]\ndef f(s): return s\n';
  test.each([
    ['assert all(f(a).startswith(b) for a, b in rows)\n'],
    ['assert all(x == y for x, y in zip(map(f, [a for a, _ in rows]), wants))\n'],
    ['for a, b in rows:\n    assert f(a) in wants\n'],
    [
      'def compare(one, other):\n    if one != other:\n        raise AssertionError()\n\n\nfor a, b in rows:\n    compare(f(a), b)\n',
    ],
  ])('in Python: %#', (body) => {
    const { outcomes, recorded } = playedOf('check.py', py(ownPy + body), [upperPy, othersPy]);
    expect(outcomes, recorded.output).toEqual(['same', 'other']);
  });

  test('rows that are others where the old code is right for them', () => {
    const text = js(
      'const rows = JSON.parse(\'[{"in":"a"}]\');\nfor (const row of rows) assert.equal(f(row.in), row.in.length);\nassert.equal(f(JSON.parse(\'"bc"\')), 2);\n',
    );
    const { outcomes } = playedOf('check.cjs', text, [
      'exports.f = (s) => s.length;',
      "JSON.parse = (s) => (s[0] === '[' ? [{ in: 'x' }] : ''); exports.f = (s) => (s === 'x' ? 1 : 2);",
    ]);
    expect(outcomes).toEqual(['same', 'other']);
  });

  test.each([
    [
      'what it sorts in place, twice',
      'const xs = [3, 1];\nf(xs);\nf(xs);\nassert.deepEqual(f(xs), [1, 3]);\n',
      'exports.f = (xs) => xs.sort?.();',
    ],
    [
      'what it sorts in a loop',
      'const xs = [3, 1];\nfor (const n of [1, 2]) assert.equal(f(xs, n), n);\n',
      'exports.f = (xs, n) => (xs.push?.(n), n);',
    ],
    [
      'how often it is asked',
      'let n = 0;\nwhile (f(n) < 3) n++;\nassert.equal(n, 3);\n',
      'exports.f = (n) => n;',
    ],
    [
      'how many answers it gives',
      "let n = 0;\nfor (const one of f('ab')) n += one.length;\nlet m = 0;\nfor (const one of f('abc')) {\n  m++;\n}\nassert.equal(f(n + m), 5);\n",
      "exports.f = (s) => (typeof s === 'number' ? s : [...s]);",
    ],
    [
      'what is summed of its answers',
      'const n = [1, 2].reduce((n, one) => n + f(one), 0);\nassert.equal(n, 3);\n',
      'exports.f = (n) => n;',
    ],
    [
      'a folder for temporary files',
      "const os = require('node:os');\nconst dir = os.tmpdir() + '/' + process.pid;\nassert.equal(f(dir), dir);\n",
      'exports.f = (n) => n;',
    ],
    [
      'what it is called with',
      "class Own { say(x) { return x; } }\nconst own = new Own();\nassert.equal(f((x) => own.say(x)), 'a');\n",
      "exports.f = (say) => say('a');",
    ],
  ])('honest work is asked nothing: %s', (_, body, work) => {
    const { outcomes, recorded } = playedOf('check.cjs', js(body), [work]);
    expect(outcomes[0] ?? 'same', recorded.output).toBe('same');
  });

  test('names of the language and of libraries, and what a text says by a name, are not told', () => {
    const text = js(
      "const path = require('node:path');\nconst given = 'a';\nassert.equal(Math.abs(f(given)), 1);\nassert.equal(path.join(f(given)), '1');\nconst begun = performance.now();\nassert.ok(performance.now() - begun < 100);\n",
    );
    expect(playedOf('check.cjs', text, ['exports.f = () => 1;']).said).toEqual([]);
  });
});
