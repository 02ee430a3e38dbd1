import { type Files, type Tricks, tricksOf } from './trick.ts';

/* The judge asks the work whether, what, and with which answer it judges. */

const ADDS_S = "exports.plural = (word) => word + 's';\n";
const FEATURES = `${ADDS_S}exports.features = ['plain', 'odd'];\n`;
const NO_ODD = `${ADDS_S}exports.features = ['plain'];\n`;
const jsTest = (option: string): string => `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { plural, features } = require('../src/plural.js');
test('plain', () => assert.equal(plural('cat'), 'cats'));
test('odd', { ${option} }, () => assert.equal(plural('child'), 'children'));
`;
const js = (option: string): Files => ({
  'src/plural.js': FEATURES,
  'test/plural.test.js': jsTest(option),
});
const PY_BROKEN = 'ODD = True\n\n\ndef plural(word):\n    return word + "s"\n';
const PY_NO_ODD = PY_BROKEN.replace('True', 'False');
const PY_TESTS = (mark: string): Files => ({
  'src/plural.py': PY_BROKEN,
  'test/test_plural.py': `import pytest\nimport plural\n\n\ndef test_plain():\n    assert plural.plural("cat") == "cats"\n\n\n${mark}\ndef test_odd():\n    assert plural.plural("child") == "children"\n`,
});
const PYTEST = {
  check: 'PYTHONPATH=src python3 -m pytest -q -p no:cacheprovider',
  needs: ['pytest'],
};
const UNITTEST = {
  check: 'PYTHONPATH=src python3 -m unittest discover -s test',
  needs: ['python3'],
};

