import { folderOf, type Source } from '../scope/code-files.ts';
import { packageOf } from '../shadow-names.ts';
import { type Wording, wordsIn } from './bare-text.ts';
import { definitionsIn, FUNCTION, macros } from './definitions.ts';

/*
 * What the judge's own text means is not the work's to change: a word of it that led to the language
 * before leads there still.
 */

/** A word of the judge's that a file of the work gives a meaning now, and no file did before. */
export interface NewWord {
  readonly path: string;
  readonly word: string;
  /** Empty where it can't be compared. */
  readonly meaning: string;
}

/** Is it a word that the language has of itself, with another meaning? */
export type Takes = (one: NewWord) => boolean;

/** A file of the work, as it is now and as it was. */
export interface Changed extends Source {
  readonly before: string;
}

/** Words that files of the work give a meaning which they had not there before. */
export const newWordsIn = (language: Wording, work: readonly Changed[]): NewWord[] =>
  work.flatMap(({ path, text, before }) => {
    const known = definitionsIn(language, before);
    return [...definitionsIn(language, text)].flatMap(([word, meaning]) =>
      known.get(word) === meaning ? [] : [{ path, word, meaning }],
    );
  });

/**
 * Of these words those that a text of the judge says, and that no file of the original defined.
 *
 * @param work files of the work, as they are now
 * @param original files of the original in this language
 * @param judge what judges, and what a shell is told
 */
export function wordsOfJudge(
  language: Wording,
  words: readonly NewWord[],
  { work, original, judge }: Readonly<Record<'work' | 'original' | 'judge', readonly Source[]>>,
): NewWord[] {
  const known = original.map((one) => definitionsIn(language, one.text));
  return words.filter(({ path, word, meaning }) => {
    const own = work.find((one) => one.path === path);
    const isSaid = judge.some(
      (one) => own !== undefined && says(language, one, word) && reaches(language, own, one),
    );
    return isSaid && !known.some((one) => one.get(word) === meaning);
  });
}

/** What C reserves for itself stands behind its own macros, such as `assert`. */
const says = (language: Wording, { text }: Source, word: string): boolean =>
  (language === 'c' && word.startsWith('__')) || wordsIn(language, text).has(word);

/** May what the work's file defines have a meaning in the judge's? */
function reaches(language: Wording, work: Source, judge: Source): boolean {
  switch (language) {
    case 'go':
      return folderOf(work.path) === folderOf(judge.path) && goPackage(work) === goPackage(judge);
    case 'jvm':
      return packageOf(work.text) === packageOf(judge.text);
    case 'shell':
      return /(?:^|[;&|({]|\bthen\b|\bdo\b)\s*(?:\.|source)\s+\S/m.test(judge.text);
    case 'python':
      return /^\s*from\s+\S+\s+import\s+\*/m.test(judge.text);
    case 'rust':
      return work.path === judge.path || /\buse\s[^;]*\*|#\[macro_use/.test(judge.text);
    case 'c':
      return true;
  }
}

const goPackage = ({ text }: Source) => /^\s*package\s+(\w+)/m.exec(text)?.[1];

const list = (words: string): Takes => {
  const known = new Set(words.trim().split(/\s+/));
  return ({ word }) => known.has(word);
};

/** The predeclared identifiers of the language's specification. */
export const GO_WORDS = list(`
  any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune
  string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex
  copy delete imag len make max min new panic print println real recover`);

/** Macros of the standard library, and what its prelude names that a test says. */
export const RUST_WORDS = list(`
  assert! assert_eq! assert_ne! debug_assert! debug_assert_eq! debug_assert_ne! vec! format! matches!
  panic! print! println! eprint! eprintln! write! writeln! unreachable! todo! unimplemented! dbg!
  concat! stringify! include_str! include_bytes! env! line! file! column! cfg! Some None Ok Err drop
  std bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64`);

/** Of `java.lang`, which every file has without an import. */
export const JAVA_WORDS = list(`
  Appendable ArithmeticException ArrayIndexOutOfBoundsException AssertionError AutoCloseable Boolean
  Byte CharSequence Character Class ClassCastException Cloneable Comparable Deprecated Double Enum
  Exception Float IllegalArgumentException IllegalStateException IndexOutOfBoundsException
  Integer Iterable Long Math NullPointerException Number NumberFormatException Object Override
  Runnable Runtime RuntimeException Short StackTraceElement StrictMath String
  StringBuffer StringBuilder SuppressWarnings System Thread ThreadLocal Throwable
  UnsupportedOperationException Void`);

const C_KEYWORDS = list(`
  auto break case char const continue default do double else enum extern float for goto if inline int
  long register restrict return short signed sizeof static struct switch typedef union unsigned void
  volatile while bool true false nullptr static_assert main`);
const CPP_KEYWORDS = list(`
  catch class delete new private protected public template this throw try typename using virtual
  namespace operator`);

/**
 * Keywords, and what the headers of the language define and declare.
 *
 * @param printed by `cc -E -dD` for these headers
 * @param isCpp a file of the judge is one of C++
 */
export function cWords(printed: string, isCpp: boolean): Takes {
  const defined = new Map(macros(printed));
  const calls = printed.matchAll(/\b([A-Za-z_]\w*)\s*\(/g);
  const declared = new Set([...calls].map(([, word]) => word));
  const isKeyword: Takes = (one) => C_KEYWORDS(one) || (isCpp && CPP_KEYWORDS(one));
  return (one) => {
    const { word, meaning } = one;
    if (defined.get(word) === meaning) return false;
    // A program has a `main`, and no other function has the name of a keyword.
    return defined.has(word) || declared.has(word) || (meaning !== FUNCTION && isKeyword(one));
  };
}
