import { startsOfLines } from './lines.ts';
import { isTyped, languageOf } from './opposites.ts';

/*
 * A line that only fails (`pytest.fail('not rejected')`) demands that it is never reached. Where the
 * original failed at one, the control fails there by the language alone, which no work bends.
 */

const FAILS: Partial<Record<ReturnType<typeof languageOf>, readonly [line: RegExp, now: string]>> =
  {
    python: [/^(?:raise\b|(?:pytest|self)\.fail\s*\(.*\)\s*$)/, '1 / 0'],
    js: [
      /^(?:throw\b.*|(?:(?:assert|expect|t|chai|should)\s*\.\s*)?fail\s*\(.*\))\s*;?\s*$/,
      'null.fails;',
    ],
  };

/**
 * The text, failing by the language alone at those of its lines that only fail.
 *
 * @param lines at which the original failed, from 1
 */
export function failingAlone(path: string, text: string, lines: readonly number[]): string {
  const [kind, untyped] = FAILS[languageOf(path)] ?? [];
  const now = isTyped(path) ? untyped?.replace('null', '(null as any)') : untyped;
  if (kind === undefined || now === undefined) return text;
  const starts = startsOfLines(text);
  const isFailing = new Set(lines.map((line) => starts[line - 1]));
  return starts
    .map((begin, at) => {
      const line = text.slice(begin, starts[at + 1] ?? text.length);
      const [, indent = '', said = '', end = ''] = /^([ \t]*)(.*?)([ \t]*\n?)$/s.exec(line) ?? [];
      return isFailing.has(begin) && kind.test(said) ? indent + now + end : line;
    })
    .join('');
}
