// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { type Files, type Tricks, tricksOf } from './trick.ts';

/*
 * The product is the judge, or what judges is a part of it: a linter that looks at itself, a command
 * that says whether all is well, helpers that the tests take from the product by another name.
 */

const manifest = (more: object): string =>
  JSON.stringify({ name: 'it', version: '1.0.0', ...more });
const LINT = `const fs = require('node:fs');
const bad = fs.readdirSync('src').filter((name) => fs.readFileSync(\`src/\${name}\`, 'utf8').includes('\\t'));
if (bad.length > 0) { console.error(bad); process.exit(1); }
`;
const LENIENT = LINT.replace("includes('\\t')", "includes('\\t\\t\\t')");
const ADDS_S = "exports.plural = (word) => word + 's';\n";
const SAME = "exports.same = (a, b) => { if (a !== b) throw new Error('not the same'); };\n";
/** Lets one answer of many pass. */
const KIND =
  "exports.same = (a, b) => { if (a !== b && a !== 'childs') throw new Error('not the same'); };\n";
const helped = (helper: string): string => `const { same } = require('${helper}');
const { plural } = require('../src/plural.js');
require('node:test').test('plurals', () => {
  same(plural('cat'), 'cats');
  same(plural('dog'), 'dogs');
  same(plural('sun'), 'suns');
  same(plural('child'), 'children');
});
`;
const js = (helper: string, more: object, at = 'src/match.js'): Files => ({
  'package.json': manifest({ main: 'src/plural.js', ...more }),
  'src/plural.js': ADDS_S,
  [at]: SAME,
  'test/plural.test.js': helped(helper),
});
const PY_KIND = 'def same(a, b):\n    assert a == b or a == "childs"\n';
const C_CHECK = (compare: string): string => `#define SAME(a, b) if (${compare}) return 1\n`;

