/** As many signs as a person knows a goal by. */
const SHORTEST = 8;

const commonLength = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
};

/**
 * Ids by their beginnings, all of one length: the shortest that tells those of a list apart. Each
 * command takes them.
 */
export function shortIds(goalIds: readonly string[]): (goalId: string) => string {
  const ids = [...new Set(goalIds)].sort();
  const apart = ids.slice(1).map((id, at) => commonLength(id, ids[at] ?? '') + 1);
  const length = apart.reduce((most, one) => Math.max(most, one), SHORTEST);
  return (goalId) => goalId.slice(0, length);
}
