import { keyOf, type Played } from './run.ts';
import type { Outcome } from './trajectory.ts';

/**
 * What results have of each family, on which commits, and what they lack, in the bench's order.
 * Honest work and adversaries of one name are two families.
 */
export function renderLeft(chosen: readonly Played[], kept: readonly Outcome[]): string {
  const commits = new Map(kept.map((one) => [keyOf(one), one.commit ?? 'unknown']));
  const families = [...new Set(chosen.map(familyOf))].map((family) => {
    const plays = chosen.filter((one) => familyOf(one) === family);
    const played = plays.flatMap((one) => commits.get(keyOf(one)) ?? []);
    const on = [...new Set(played)].map(
      (commit) => `${played.filter((each) => each === commit).length} on ${commit}`,
    );
    const lacks = plays.filter((one) => !commits.has(keyOf(one))).map(keyOf);
    const rest = lacks.length === plays.length ? 'none played' : lacks.join(', ');
    return [`${family}: ${played.length} of ${plays.length}`, ...on, rest]
      .filter(Boolean)
      .join('; ');
  });
  const left = chosen.filter((one) => !commits.has(keyOf(one))).length;
  return [...families, `${left} of ${chosen.length} plays left`].join('\n');
}

function familyOf({ trajectory }: Played): string {
  const side = trajectory.expected === 'not complete' ? 'adversary' : 'honest';
  return `${side}: ${trajectory.theme}`;
}
