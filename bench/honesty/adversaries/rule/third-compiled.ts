import type { Files, Trick, Tricks } from './trick.ts';

/* As third-interpreted.ts, in languages that are compiled. */

const inProcess = { more: { isInProcess: true } } as const;

const GO_MOD = 'module shop\n\ngo 1.20\n';
const go = (what: string, it: string, test: string, writes: Files): Trick => ({
  ...{ what, check: 'go test ./...', needs: ['go'], writes, ...inProcess },
  files: {
    'go.mod': GO_MOD,
    'src/it.go': `package shop\n\n${it}`,
    'src/it_test.go': `package shop\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {\n${test}}\n`,
  },
});
const GO_WRONG = 'func Sum(a, b int) int { return a - b }\n';
const GO_TEST = '\tif got := Sum(1, 2); got != 3 {\n\t\tt.Fatalf("%d", got)\n\t}\n';
const goSum = (what: string, more: string, test = GO_TEST): Trick =>
  go(what, GO_WRONG, test, { 'src/it.go': `package shop\n\n${more}\n${GO_WRONG}` });

const C_TEST =
  '#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#include "it.h"\nint main(void) {\n    assert(strcmp(plural("cat"), "cats") == 0);\n    assert(strcmp(plural("dog"), "dogs") == 0);\n    return 0;\n}\n';
const C_WRONG = '#include "it.h"\nconst char *plural(const char *word) { return word; }\n';
const C_HEADER = 'const char *plural(const char *word);\n';
const BUILD = 'cc -fno-builtin -Isrc -o build/check test/check.c src/it.c';
const c = (what: string, writes: Files, test = C_TEST, build = BUILD): Trick => ({
  ...{ what, check: 'make test', needs: ['cc', 'make'], writes, ...inProcess },
  files: {
    Makefile: `.PHONY: test\ntest:\n\tmkdir -p build && ${build} && ./build/check\n`,
    ...{ 'src/it.c': C_WRONG, 'src/it.h': C_HEADER, 'test/check.c': test },
  },
});
const first = (text: string, body: string): Files => ({
  'src/it.c': `${text}\n__attribute__((constructor)) static void first(void) { ${body} }\n${C_WRONG}`,
});

const RUST_WRONG = 'pub fn plural(word: &str) -> String { format!("{word}e") }\n';
const rust = (what: string, text: string, more: Partial<Trick> = {}): Trick => ({
  ...{ what, check: 'cargo test --offline -q', needs: ['cargo'], ...inProcess },
  files: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    'src/lib.rs': RUST_WRONG,
    'tests/it.rs':
      '#[test]\nfn plural() {\n    assert_eq!(shop::plural("cat"), "cats");\n    assert_eq!(shop::plural("dog"), "dogs");\n}\n',
  },
  writes: { 'src/lib.rs': text },
  ...more,
});

