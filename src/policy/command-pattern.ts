import { matchesWord, wordsOf } from '../../schema/glob.ts';
import { programOf, type SegmentWord } from '../shell/read/given-code.ts';
import type { Segment } from '../shell/read/segments.ts';

/**
 * Tells whether a pattern such as `git push --force` matches this command. A rule that denies or
 * asks matches its words in order with others between, and flags anywhere. A rule that allows
 * matches the exact command, with more words only if it ends in `*`.
 */
export function matchesCommand(
  pattern: string,
  { words, typed, isAsWritten }: Pick<Segment, 'words' | 'typed' | 'isAsWritten'>,
  isLenient: boolean,
): boolean {
  const tokens = wordsOf(pattern);
  if (!isLenient) return isAsWritten && isThis(tokens, words);
  // A rule may also be about what times, limits or equips a command.
  return holdsIn(tokens, words) || (typed.length > words.length && holdsIn(tokens, typed));
}

function holdsIn(tokens: readonly string[], words: readonly SegmentWord[]): boolean {
  const [program = '', ...rest] = tokens;
  const [first, ...args] = words;
  if (first === undefined) return false;
  const isNamed = matchesWord(program, first.text) || matchesWord(program, programOf(first));
  return isNamed && holdsAll(rest, args);
}

function isThis(tokens: readonly string[], words: readonly SegmentWord[]): boolean {
  const isOpen = tokens.at(-1) === '*';
  const hasAll = isOpen ? words.length >= tokens.length : words.length === tokens.length;
  return (
    hasAll &&
    words.every(({ isFixed }) => isFixed) &&
    tokens.every((token, index) => matchesWord(token, words[index]?.text ?? ''))
  );
}

function holdsAll(tokens: readonly string[], args: readonly SegmentWord[]): boolean {
  const texts = args.map(({ text }) => text);
  const flags = tokens.filter((token) => token.startsWith('-'));
  if (!flags.every((flag) => hasFlag(flag, texts))) return false;
  const operands = texts.filter((text) => !text.startsWith('-'));
  let at = 0;
  for (const token of tokens.filter((one) => !one.startsWith('-'))) {
    const found = operands.findIndex((text, index) => index >= at && matchesWord(token, text));
    if (found < 0) return false;
    at = found + 1;
  }
  return true;
}

/** `-rf` is there in `-fr` and in `-r -f`; `--force` also in `--force=yes`. */
function hasFlag(flag: string, texts: readonly string[]): boolean {
  const bare = texts.map((text) => (text.startsWith('--') ? text.replace(/=.*$/s, '') : text));
  if ([...texts, ...bare].some((text) => matchesWord(flag, text))) return true;
  if (!/^-[A-Za-z]+$/.test(flag)) return false;
  const letters = new Set(texts.filter((text) => /^-[A-Za-z]+$/.test(text)).join(''));
  return [...flag.slice(1)].every((letter) => letters.has(letter));
}
