/** Part of a text, from here to there. */
export type Span = readonly [from: number, to: number];

/** What stands between the commas, or these signs instead, behind an open bracket. */
export function argumentsFrom(text: string, open: number, between = ','): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let from = open;
  for (let at = open; at < text.length; at++) {
    const sign = text.charAt(at);
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth >= 0 && !(depth === 0 && sign === between)) continue;
    found.push([from, at]);
    from = at + 1;
    if (depth < 0) return found;
  }
  return found;
}

/**
 * Up to the bracket that closes what stands around, or one of these signs outside of brackets.
 *
 * @param stops sticky, so that it is asked of each place
 */
export function endOutside(bare: string, from: number, stops: RegExp): number {
  let depth = 0;
  for (let at = from; at < bare.length; at++) {
    stops.lastIndex = at;
    if (depth === 0 && stops.test(bare)) return at;
    const sign = bare.charAt(at);
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (depth < 0) return at;
  }
  return bare.length;
}

/** A text as a pattern that finds it. */
export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
