/** Joins the parts; where all are too long, the longest are cut, each with a mark that says so. */
export function cutFairly(parts: readonly string[], most: number): string {
  const room = roomFor(
    parts.map(({ length }) => length),
    most,
  );
  return parts
    .map((part) =>
      part.length <= room
        ? part
        : `${part.slice(0, room)}\n(cut: ${part.length - room} more characters of this file)`,
    )
    .join('\n');
}

/** The longest length with which all of them together take no more than `most`. */
function roomFor(lengths: readonly number[], most: number): number {
  let left = most;
  const sorted = lengths.toSorted((one, other) => one - other);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return share;
    left -= length;
  }
  return most;
}
