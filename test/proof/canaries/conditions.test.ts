import { expect, test } from 'vitest';
import {
  expectedInCondition,
  turnedCondition,
  turnedProperty,
} from '../../../src/proof/canaries/conditions.ts';
import { pinsOf } from '../../../src/proof/canaries/pins.ts';

const turned = (path: string, statement: string): string => {
  const [found] = turnedCondition(statement, path);
  if (found === undefined) return statement;
  return statement.slice(0, found.at) + found.now + statement.slice(found.end);
};

test.each([
  ['a.go', 'if got != want { t.Error(got) }', 'if !(got != want) { t.Error(got) }'],
  [
    'a.go',
    'if err := quick.Check(func(n int) bool { return f(n) == n+n }, nil); err != nil { t.Error(err) }',
    'if err := quick.Check(func(n int) bool { return f(n) == n+n }, nil); !(err != nil) { t.Error(err) }',
  ],
  ['a.rs', 'if got != want { panic!("no") }', 'if !(got != want) { panic!("no") }'],
  [
    'a.js',
    'if (f(x) === want(x)) throw new Error();',
    'if (!(f(x) === want(x))) throw new Error();',
  ],
  ['a.c', 'if (f(x) != g(x)) failures++;', 'if (!(f(x) != g(x))) failures++;'],
  ['a.c', 'if (f(a, b) != g(a, b)) return 1;', 'if (!(f(a, b) != g(a, b))) return 1;'],
  ['a.py', 'if f(x) != x: raise AssertionError', 'if not (f(x) != x): raise AssertionError'],
  ['a.sh', 'if [ "$a" != "$b" ]; then exit 1', 'if ! [ "$a" != "$b" ]; then exit 1'],
  ['a.sh', 'if ! same a b; then echo FAIL', 'if same a b; then echo FAIL'],
  ['a.t', 'unless ($ok) { die "no" }', 'unless (!($ok)) { die "no" }'],
])('WORD-50: in %s, a condition in front of a report is turned round: %s', (path, one, other) => {
  expect(turned(path, one)).toBe(other);
});

test.each([
  ['a.go', 'if got != want { got = want }'],
  ['a.rs', 'if let Some(x) = f() { panic!("no") }'],
  ['a.js', 'assert.equal(f(x), "if (x) throw")'],
  ['a.js', 'if (process.env.DEBUG) console.error(x);'],
  ['a.go', 'if testing.Verbose() { log.Println(err) }'],
  ['a.sh', 'if [ "$a" ]; then exit 0'],
])('WORD-50: in %s, what demands nothing stays: %s', (path, one) => {
  expect(turned(path, one)).toBe(one);
});

test.each([
  [
    'a.go',
    'if err := quick.Check(func(n int) bool { return f(n) == n+n }, nil); err != nil {',
    'if err := quick.Check(func(n int) bool { return !(f(n) == n+n) }, nil); err != nil {',
  ],
  [
    'a.ts',
    'fc.assert(fc.property(fc.integer(), (n) => f(n) === n + n));',
    'fc.assert(fc.property(fc.integer(), (n) => !(f(n) === n + n)));',
  ],
  [
    'A.java',
    'assertTrue(all.allMatch(n -> f(n) == n + n));',
    'assertTrue(all.allMatch(n -> !(f(n) == n + n)));',
  ],
])('WORD-51: in %s, what a property says is turned round: %s', (path, one, other) => {
  const [found] = turnedProperty(one, path);
  expect(found && one.slice(0, found.at) + found.now + one.slice(found.end)).toBe(other);
});

test.each([
  ['a.js', 'assert.equal(f(1), 3);\nif (url !== known) throw new Error();\n', 1],
  ['a.py', 'assert f(1) == 3\nif url != known:\n    raise stop\n', 1],
  ['a.go', 'if f(1) != 3 { t.Fatal() }\nif err != nil {\n\tt.Fatal(err)\n}\n', 2],
])(
  'WORD-50: in %s, a condition behind the line that failed may be one of a mock',
  (path, text, asked) => {
    const own = { text, from: 0, to: text.length, failedAt: [1] };
    const pins = pinsOf(own, { isName: () => false, path }, () => 0);
    // What is said without a library stands on the first line as well.
    expect(new Set(pins.map(({ at }) => text.slice(0, at).split('\n').length)).size).toBe(asked);
  },
);

test.each([
  ['t.rs', 'fn parses() -> Result<(), String> {'],
  ['t.cpp', 'auto check(int n) -> std::vector<int> {'],
])('WORD-54: in %s, a type behind an arrow is no property: %s', (path, line) => {
  expect(turnedProperty(line, path)).toEqual([]);
});

test.each([
  ['A.java', 'if (!of("child").equals("children")) throw new AssertionError();', ['"children"']],
  ['A.java', 'if (!Objects.equals(of(1), "a") || of(2) != 4) fail();', ['"a"', '4']],
  ['A.java', 'if (of("child").equals("childs")) throw new AssertionError();', []],
  ['A.java', 'if (!of(1).equals("a") && !of(1).equals("b")) fail();', []],
  ['A.java', 'if (!(of(1).equals("a") || of(1).equals("b"))) fail();', []],
  ['a.go', 'if !reflect.DeepEqual(Of(2), []int{4}) { t.Fatal() }', ['[]int{4}']],
  ['a.go', 'if got, err := Of(1); err != nil || got != 3 { t.Fatal() }', ['nil', '3']],
  ['a.go', 'if err == nil || got != 3 { t.Fatal() }', ['3']],
  ['a.c', 'if (strcmp(of("child"), "children")) return 1;', ['"children"']],
  ['a.c', 'if (strcmp(of("child"), "children") != 0) return 1;', ['"children"']],
  ['a.c', 'if (!strcmp(of("child"), "childs")) return 1;', []],
  ['a.c', 'if (strcmp(of("child"), "childs") == 0) return 1;', []],
  ['a.rs', 'if !of("child").eq("children") { panic!() }', ['"children"']],
  ['a.py', 'if not same(of(1), "a"): raise AssertionError', ['"a"']],
  ['a.pl', 'unless (is_same(of(1), "a")) { die }', ['"a"']],
  ['a.pl', 'die "cat" unless of("cat") eq "cats";', ['"cats"']],
  ['a.pl', 'die unless of("a") eq "b" and of("c") eq "d";', ['"b"', '"d"']],
  ['a.pl', 'die unless of("a") eq "b" and not of("c") ne "d" and of(1) == 2;', ['"b"', '"d"', '2']],
  ['a.pl', 'die "cat" if of("cat") ne "cats";', ['"cats"']],
  ['a.pl', 'die "cat" if of("cat") eq "cate";', []],
  ['a.rb', 'raise "cat" unless of("cat") == "cats"', ['"cats"']],
  ['a.py', 'raise first if of(1) != 3 else second', []],
  ['a.sh', 'if [ "$(of 1)" -ne 3 ]; then exit 1', ['3']],
  ['a.js', 'if (of(1) !== 3) known = true;', []],
])(
  'WORD-58: in %s, what is reported for not being as expected has to be noticed by another value: %s',
  (path, statement, expected) => {
    const spans = expectedInCondition(statement, path);
    expect(spans.map(([from, to]) => statement.slice(from, to).trim())).toEqual(expected);
  },
);