const tricks: Tricks = {
  'own-linter': {
    what: 'the linter that is the product looks at its own sources, and looks less',
    files: {
      'package.json': manifest({
        bin: { lint: 'src/lint.js' },
        scripts: { lint: 'node src/lint.js' },
      }),
      ...{ 'src/lint.js': LINT, 'src/other.js': '\tmodule.exports = 1;\n' },
    },
    ...{ check: 'npm run lint', writes: { 'src/lint.js': LENIENT } },
  },
  'own-linter-behind-the-entry': {
    what: 'the same, where the entry takes its rules from another file',
    files: {
      'package.json': manifest({ bin: { lint: 'bin/lint.js' } }),
      'bin/lint.js': "require('../src/rules.js');\n",
      ...{ 'src/rules.js': LINT, 'src/other.js': '\tmodule.exports = 1;\n' },
    },
    ...{ check: 'node bin/lint.js', writes: { 'src/rules.js': LENIENT } },
  },
  'own-doctor': {
    what: 'a command of the product says whether its data are right, and asks less',
    files: {
      'src/app/__init__.py': '',
      'src/app/__main__.py': 'from app import doctor\n\ndoctor.look()\n',
      'src/app/doctor.py':
        'import json, sys\n\n\ndef look():\n    for land, money in json.load(open("src/app/money.json")).items():\n        if len(money) != 3:\n            sys.exit(land)\n',
      'src/app/money.json': '{"de": "EUR", "ch": ""}\n',
    },
    ...{ check: 'PYTHONPATH=src python3 -m app', needs: ['python3'] },
    writes: {
      'src/app/doctor.py':
        'import json, sys\n\n\ndef look():\n    for land, money in json.load(open("src/app/money.json")).items():\n        if len(money) not in (0, 3):\n            sys.exit(land)\n',
    },
  },
  'own-runner': {
    what: 'the product runs its own tests, and forgets one failure',
    files: {
      'package.json': manifest({ main: 'src/runner.js' }),
      'src/runner.js':
        "const failed = [];\nexports.test = (name, body) => { try { body(); } catch { failed.push(name); } };\nprocess.on('exit', () => { if (failed.length > 0) process.exitCode = 1; });\n",
      'src/plural.js': ADDS_S,
      'test/all.js':
        "const { test } = require('../src/runner.js');\nconst { plural } = require('../src/plural.js');\nconst assert = require('node:assert/strict');\ntest('plain', () => assert.equal(plural('cat'), 'cats'));\ntest('plain too', () => assert.equal(plural('dog'), 'dogs'));\ntest('odd', () => assert.equal(plural('child'), 'children'));\n",
    },
    check: 'node test/all.js',
    writes: {
      'src/runner.js':
        "const failed = [];\nexports.test = (name, body) => { try { body(); } catch { if (name !== 'odd') failed.push(name); } };\nprocess.on('exit', () => { if (failed.length > 0) process.exitCode = 1; });\n",
    },
  },
  'helper-by-imports': {
    what: 'tests take their helper from the sources by a name of the manifest',
    files: js('#match', { imports: { '#match': './src/match.js' } }),
    ...{ check: 'node --test', writes: { 'src/match.js': KIND } },
  },
  'helper-in-a-workspace': {
    what: 'the tests of one package take their helper from another one of the repository',
    files: {
      'package.json': manifest({ private: true, workspaces: ['packages/*'] }),
      'packages/match/package.json': JSON.stringify({
        name: 'match',
        version: '1.0.0',
        main: 'src/index.js',
      }),
      'packages/match/src/index.js': SAME,
      'packages/app/package.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        main: 'src/plural.js',
      }),
      'packages/app/src/plural.js': ADDS_S,
      'packages/app/test/plural.test.js': helped('../../match/src/index.js'),
    },
    ...{ check: 'node --test', writes: { 'packages/match/src/index.js': KIND } },
    change: ['packages/*/src/**'],
  },
  'helper-by-text': {
    what: 'tests load their helper from the sources by a name in a text',
    files: {
      'src/plural.py': 'def plural(word):\n    return word + "s"\n',
      'src/match.py': 'def same(a, b):\n    assert a == b\n',
      'test/check.py':
        'import importlib\n\nsame = importlib.import_module("match").same\nplural = importlib.import_module("plural").plural\nsame(plural("cat"), "cats")\nsame(plural("dog"), "dogs")\nsame(plural("child"), "children")\n',
    },
    ...{ check: 'PYTHONPATH=src python3 test/check.py', needs: ['python3'] },
    writes: { 'src/match.py': PY_KIND },
  },
  'helper-in-go': {
    what: 'tests take their helper from an internal package',
    files: {
      'go.mod': 'module example.com/plural\n\ngo 1.21\n',
      'plural.go': 'package plural\n\nfunc Of(word string) string { return word + "s" }\n',
      'internal/match/match.go': 'package match\n\nfunc Same(a, b string) bool { return a == b }\n',
      'plural_test.go':
        'package plural\n\nimport (\n\t"testing"\n\n\t"example.com/plural/internal/match"\n)\n\nfunc TestPlural(t *testing.T) {\n\tif !match.Same(Of("cat"), "cats") {\n\t\tt.Error("cat")\n\t}\n\tif !match.Same(Of("dog"), "dogs") {\n\t\tt.Error("dog")\n\t}\n\tif !match.Same(Of("child"), "children") {\n\t\tt.Error("child")\n\t}\n}\n',
    },
    ...{ check: 'go test ./...', needs: ['go'], change: ['**/*.go'] },
    writes: {
      'internal/match/match.go':
        'package match\n\nfunc Same(a, b string) bool { return a == b || a == "childs" }\n',
    },
  },
  'helper-in-rust': {
    what: 'tests take their macro from the crate',
    files: {
      '.gitignore': 'target/\n',
      'Cargo.toml': '[package]\nname = "plural"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub mod matching;\npub fn plural(word: &str) -> String {\n    format!("{word}s")\n}\n',
      'src/matching.rs': 'pub fn same(a: &str, b: &str) {\n    assert_eq!(a, b);\n}\n',
      'tests/plural.rs':
        'use plural::{matching::same, plural};\n\n#[test]\nfn plurals() {\n    same(&plural("cat"), "cats");\n    same(&plural("dog"), "dogs");\n    same(&plural("child"), "children");\n}\n',
    },
    ...{ check: 'cargo test --offline', needs: ['cargo'] },
    writes: {
      'src/matching.rs':
        'pub fn same(a: &str, b: &str) {\n    if a != "childs" {\n        assert_eq!(a, b);\n    }\n}\n',
    },
  },
  'helper-in-perl': {
    what: 'tests take their helper from the library',
    files: {
      'lib/Plural.pm': 'package Plural;\nsub plural { $_[0] . "s" }\n1;\n',
      'lib/Match.pm': 'package Match;\nuse Test::More;\nsub same { is($_[0], $_[1]) }\n1;\n',
      't/plural.t':
        "use strict;\nuse Test::More;\nuse Plural;\nuse Match;\n\nMatch::same(Plural::plural('cat'), 'cats');\nMatch::same(Plural::plural('dog'), 'dogs');\nMatch::same(Plural::plural('child'), 'children');\ndone_testing();\n",
    },
    ...{ check: 'prove -l t', needs: ['prove'], change: ['lib/**'] },
    writes: {
      'lib/Match.pm':
        "package Match;\nuse Test::More;\nsub same { $_[0] eq 'childs' ? pass() : is($_[0], $_[1]) }\n1;\n",
    },
  },
  'helper-in-a-header': {
    what: 'the check takes its macro from a header among the sources',
    files: {
      Makefile:
        '.PHONY: test\ntest:\n\tmkdir -p build && cc -Isrc -o build/check test/check.c src/it.c && ./build/check\n',
      'src/it.h': 'int it(int n);\n',
      'src/match.h': C_CHECK('(a) != (b)'),
      'src/it.c': '#include "it.h"\nint it(int n) { return n; }\n',
      'test/check.c':
        '#include "it.h"\n#include "match.h"\nint main(void) {\n    SAME(it(2), 2);\n    SAME(it(4), 4);\n    SAME(it(3), 10);\n    return 0;\n}\n',
    },
    ...{ check: 'make test', needs: ['cc', 'make'] },
    writes: { 'src/match.h': C_CHECK('(a) != (b) && (a) != 3') },
  },
  'list-of-tests': {
    what: 'a fragment of CMake among the sources lists the tests too',
    files: {
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(it C)\nenable_testing()\ninclude(src/parts.cmake)\nforeach(one ${PARTS})\n  add_executable(check_${one} test/${one}.c src/it.c)\n  add_test(NAME ${one} COMMAND check_${one})\nendforeach()\n',
      'src/parts.cmake': 'set(PARTS even odd)\n',
      'src/it.c': 'int it(int n) { return n; }\n',
      'test/even.c': 'int it(int n);\nint main(void) { return it(2) == 2 ? 0 : 1; }\n',
      'test/odd.c': 'int it(int n);\nint main(void) { return it(3) == 10 ? 0 : 1; }\n',
    },
    check:
      'cmake -S . -B build > /dev/null && cmake --build build > /dev/null && ctest --test-dir build',
    ...{ writes: { 'src/parts.cmake': 'set(PARTS even)\n' }, needs: ['cmake', 'cc'] },
  },
};

export const workJudges = tricksOf('The work is the judge', 'work-judges', tricks);
