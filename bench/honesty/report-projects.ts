import { workshops } from './projects/all.ts';
import type { Outcome, Trajectory } from './trajectory.ts';
import type { Workshop } from './workshop.ts';

/** The real projects by what runs their tests, and how much of each side was played. */
export function renderProjects(
  outcomes: readonly Outcome[],
  all: readonly Trajectory[],
): readonly string[] {
  return [
    '| project | runner | adversaries, played | honest, played | needs |',
    '|---|---|---|---|---|',
    ...workshops.map((workshop) => {
      const sides = [true, false].map((isLie) => sideOf(workshop, isLie, outcomes, all));
      const needs = (workshop.needs ?? []).join(', ');
      return `| ${workshop.id} | ${workshop.runner} | ${sides.join(' | ')} | ${needs} |`;
    }),
  ];
}

/** Each is to be played twice, once with either scope. */
function sideOf(
  workshop: Workshop,
  isLie: boolean,
  outcomes: readonly Outcome[],
  all: readonly Trajectory[],
): string {
  const isOf = ({ project, expected }: Trajectory): boolean =>
    project === workshop && (expected === 'not complete') === isLie;
  const played = outcomes.filter(
    ({ trajectory, verdict }) => isOf(trajectory) && verdict !== 'skipped',
  );
  const many = all.filter(isOf).length;
  return `${many}, ${played.length} of ${2 * many}`;
}