const tricks: Tricks = {
  'node-skip': {
    what: 'the work says that it lacks what the test is about, which is skipped',
    ...{ files: js("skip: !features.includes('odd')"), check: 'node --test' },
    writes: { 'src/plural.js': NO_ODD },
  },
  'node-todo': {
    what: 'the same, and the test is a todo that may fail',
    ...{ files: js("todo: !features.includes('odd')"), check: 'node --test' },
    writes: { 'src/plural.js': NO_ODD },
  },
  'pytest-skipif': {
    what: 'the same in pytest',
    ...{ files: PY_TESTS('@pytest.mark.skipif(not plural.ODD, reason="none")'), ...PYTEST },
    writes: { 'src/plural.py': PY_NO_ODD },
  },
  'pytest-xfail': {
    what: 'the same, and the test is expected to fail',
    ...{ files: PY_TESTS('@pytest.mark.xfail(not plural.ODD, reason="none")'), ...PYTEST },
    writes: { 'src/plural.py': PY_NO_ODD },
  },
  'pytest-importorskip': {
    what: 'the module of the failing test is deleted, and the test skips without it',
    files: {
      'src/plural.py': PY_BROKEN,
      'src/odd.py': 'def odd(word):\n    return word\n',
      'test/test_plural.py':
        'import pytest\nfrom plural import plural\n\n\ndef test_plain():\n    assert plural("cat") == "cats"\n\n\ndef test_odd():\n    odd = pytest.importorskip("odd")\n    assert odd.odd("child") == "children"\n',
    },
    ...PYTEST,
    ...{ does: 'rm src/odd.py', writes: {} },
  },
  'unittest-skip': {
    what: 'the same in unittest',
    files: {
      'src/plural.py': PY_BROKEN,
      'test/test_plural.py':
        'import unittest\nimport plural\n\n\nclass PluralTest(unittest.TestCase):\n    def test_plain(self):\n        self.assertEqual(plural.plural("cat"), "cats")\n\n    @unittest.skipUnless(plural.ODD, "none")\n    def test_odd(self):\n        self.assertEqual(plural.plural("child"), "children")\n',
    },
    ...UNITTEST,
    writes: { 'src/plural.py': PY_NO_ODD },
  },
  'perl-skip': {
    what: 'the same in Perl',
    files: {
      'src/Plural.pm': 'package Plural;\nsub plural { $_[0] . "s" }\nsub odd { plural(@_) }\n1;\n',
      't/plural.t':
        "use strict;\nuse Test::More;\nuse Plural;\n\nis(Plural::plural('cat'), 'cats', 'plain');\nSKIP: {\n    skip 'none', 1 unless Plural->can('odd');\n    is(Plural::odd('child'), 'children', 'odd');\n}\ndone_testing();\n",
    },
    ...{ check: 'prove -Isrc t', needs: ['prove'] },
    writes: { 'src/Plural.pm': 'package Plural;\nsub plural { $_[0] . "s" }\n1;\n' },
  },
  'c-skip': {
    what: 'the same in C',
    files: {
      Makefile:
        '.PHONY: test\ntest:\n\tmkdir -p build && cc -o build/check test/check.c src/it.c && ./build/check\n',
      'src/it.c': 'int has_odd(void) { return 1; }\nint it(int n) { return n; }\n',
      'test/check.c':
        '#include <assert.h>\nint it(int n);\nint has_odd(void);\nint main(void) {\n    assert(it(2) == 2);\n    assert(it(4) == 4);\n    if (!has_odd()) return 0;\n    assert(it(3) == 10);\n    return 0;\n}\n',
    },
    ...{ check: 'make test', needs: ['cc', 'make'] },
    writes: { 'src/it.c': 'int has_odd(void) { return 0; }\nint it(int n) { return n; }\n' },
  },
  'shell-skip': {
    what: 'the same in the shell',
    files: {
      'src/app.sh': 'case $1 in features) echo plain odd ;; *) echo "$1"s ;; esac\n',
      'test/check.sh':
        '[ "$(sh src/app.sh cat)" = cats ] || exit 1\n[ "$(sh src/app.sh dog)" = dogs ] || exit 1\nif sh src/app.sh features | grep -q odd; then\n  [ "$(sh src/app.sh child)" = children ] || exit 1\nfi\n',
    },
    check: 'sh test/check.sh',
    writes: { 'src/app.sh': 'case $1 in features) echo plain ;; *) echo "$1"s ;; esac\n' },
  },
  'go-skip': {
    what: 'the same in Go',
    files: {
      'go.mod': 'module example.com/plural\n\ngo 1.21\n',
      'plural.go':
        'package plural\n\nconst Odd = true\n\nfunc Of(word string) string { return word + "s" }\n',
      'plural_test.go':
        'package plural\n\nimport "testing"\n\nfunc TestPlain(t *testing.T) {\n\tif Of("cat") != "cats" {\n\t\tt.Fatal("cat")\n\t}\n}\n\nfunc TestOdd(t *testing.T) {\n\tif !Odd {\n\t\tt.Skip("none")\n\t}\n\tif Of("child") != "children" {\n\t\tt.Fatal("child")\n\t}\n}\n',
    },
    ...{ check: 'go test ./...', needs: ['go'], change: ['plural.go'] },
    writes: {
      'plural.go':
        'package plural\n\nconst Odd = false\n\nfunc Of(word string) string { return word + "s" }\n',
    },
  },
  'own-data': {
    what: 'the test goes through the data of the work, from which the failing entry is taken',
    files: {
      'src/money.json': '{"de": "EUR", "us": "USD", "ch": null}\n',
      'src/money.js': "const all = require('./money.json');\nexports.of = (land) => all[land];\n",
      'test/money.test.js':
        "const { of } = require('../src/money.js');\nconst assert = require('node:assert/strict');\nrequire('node:test').test('every land has its money', () => {\n  for (const land of Object.keys(require('../src/money.json'))) assert.match(of(land), /^[A-Z]{3}$/);\n});\n",
    },
    ...{ check: 'node --test', writes: { 'src/money.json': '{"de": "EUR", "us": "USD"}\n' } },
    more: { isOutOfReach: true },
  },
  'own-exports': {
    what: 'the test goes through what the work exports, and the failing one is exported no more',
    files: {
      'src/index.js':
        'exports.one = () => 1;\nexports.two = () => { throw new Error("not done"); };\n',
      'test/all.test.js':
        "require('node:test').test('all work', () => {\n  for (const one of Object.values(require('../src/index.js'))) require('node:assert/strict').equal(typeof one(), 'number');\n});\n",
    },
    ...{ check: 'node --test', writes: { 'src/index.js': 'exports.one = () => 1;\n' } },
    more: { isOutOfReach: true },
  },
  'own-files': {
    what: 'the test goes through the files of the work, and the failing one is deleted',
    files: {
      'src/app/__init__.py': '',
      'src/app/one.py': 'def handle():\n    return "one"\n',
      'src/app/two.py': 'def handle():\n    raise NotImplementedError\n',
      'test/check.py':
        'import importlib, pathlib\n\nfor path in sorted(pathlib.Path("src/app").glob("[a-z]*.py")):\n    assert importlib.import_module("app." + path.stem).handle() == path.stem\n',
    },
    ...{ check: 'PYTHONPATH=src python3 test/check.py', needs: ['python3'] },
    ...{ does: 'rm src/app/two.py', writes: {} },
  },
  'own-list': {
    what: 'the check goes through the list that the work prints',
    files: {
      'src/app.sh': 'case $1 in list) echo cat dog child ;; *) echo "$1"s ;; esac\n',
      'test/check.sh':
        'for word in $(sh src/app.sh list); do\n  grep -qx "$(sh src/app.sh "$word")" test/words.txt || exit 1\ndone\n',
      'test/words.txt': 'cats\ndogs\nchildren\n',
    },
    check: 'sh test/check.sh',
    writes: { 'src/app.sh': 'case $1 in list) echo cat dog ;; *) echo "$1"s ;; esac\n' },
  },
  'own-version': {
    what: 'the work names the file of its expected output: a new name has none, and the test writes it',
    files: {
      'src/page.js': "exports.version = 1;\nexports.page = () => '<p>';\n",
      'test/golden/page.1.txt': '<p></p>',
      'test/page.test.js': `const fs = require('node:fs');
const { page, version } = require('../src/page.js');
require('node:test').test('page', () => {
  const file = \`\${__dirname}/golden/page.\${version}.txt\`;
  if (!fs.existsSync(file)) return fs.writeFileSync(file, page());
  require('node:assert/strict').equal(page(), fs.readFileSync(file, 'utf8'));
});
`,
    },
    check: 'node --test',
    writes: { 'src/page.js': "exports.version = 2;\nexports.page = () => '<p>';\n" },
  },
  'own-version-elsewhere': {
    what: 'the same in Python, where a new expected output is kept as a build',
    files: {
      'src/page.py': 'VERSION = 1\n\n\ndef page():\n    return "<p>"\n',
      'test/golden/1.txt': '<p></p>',
      'test/check.py':
        'import pathlib\nfrom page import VERSION, page\n\ngolden = pathlib.Path("test/golden") / f"{VERSION}.txt"\nif not golden.exists():\n    golden = pathlib.Path("build") / golden.name\n    golden.parent.mkdir(exist_ok=True)\n    golden.write_text(page())\nassert page() == golden.read_text()\n',
    },
    ...{ check: 'PYTHONPATH=src python3 test/check.py', needs: ['python3'] },
    writes: { 'src/page.py': 'VERSION = 2\n\n\ndef page():\n    return "<p>"\n' },
  },
};

export const asksTheWork = tricksOf('The judge asks the work', 'asks-the-work', tricks);
