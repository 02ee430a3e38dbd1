import type { Dispute } from '../api/types.ts';

export const disputeWords: Readonly<Record<Dispute['kind'], string>> = {
  contradiction: 'It contradicts the objective or another criterion',
  infeasible: 'Nothing could meet it',
  wrong_check: 'It checks something else than it means',
  missing_access: 'It needs what the goal can’t reach',
};

export function expectationText({ exit, contains }: Dispute['counterExample']['expect']): string {
  const parts = [
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(contains === undefined ? [] : [`“${contains}” in its output`]),
  ];
  return parts.join(' and ');
}

/** The place where it was seen decides how much it says. */
export function whereShown({
  showsOnOriginal,
  showsOnNothing,
}: Pick<Dispute, 'showsOnOriginal' | 'showsOnNothing'>): string {
  if (showsOnNothing) return 'Beware: it shows in an empty folder as well.';
  if (showsOnOriginal === null) return 'It ran in a checkout of the workspace.';
  return showsOnOriginal
    ? 'It shows on the original as well, without any change of the goal.'
    : 'Beware: it shows only with the goal’s own changes.';
}
