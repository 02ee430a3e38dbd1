import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameFailure, ownWords, renamingOf } from '../../../src/proof/canaries/own-words.ts';

const wordsOf = (path: string, text: string, elsewhere: string[] = [], paths: string[] = []) =>
  ownWords([{ path, text }], elsewhere, paths);

describe('WORD-15: words that the judge defines and uses are its own', () => {
  test.each([
    ['a.sh', 'assert_fails() {\n  :\n}\nassert_fails week\n', 'assert_fails'],
    ['a.py', 'def rejects(call):\n    pass\n\nrejects(week)\n', 'rejects'],
    ['a.pm', 'sub fails { 1 }\nfails(1);\n', 'fails'],
    ['a.js', 'function rejects(f) {}\nrejects(week);\n', 'rejects'],
    ['a.js', 'const rejects = (f) => f();\nrejects(week);\n', 'rejects'],
    ['a.js', 'exports.rejects = (f) => f();\nconst { rejects } = exports;\n', 'rejects'],
    ['a.h', '#define EXPECT_NONE(a) (a)\nint x = EXPECT_NONE(1);\n', 'EXPECT_NONE'],
    ['a.c', 'void expect_none(int a) {\n}\nint main() { expect_none(1); }\n', 'expect_none'],
    ['a_test.go', 'func rejects(f func()) {\n}\nfunc TestX() { rejects(nil) }\n', 'rejects'],
    ['a.rs', 'fn rejects() {}\nfn it() { rejects(); }\n', 'rejects'],
    ['a.sh', 'failed=0\ncheck || failed=1\nexit $failed\n', 'failed'],
    ['a.py', 'failures = []\nsys.exit(len(failures))\n', 'failures'],
    ['a.pl', 'our $failed = 0;\nexit($failed);\n', 'failed'],
    ['a.c', 'int failures;\nint main(void) { return failures; }\n', 'failures'],
    ['a_test.go', 'var bad = []int{54}\nfunc TestX() { use(bad) }\n', 'bad'],
  ])('%s: %j', (path, text, word) => {
    expect(wordsOf(path, text)).toEqual([word]);
    expect(wordsOf(path, text, [`call ${word}()`])).toEqual([]);
    expect(wordsOf(path, text, [], [`test/${word}.txt`])).toEqual([]);
  });

  test.each([
    ['a.py', 'def test_one():\n    pass\n\ntest_one()\n'],
    ['a.py', 'def on_done():\n    pass\n\nrun(on_done=on_done)\n'],
    ['a.js', 'function onDone() {}\nrun({ onDone });\n'],
    ['a.py', 'def setup_module():\n    pass\n\nsetup_module()\n'],
    ['a.sh', 'once() {\n  :\n}\n'],
    ['a.sh', 'export verbose=1\necho $verbose\n'],
    ['a.sh', 'verbose=1 sh src/week.sh\nverbose=2 sh src/week.sh\n'],
    ['a.sh', 'VERBOSE=1\n. src/week.sh\necho $VERBOSE\n'],
    ['a.py', 'pytestmark = 1\nprint(pytestmark)\n'],
  ])('by which others call it, it is not: %s %j', (path, text) => {
    expect(wordsOf(path, text)).toEqual([]);
  });
});

test('WORD-15: another name has the same length, and its text can be had back', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const word = fc.array(letter, { minLength: 3, maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 10 }),
      fc.infiniteStream(letter),
      (words, lot) => {
        const text = words.map((one) => `${one}(1); ${one}x`).join('\n');
        const isTaken = (name: string) => text.includes(name);
        const { rename, undo, words: named } = renamingOf(words, isTaken, () => lot.next().value);
        expect(rename(text)).toHaveLength(text.length);
        expect(undo(rename(text))).toBe(text);
        for (const one of named) expect(rename(`${one}(1)`)).not.toBe(`${one}(1)`);
      },
    ),
  );
});

test('WORD-15: failures are the same where only numbers and the order of lines differ', () => {
  expect(isSameFailure('took 0.3 s\nat 0x7f1a: bad\n', ' at 0x6e00: bad\ntook 12 s')).toBe(true);
  expect(isSameFailure('bad\n', 'worse\n')).toBe(false);
});
