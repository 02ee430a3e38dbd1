import { argumentsFrom, type Span } from './spans.ts';

/** `expect(given).not.toBe(expected)`: what is given, what is said of it, and of what. */
export interface Chain {
  readonly at: number;
  readonly given: Span;
  /** Before the matcher, such as `not` and `rejects`. */
  readonly words: readonly string[];
  readonly name: string;
  /** What the matcher is given; null where it is called by its name alone, as `.to.be.true`. */
  readonly args: readonly Span[] | null;
  /** Behind the matcher, and behind the bracket that begins what it is given. */
  readonly end: number;
}

/** @param bare a statement whose strings say nothing */
export function chainOf(bare: string): Chain | null {
  const found = /(?<![\w$.])(?:expect|assertThat)(?:\s*\.\s*soft)?\s*\(/.exec(bare);
  if (found === null) return null;
  const open = found.index + found[0].length;
  const told = argumentsFrom(bare, open);
  const [given, last] = [told[0], told.at(-1)];
  if (given === undefined || last === undefined) return null;
  const said = /^\)((?:\s*\.\s*\w+)+)\s*(\()?/.exec(bare.slice(last[1]));
  if (said === null) return null;
  const [all, chained = '', call] = said;
  const words = chained.match(/\w+/g) ?? [];
  const end = last[1] + (call === undefined ? all.trimEnd().length : all.length);
  const args = call === undefined ? null : argumentsFrom(bare, end);
  return {
    ...{ at: found.index, given, words: words.slice(0, -1), name: words.at(-1) ?? '', end },
    args: args?.filter(([from, to]) => bare.slice(from, to).trim() !== '') ?? null,
  };
}

export const isNot = ({ words }: Chain): boolean =>
  words.some((word) => /^not$|^isNot/i.test(word));
