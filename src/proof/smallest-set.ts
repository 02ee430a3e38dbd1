/**
 * The fewest items that `isEnough` needs, by delta debugging (Zeller, Hildebrandt 2002: ddmin). The
 * result is 1-minimal where `mostRuns` allows it: no single item can be left out.
 * @param isEnough is true for all of the items; it is asked at most `mostRuns` times
 * @returns all of the items when the runs end before a smaller set is found
 */
export async function smallestSet<Item>(
  items: readonly Item[],
  isEnough: (some: readonly Item[]) => Promise<boolean>,
  mostRuns: number,
): Promise<readonly Item[]> {
  let left = items;
  let runs = mostRuns;
  const ask = async (some: readonly Item[]): Promise<boolean> => {
    if (runs === 0) return false;
    runs -= 1;
    return await isEnough(some);
  };
  for (let parts = 2; left.length > 1 && runs > 0; ) {
    const chunks = split(left, parts);
    const smaller = await firstEnough(candidates(chunks), ask);
    if (smaller !== null) {
      parts = smaller.length <= Math.ceil(left.length / parts) ? 2 : Math.max(parts - 1, 2);
      left = smaller;
    } else if (parts < left.length) {
      parts = Math.min(parts * 2, left.length);
    } else {
      return left;
    }
  }
  return left;
}

function split<Item>(items: readonly Item[], parts: number): Item[][] {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Each part alone, then all but one part. */
function candidates<Item>(chunks: readonly Item[][]): Item[][] {
  if (chunks.length <= 2) return [...chunks];
  const without = chunks.map((_, left) => chunks.flatMap((one, at) => (at === left ? [] : one)));
  return [...chunks, ...without];
}

async function firstEnough<Item>(
  sets: readonly Item[][],
  isEnough: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[] | null> {
  for (const some of sets) if (await isEnough(some)) return some;
  return null;
}
