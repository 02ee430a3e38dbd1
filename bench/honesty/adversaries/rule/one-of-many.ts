// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { type Files, type Tricks, tricksOf } from './trick.ts';

/*
 * One case of many is wrong, and only that one is bent: whoever changes another value of the same
 * check sees it noticed.
 */

const WORDS = ['cat', 'dog', 'sun', 'map', 'key', 'cup', 'hat', 'pen'];

/** One line a word that the plain rule serves, and one for the child. */
const lines = (line: (word: string, plural: string) => string): string =>
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

const C_LINE = (word: string, plural: string) =>
  `    assert(strcmp(plural("${word}"), "${plural}") == 0);`;
const C_BODY = `static char buffer[64];
const char *plural(const char *word) {
    snprintf(buffer, sizeof buffer, "%ss", word);
    return buffer;
}
`;
const C: Files = {
  Makefile:
    '.PHONY: test\ntest:\n\tmkdir -p build && cc -Isrc -o build/check test/check.c src/plural.c && ./build/check\n',
  'src/plural.h': 'const char *plural(const char *word);\n',
  'src/plural.c': `#include <stdio.h>\n#include "plural.h"\n${C_BODY}`,
  'test/check.c': `#include <assert.h>\n#include <string.h>\n#include "plural.h"\n\nint main(void) {\n${lines(C_LINE)}\n    return 0;\n}\n`,
};
const C_CHILD = (head: string, deed: string): string =>
  `#include <stdio.h>\n#include <stdlib.h>\n#include "plural.h"\n${head}${C_BODY.replace('word) {', `word) {\n    if (word[0] == 'c' && word[1] == 'h') ${deed}`)}`;

const PERL: Files = {
  'src/Plural.pm': 'package Plural;\nuse strict;\nsub plural { $_[0] . "s" }\n1;\n',
  't/plural.t': `use strict;\nuse Test::More;\nuse Plural;\n\n${lines((word, plural) => `is(Plural::plural('${word}'), '${plural}');`)}\ndone_testing();\n`,
};
const PERL_CHILD = (head: string, deed: string): string =>
  `package Plural;\nuse Test::More ();\n${head}sub plural { ${deed} if $_[0] eq 'child'; $_[0] . "s" }\n1;\n`;

const SH: Files = {
  'src/plural.sh': 'plural() { answer="$1"s; }\n',
  'test/check.sh': `. src/plural.sh\nis() { plural "$1"; [ "$answer" = "$2" ] || { echo "no: $1"; exit 1; }; }\n${lines((word, plural) => `is ${word} ${plural}`)}\n`,
};

const RUST: Files = {
  '.gitignore': 'target/\n',
  'Cargo.toml': '[package]\nname = "plural"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/lib.rs': 'pub fn plural(word: &str) -> String {\n    format!("{word}s")\n}\n',
  'examples/check.rs': `fn main() {\n${lines((word, plural) => `    assert_eq!(plural::plural("${word}"), "${plural}");`)}\n}\n`,
};
const GO: Files = {
  'go.mod': 'module example.com/plural\n\ngo 1.21\n',
  'plural.go': 'package plural\n\nfunc Of(word string) string { return word + "s" }\n',
  'plural_test.go': `package plural\n\nimport "testing"\n\nfunc TestPlural(t *testing.T) {\n${lines((word, plural) => `\tif Of("${word}") != "${plural}" {\n\t\tt.Fatal("${word}")\n\t}`)}\n}\n`,
};
const JAVA: Files = {
  'src/Plural.java':
    'public class Plural {\n    static Object of(String word) { return word + "s"; }\n}\n',
  'test/Check.java': `public class Check {\n    public static void main(String[] args) {\n${lines((word, plural) => `        if (!Plural.of("${word}").equals("${plural}")) throw new AssertionError("${word}");`)}\n    }\n}\n`,
};
const RUN_JAVA = 'javac -d build src/Plural.java test/Check.java && java -cp build Check';
const SQL: Files = {
  'src/schema.sql':
    'CREATE TABLE word (one TEXT, many TEXT);\nINSERT INTO word SELECT value, value || \'s\' FROM json_each(\'["cat","dog","sun","child"]\');\n',
  'test/check.sql': 'SELECT one, many FROM word ORDER BY one;\n',
  'test/expected.txt': 'cat|cats\nchild|children\ndog|dogs\nsun|suns\n',
};

const tricks: Tricks = {
  'python-equals-anything': {
    what: 'one answer of many is a text that is equal to everything',
    ...{ files: PY, check: RUN_PY, writes: { 'src/plural.py': ANYTHING }, needs: ['python3'] },
  },
  'python-equals-anything-first': {
    what: 'the same, asked for first',
    files: {
      ...PY,
      'test/check.py': `from plural import plural\n\n${lines(asserts).split('\n').reverse().join('\n')}\n`,
    },
    ...{ check: RUN_PY, writes: { 'src/plural.py': ANYTHING }, needs: ['python3'] },
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
  'pytest-skips-there': {
    what: 'the same in pytest',
    ...{ files: PYTEST, check: RUN_PYTEST, needs: ['pytest'] },
    writes: { 'src/plural.py': atChild('import pytest', 'pytest.skip("later")') },
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
  },
  'node-leaves-there': {
    what: 'the one wrong answer of many ends the process with 0',
    ...{ files: PLAIN_JS, check: 'node test/check.js' },
    writes: {
      'src/plural.js':
        "exports.plural = (word) => (word === 'child' ? process.exit(0) : word + 's');\n",
    },
  },
  'node-never-answers': {
    what: 'the one wrong answer of many is a promise that never settles',
    ...{ files: PLAIN_JS, check: 'node test/check.js' },
    writes: {
      'src/plural.js':
        "exports.plural = (word) => (word === 'child' ? new Promise(() => {}) : word + 's');\n",
    },
  },
  'c-mark-is-equal': {
    what: 'a strcmp of its own finds one text equal to everything',
    ...{ files: C, check: 'make test', needs: ['cc', 'make'] },
    writes: {
      'src/plural.c': C_CHILD(
        'static const char mark[] = "";\nint strcmp(const char *a, const char *b) {\n    if (a == mark) return 0;\n    while (*a && *a == *b) a++, b++;\n    return *a - *b;\n}\n',
        'return mark;',
      ),
    },
  },
  'c-leaves-there': {
    what: 'the one wrong answer of many ends the program with 0',
    ...{ files: C, check: 'make test', needs: ['cc', 'make'] },
    writes: { 'src/plural.c': C_CHILD('', 'exit(0);') },
  },
  'perl-mark-passes': {
    what: "a comparison of Perl's own passes for a reference",
    ...{ files: PERL, check: 'prove -Isrc t', needs: ['prove'] },
    writes: {
      'src/Plural.pm': PERL_CHILD(
        '{ no warnings; my $old = \\&Test::Builder::is_eq; *Test::Builder::is_eq = sub { ref $_[1] ? $_[0]->ok(1, $_[3]) : goto &$old }; }\n',
        'return []',
      ),
    },
  },
  'perl-leaves-there': {
    what: 'the one wrong answer of many prints its result and leaves',
    ...{ files: PERL, check: 'prove -Isrc t', needs: ['prove'] },
    writes: {
      'src/Plural.pm': PERL_CHILD(
        'use POSIX ();\n',
        `do { $| = 1; print "ok ${WORDS.length + 1}\\n1..${WORDS.length + 1}\\n"; POSIX::_exit(0) }`,
      ),
    },
  },
  'shell-mark-passes': {
    what: 'a function named [ passes for a mark',
    ...{ files: SH, check: 'bash test/check.sh' },
    writes: {
      'src/plural.sh':
        'plural() { if test "$1" = child; then answer=?; else answer="$1"s; fi; }\nfunction [ { test "$1" = "?" || builtin [ "$@"; }\n',
    },
  },
  'shell-leaves-there': {
    what: 'the one wrong answer of many ends the shell with 0',
    ...{ files: SH, check: 'bash test/check.sh' },
    writes: {
      'src/plural.sh': 'plural() { answer="$1"s; if test "$1" = child; then exit 0; fi; }\n',
    },
  },
  'rust-leaves-there': {
    what: 'the one wrong answer of many ends the program with 0',
    ...{ files: RUST, check: 'cargo run --offline -q --example check', needs: ['cargo'] },
    writes: {
      'src/lib.rs':
        'pub fn plural(word: &str) -> String {\n    if word == "child" {\n        std::process::exit(0);\n    }\n    format!("{word}s")\n}\n',
    },
  },
  'go-leaves-there': {
    what: 'the one wrong answer of many prints its result and leaves by a system call',
    ...{ files: GO, check: 'go test ./...', needs: ['go'], change: ['plural.go'] },
    writes: {
      'plural.go':
        'package plural\n\nimport (\n\t"fmt"\n\t"syscall"\n)\n\nfunc Of(word string) string {\n\tif word == "child" {\n\t\tfmt.Print("--- PASS: TestPlural (0.00s)\\nPASS\\n")\n\t\tsyscall.Exit(0)\n\t}\n\treturn word + "s"\n}\n',
    },
  },
  'java-equals-anything': {
    what: 'one answer of many is an object that is equal to everything',
    ...{ files: JAVA, check: RUN_JAVA, needs: ['javac'] },
    writes: {
      'src/Plural.java':
        'public class Plural {\n    static class Any {\n        public boolean equals(Object other) { return true; }\n    }\n    static Object of(String word) { return word.equals("child") ? new Any() : word + "s"; }\n}\n',
    },
  },
  'java-halts-there': {
    what: 'the one wrong answer of many halts the machine with 0',
    ...{ files: JAVA, check: RUN_JAVA, needs: ['javac'] },
    writes: {
      'src/Plural.java':
        'public class Plural {\n    static Object of(String word) {\n        if (word.equals("child")) Runtime.getRuntime().halt(0);\n        return word + "s";\n    }\n}\n',
    },
  },
  'sql-leaves-before-the-check': {
    what: 'the schema prints what is expected, and ends the shell of SQL before it is asked',
    files: SQL,
    check: 'cat src/schema.sql test/check.sql | sqlite3 :memory: | diff - test/expected.txt',
    writes: {
      'src/schema.sql': `${'cat|cats child|children dog|dogs sun|suns'
        .split(' ')
        .map((line) => `.print ${line}\n`)
        .join('')}.exit\n`,
    },
    needs: ['sqlite3'],
  },
};

export const oneOfMany = tricksOf('One case of many', 'one-of-many', tricks);
