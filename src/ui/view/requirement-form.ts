import type { Goal } from '../api/types.ts';

export type ShownRequirement = NonNullable<Goal['requirements']>[number];

/** A requirement while it is edited; without an id it is new. */
export interface RequirementRow {
  readonly key: string;
  readonly requirementId?: string;
  readonly text: string;
  /** `c1, c2`. */
  readonly criteria: string;
}

export const rowOfRequirement = (one: ShownRequirement): RequirementRow => ({
  key: one.requirementId,
  requirementId: one.requirementId,
  text: one.text,
  criteria: one.criteria.join(', '),
});

const idsOf = (criteria: string): string[] => criteria.split(/[\s,]+/).filter((id) => id !== '');

/** The ids that no criterion of the goal has. */
export function strangeIds({ criteria }: RequirementRow, goal: Pick<Goal, 'criteria'>): string[] {
  const known = goal.criteria.map(({ criterionId }) => criterionId);
  return idsOf(criteria).filter((id) => !known.includes(id));
}

interface Edits {
  readonly requirements?: { requirementId?: string; text: string; criteria: string[] }[];
  readonly removeRequirements?: string[];
}

/** Only what differs: the model may add others meanwhile. */
export function editsOf(
  before: readonly ShownRequirement[],
  rows: readonly RequirementRow[],
): Edits {
  const given = rows.flatMap(({ requirementId, text, criteria }) => {
    const now = { text: text.trim(), criteria: idsOf(criteria) };
    const known = before.find((one) => one.requirementId === requirementId);
    const isSame =
      known !== undefined &&
      known.text === now.text &&
      known.criteria.join() === now.criteria.join();
    if (isSame || now.text === '') return [];
    return [requirementId === undefined ? now : { requirementId, ...now }];
  });
  const kept = rows.map(({ requirementId }) => requirementId);
  const gone = before.map((one) => one.requirementId).filter((id) => !kept.includes(id));
  return {
    ...(given.length === 0 ? {} : { requirements: given }),
    ...(gone.length === 0 ? {} : { removeRequirements: gone }),
  };
}

/** How many of them nobody checks. */
export function uncheckedWords(requirements: readonly Pick<ShownRequirement, 'by'>[]): string {
  if (requirements.length === 0) return 'not split yet';
  const open = requirements.filter(({ by }) => by === 'nobody').length;
  return open === 0 ? 'each is checked' : `${open} checked by nobody`;
}

/** Who checks it, and by what. */
export function checkedByText({
  by,
  criteria,
  late,
}: Pick<ShownRequirement, 'by' | 'criteria' | 'late'>): string {
  const ids = criteria.length === 0 ? '' : ` (${criteria.join(', ')})`;
  const bound = late === true ? `${ids}, named after the first write` : ids;
  if (by === 'nobody') return `checked by nobody${bound}`;
  return `checked by ${by === 'host' ? 'the host' : 'a person'}${bound}`;
}
