/**
 * 1 − edit distance ÷ length of the longer text, or null when that is below `least`: then the
 * exact value costs more than it is worth.
 */
export function similarity(a: string, b: string, least: number): number | null {
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return 1;
  const most = Math.floor((1 - least) * longest + 1e-9);
  if (Math.abs(a.length - b.length) > most || surplus(a, b) > most) return null;
  const distance = boundedDistance(a, b, most);
  return distance === null ? null : 1 - distance / longest;
}

/** A lower bound of the distance: characters of one text that the other one lacks. */
function surplus(a: string, b: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < a.length; i += 1) add(counts, a.charCodeAt(i), 1);
  for (let i = 0; i < b.length; i += 1) add(counts, b.charCodeAt(i), -1);
  let more = 0;
  let less = 0;
  for (const count of counts.values()) {
    if (count > 0) more += count;
    else less -= count;
  }
  return Math.max(more, less);
}

function add(counts: Map<number, number>, key: number, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change);
}

/** Levenshtein within a band of `most` around the diagonal; null when it is more than `most`. */
function boundedDistance(a: string, b: string, most: number): number | null {
  const far = most + 1;
  let previous = new Uint32Array(b.length + 1).map((_, column) => Math.min(column, far));
  let current = new Uint32Array(b.length + 1);
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    current.fill(far, Math.max(0, from - 1), Math.min(b.length, to + 1) + 1);
    if (from === 1) current[0] = Math.min(row, far);
    let best = current[from - 1] as number;
    for (let column = from; column <= to; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      const replaced = (previous[column - 1] as number) + (isSame ? 0 : 1);
      const removed = (previous[column] as number) + 1;
      const inserted = (current[column - 1] as number) + 1;
      const cost = Math.min(replaced, removed, inserted, far);
      current[column] = cost;
      if (cost < best) best = cost;
    }
    if (best > most) return null;
    [previous, current] = [current, previous];
  }
  const distance = previous[b.length] as number;
  return distance > most ? null : distance;
}
