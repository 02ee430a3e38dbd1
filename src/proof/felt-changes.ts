/** Which changes the checks feel: without one of these, some check fails. */
export interface FeltChanges {
  readonly felt: readonly string[];
  readonly unfelt: readonly string[];
  /** No run was left for them. */
  readonly untried: readonly string[];
}

/**
 * Takes changes back, each alone while the runs suffice, otherwise in groups that are halved where
 * something is felt.
 *
 * @param isGreenWithout whether every check still passes without these changes
 */
export async function feelChanges(
  names: readonly string[],
  mostRuns: number,
  isGreenWithout: (some: readonly string[]) => Promise<boolean>,
): Promise<FeltChanges> {
  const size = Math.max(1, Math.ceil((2 * names.length) / mostRuns));
  const groups = partsOf(names, names.length <= mostRuns ? 1 : size);
  const felt: string[] = [];
  const unfelt: string[] = [];
  let runs = 0;
  while (groups.length > 0 && runs < mostRuns) {
    const group = groups.shift() ?? [];
    runs += 1;
    if (await isGreenWithout(group)) unfelt.push(...group);
    else if (group.length === 1) felt.push(...group);
    else groups.push(...partsOf(group, Math.ceil(group.length / 2)));
  }
  return { felt, unfelt, untried: groups.flat() };
}

function partsOf(names: readonly string[], size: number): (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let at = 0; at < names.length; at += size) parts.push(names.slice(at, at + size));
  return parts;
}

/** Why the changes are felt too little for the policy; null = enough. */
export function whyTooLittleFelt(
  { felt, unfelt, untried }: FeltChanges,
  share: number,
): string | null {
  const all = felt.length + unfelt.length + untried.length;
  if (all === 0 || felt.length / all >= share) return null;
  const others = [...unfelt, ...untried].slice(0, 5).join(', ');
  return `passed, but the checks feel ${felt.length} of ${all} changed files, and ${Math.round(share * 100)} % are asked for: it passes as well without ${others}`;
}
