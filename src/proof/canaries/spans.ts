/** Part of a text, from here to there. */
export type Span = readonly [from: number, to: number];

/** What stands between the commas behind an open bracket. */
export function argumentsFrom(text: string, open: number): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let from = open;
  for (let at = open; at < text.length; at++) {
    const sign = text.charAt(at);
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth >= 0 && !(depth === 0 && sign === ',')) continue;
    found.push([from, at]);
    from = at + 1;
    if (depth < 0) return found;
  }
  return found;
}
