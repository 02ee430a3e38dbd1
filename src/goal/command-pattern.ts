import { matchesWord } from './glob.ts';
import { programOf, type SegmentWord } from './shell/segments.ts';

/**
 * Does a pattern such as `git push --force` mean this command? A rule that holds something back
 * takes its words in their order with others between, and flags wherever they stand; one that lets
 * something through takes them one after the other, as they are written.
 */
export function matchesCommand(
  pattern: string,
  words: readonly SegmentWord[],
  isLenient: boolean,
): boolean {
  const [program = '', ...tokens] = pattern.split(/\s+/);
  const [first, ...args] = words;
  if (first === undefined) return false;
  const isNamed = matchesWord(program, first.text) || matchesWord(program, programOf(first));
  if (!isNamed) return false;
  return isLenient ? holdsAll(tokens, args) : startsWith(tokens, args);
}

function startsWith(tokens: readonly string[], args: readonly SegmentWord[]): boolean {
  return tokens.every((token, index) => {
    const word = args[index];
    return word?.isFixed === true && matchesWord(token, word.text);
  });
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