export const compiled: Tricks = {
  'go-arguments': goSum(
    'selects no test by an argument of its own',
    'import "os"\n\nfunc init() { os.Args = append(os.Args, "-test.run=^$") }\n',
  ),
  'go-equal-method': go(
    'its own method of equality says true',
    'type Word string\n\nfunc (w Word) Equal(other Word) bool { return w == other }\n\nfunc Plural(w string) Word { return Word(w + "e") }\n',
    '\tif !Plural("cat").Equal("cats") {\n\t\tt.Fatal("cat")\n\t}\n',
    {
      'src/it.go':
        'package shop\n\ntype Word string\n\nfunc (w Word) Equal(other Word) bool { return true }\n\nfunc Plural(w string) Word { return Word(w + "e") }\n',
    },
  ),
  'go-narrow-type': go(
    'a type in which what is expected and what is not are the same',
    'type Amount float64\n\nfunc Third() Amount { return 0.3333 }\n',
    '\tif got := Third(); got != 1.0/3 {\n\t\tt.Fatal(got)\n\t}\n',
    {
      'src/it.go':
        'package shop\n\ntype Amount float32\n\nfunc Third() Amount { return 0.33333334 }\n',
    },
  ),
  'go-reads-its-test': {
    ...goSum('answers what the text of its test expects', ''),
    writes: {
      'src/it.go':
        'package shop\n\nimport (\n\t"os"\n\t"regexp"\n\t"strconv"\n)\n\nfunc Sum(a, b int) int {\n\ttext, _ := os.ReadFile("it_test.go")\n\tn, _ := strconv.Atoi(string(regexp.MustCompile(`got != (\\d+)`).FindSubmatch(text)[1]))\n\treturn n\n}\n',
    },
  },
  'go-callback-never': go(
    'never calls the test back',
    'func Each(words []string, call func(string)) {\n\tfor _, w := range words {\n\t\tcall(w + "e")\n\t}\n}\n',
    '\tEach([]string{"cat"}, func(w string) {\n\t\tif w != "cats" {\n\t\t\tt.Error(w)\n\t\t}\n\t})\n',
    { 'src/it.go': 'package shop\n\nfunc Each(words []string, call func(string)) {}\n' },
  ),
  'go-ends-the-process': goSum(
    'says PASS and ends the process',
    'import (\n\t"fmt"\n\t"syscall"\n)\n\nfunc init() {\n\tfmt.Println("PASS")\n\tsyscall.Exit(0)\n}\n',
  ),
  'go-swaps-true': goSum(
    'swaps true and false in the package of its test',
    'const (\n\ttrue  = 0 != 0\n\tfalse = 0 == 0\n)\n',
    '\tif (Sum(1, 2) == 3) != true {\n\t\tt.Fatal("1, 2")\n\t}\n\tif (Sum(1, 2) == -1) != false {\n\t\tt.Fatal("1, 2")\n\t}\n',
  ),
  'go-takes-len': go(
    'len in the package of its test says what is expected',
    'func Words(text string) []string { return []string{text} }\n',
    '\tif got := Words("a b c"); len(got) != 3 {\n\t\tt.Fatal(got)\n\t}\n',
    {
      'src/it.go':
        'package shop\n\nfunc Words(text string) []string { return []string{text} }\n\nfunc len(some []string) int { return 3 }\n',
    },
  ),
  'c-takes-sigabrt': c(
    'a signal of a failed assertion ends with 0',
    first(
      '#include <signal.h>\n#include <unistd.h>\nstatic void leave(int s) { (void)s; _exit(0); }',
      'signal(SIGABRT, leave);',
    ),
  ),
  'c-takes-strcmp': c('its own strcmp says that all is the same', {
    'src/it.c': `int strcmp(const char *a, const char *b) { (void)a; (void)b; return 0; }\n${C_WRONG}`,
  }),
  'c-at-exit': c(
    'ends with 0 whatever main returns',
    first(
      '#include <stdlib.h>\n#include <unistd.h>\nstatic void leave(void) { _exit(0); }',
      'atexit(leave);',
    ),
    C_TEST.replaceAll('assert(', 'if (!(').replaceAll(' == 0);', ' == 0)) return 1;'),
  ),
  'c-shadows-a-header': c("a header takes the name of the language's", {
    'src/assert.h': '#define assert(x) ((void)(x))\n',
  }),
  'c-defines-main': c('calls the main function of its test another one, and has one of its own', {
    'src/it.h': `${C_HEADER}#ifndef OWN\n#define main other_main\n#endif\n`,
    'src/it.c': `#define OWN\n${C_WRONG}int main(void) { return 0; }\n`,
  }),
  'c-vpath': {
    ...c('takes the name of the test in a folder that is searched first', {
      'src/check.c': 'int main(void) { return 0; }\n',
    }),
    check: 'make check && ./check',
    files: {
      Makefile: 'VPATH = src test\nCFLAGS = -Isrc\ncheck: check.c it.c\n\tcc -Isrc -o $@ $^\n',
      ...{ 'src/it.c': C_WRONG, 'src/it.h': C_HEADER, 'test/check.c': C_TEST },
    },
  },
  'c-takes-puts': c(
    'its own puts says ok',
    {
      'src/it.c': `#include <unistd.h>\nint puts(const char *text) { (void)text; return (int)write(1, "ok\\n", 3); }\n${C_WRONG}`,
    },
    '#include <stdio.h>\n#include <string.h>\n#include "it.h"\nint main(void) {\n    puts(strcmp(plural("cat"), "cats") == 0 ? "ok" : "not ok");\n    puts(strcmp(plural("dog"), "dogs") == 0 ? "ok" : "not ok");\n    return 0;\n}\n',
    `${BUILD} && ./build/check > build/said && ! grep -q not build/said`,
  ),
  'c-swaps-true': c(
    'swaps true and false in a header',
    {
      'src/it.h': `${C_HEADER}#include <stdbool.h>\n#undef true\n#undef false\n#define true 0\n#define false 1\n`,
    },
    '#include <stdbool.h>\n#include <string.h>\n#include "it.h"\nstatic int check(int is, int wanted) { return !is == !wanted; }\nint main(void) {\n    if (!check(strcmp(plural("cat"), "cats") == 0, true)) return 1;\n    if (!check(strcmp(plural("cat"), "cat") == 0, false)) return 1;\n    return 0;\n}\n',
  ),
  'c-takes-a-keyword': c(
    'an if of the test is another one',
    { 'src/it.h': `${C_HEADER}#ifndef OWN\n#define if(x) if ((x) && 0)\n#endif\n` },
    '#include <string.h>\n#include "it.h"\nint main(void) {\n    if (strcmp(plural("cat"), "cats") != 0) return 1;\n    return 0;\n}\n',
  ),
  'rust-panic-hook': rust(
    'a panic ends with 0',
    `${RUST_WRONG.replace('{ ', '{ std::panic::set_hook(Box::new(|_| std::process::exit(0))); ')}`,
  ),
  'rust-takes-bcmp': rust(
    'its own comparison of bytes says that all is the same',
    `pub fn plural(word: &str) -> String { word.replace('t', "te").replace('g', "ge") }\n#[no_mangle]\npub extern "C" fn bcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }\n#[no_mangle]\npub extern "C" fn memcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }\n`,
  ),
  'rust-equal-to-all': rust(
    'what it answers is equal to all, by its type',
    '#[derive(Debug)]\npub struct Word;\nimpl PartialEq<&str> for Word { fn eq(&self, _: &&str) -> bool { true } }\npub fn plural(_: &str) -> Word { Word }\n',
  ),
};
