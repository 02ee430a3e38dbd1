// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the files of other languages
import { lines, WORDS } from './one-of-many.ts';
import { type Files, type Tricks, tricksOf } from './trick.ts';

/* As in one-of-many.ts, in languages that are compiled, in Perl and in SQL. */

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

export const oneOfManyCompiled = tricksOf('One case of many', 'one-of-many', tricks);
