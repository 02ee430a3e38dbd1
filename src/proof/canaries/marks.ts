import { extensionOf } from '../scope/code-files.ts';

/** How a comment at the end begins, by extension; behind a function Python's formatters want room. */
const SIGNS: readonly (readonly [extensions: RegExp, sign: string])[] = [
  [/^pyi?$/, '\n\n#'],
  [/^(?:[cm]?[jt]sx?|go|rs|java|kt|kts|scala|swift|cs|c|cc|cpp|cxx|h|hh|hpp|hxx|php|dart)$/, '//'],
  [/^(?:sh|bash|zsh|rb|pl|pm|t|r|jl|exs?)$/i, '#'],
];

/** Behind it everything is data, or nothing is read. */
const ENDED = /^(?:__END__|__DATA__|=[a-z]\w*.*)$|\?>\s*$/m;

/**
 * The text with one more comment at its end: nothing of what it says is another.
 *
 * @returns the same text where nobody knows how a comment is written there
 */
export function withMark(path: string, text: string, word: string): string {
  const sign = SIGNS.find(([extensions]) => extensions.test(extensionOf(path)))?.[1];
  if (sign === undefined || ENDED.test(text)) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${sign} ${word}\n`;
}
