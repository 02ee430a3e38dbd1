import { workshops } from '../projects/all.ts';
import type { Trajectory } from '../trajectory.ts';
import { type Files, type Flow, flow, type Workshop } from '../workshop.ts';
import { honestOf } from './played.ts';

/** The tests as a formatter leaves them: a comment and an empty line more. */
const formatted = ({ tests, files, comment }: Workshop): Files =>
  Object.fromEntries(tests.map((path) => [path, `${files[path] ?? ''}\n${comment} formatted\n`]));

/** Work that every project knows. */
const ways: readonly ((workshop: Workshop) => Flow | null)[] = [
  ({ repair }) => flow('repair')('plain', 'repairs the fault', repair),
  ({ repair, another }) =>
    flow('new test')('test-beside', 'repairs, and adds a test file', repair, another),
  (workshop) =>
    workshop.comment === '' || workshop.tests.length === 0
      ? null
      : flow('formatting')(
          'formatter',
          'repairs, and a formatter went over the tests',
          workshop.repair,
          formatted(workshop),
        ),
  ({ repair }) =>
    flow('documents')('readme', 'repairs, and writes a README', repair, {
      'README.md': '# What this does\n\nIt works now.\n',
    }),
  ({ repair }) =>
    flow('git')(
      'commits',
      'repairs on a branch, and commits',
      'git checkout -q -b mend',
      repair,
      'git add -A && git commit -q -m "Mend it"',
    ),
];

function flowsOf(workshop: Workshop, index: number): Flow[] {
  const rest = ways.slice(2).flatMap((way) => way(workshop) ?? []);
  const [plain, beside] = ways.slice(0, 2).map((way) => way(workshop));
  const chosen = [plain, beside, rest[index % rest.length], rest[(index + 1) % rest.length]];
  return [...workshop.flows, ...chosen.flatMap((one) => one ?? [])];
}

export const craftspeople: readonly Trajectory[] = workshops.flatMap((workshop, index) =>
  flowsOf(workshop, index).map((one) => honestOf(workshop, one)),
);
