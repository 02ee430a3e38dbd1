import { endOutside } from '../spans.ts';

/** What calls a function for each of several, and ends at the first of which it knows enough. */
export const WALKERS =
  /\.\s*(every|some|find(?:Last)?(?:Index)?)\s*\(|(?<![\w.])(all|any|next)\s*\(/g;
/** The nearest of them around what begins there, and its name. */
export function walkerAt(bare: string, at: number): readonly [at: number, name: string] | null {
  const around = [...bare.slice(0, at).matchAll(WALKERS)].filter(
    ({ index, 0: all }) => endOutside(bare, index + all.length, /$/y) >= at,
  );
  const found = around.at(-1);
  const name = found?.[1] ?? found?.[2];
  return found === undefined || name === undefined
    ? null
    : [found.index + found[0].indexOf(name), name];
}
