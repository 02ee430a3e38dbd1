import type { GoalProof } from '../../schema/goal-proof.ts';
import { oneLine } from './terminal.ts';

/** Most names in a line. */
const SHOWN = 8;

/** How a completion was proven, for the terminal. */
export function proofLines(proof: GoalProof): string[] {
  const { files, accepted, beyondScope, criteria, selfChecked, felt } = proof;
  const tests = criteria.flatMap(({ criterionId, tests: { before, now } }) =>
    now === null
      ? []
      : [`${criterionId}: ${now} tests${before === null ? '' : `, ${before} before`}`],
  );
  const canaries = criteria.flatMap(({ criterionId, canaries }) =>
    canaries === undefined ? [] : [`${criterionId}: ${canaries.reason}`],
  );
  return [
    `proof: the files at the start (tree ${proof.original.slice(0, 12)}) with ${counted(files.map(({ path }) => path))}; tree ${proof.tree.slice(0, 12)}`,
    ...line('tests', tests),
    ...line('canaries', canaries),
    ...(felt === undefined ? [] : feltLines(felt)),
    ...line(
      'installed for it by',
      (proof.setups ?? []).map(({ command, folder }) =>
        folder === '' ? command : `${command} in ${folder}`,
      ),
    ),
    ...line(
      'packages that were added',
      (proof.setups ?? []).flatMap(({ added }) => added),
    ),
    ...line('accepted by a person', accepted),
    ...line('changed beyond the scope, and not needed', beyondScope),
    ...(selfChecked ? ['  the work includes files that judge it'] : []),
  ];
}

function feltLines({ felt, unfelt, untried }: NonNullable<GoalProof['felt']>): string[] {
  const all = felt.length + unfelt.length + untried.length;
  if (all === 0) return [];
  return [
    `  felt by the checks: ${felt.length} of ${all} changed files`,
    ...line('without which they pass as well', unfelt),
    ...line('not tried', untried),
  ];
}

const line = (name: string, parts: readonly string[]): string[] =>
  parts.length === 0 ? [] : [`  ${name}: ${listed(parts)}`];

const counted = (names: readonly string[]): string =>
  names.length === 0 ? 'no change' : `${names.length} changed: ${listed(names)}`;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => oneLine(name, 120));
  return names.length > SHOWN
    ? `${shown.join(', ')} and ${names.length - SHOWN} more`
    : shown.join(', ');
}
