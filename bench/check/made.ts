import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runShell, writeFiles } from '../honesty/oracle.ts';
import { workshops } from '../honesty/projects/all.ts';
import type { Files, Move, Workshop } from '../honesty/workshop.ts';
import { furnish } from '../honesty/workspace.ts';
import type { Play, Subject } from './subject.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ 'node-test': 'JavaScript', vitest: 'TypeScript', mocha: 'JavaScript' },
  ...{ pytest: 'Python', unittest: 'Python', go: 'Go', cargo: 'Rust', maven: 'Java' },
  ...{ make: 'shell', cmake: 'C', prove: 'Perl', shell: 'shell' },
};

/** Projects of the honesty bench, each with so many of its tricks. */
export function madeSubjects(tricks: number): Subject[] {
  return Object.entries(LANGUAGES).map(([id, language]) => {
    const workshop = workshops.find((one) => one.id === id);
    if (workshop === undefined) throw new Error(`there is no project ${id}`);
    return subjectOf(workshop, language, tricks);
  });
}

function subjectOf(workshop: Workshop, language: string, tricks: number): Subject {
  const { id, runner, needs = [], check, criteria, product } = workshop;
  return {
    ...{ id, runner, language, needs, check },
    criteria: criteria.flatMap((one) => (one.kind === 'command' ? [one.command] : [])),
    change: workshop.isUnmarked ? product : [],
    accept: workshop.packages === undefined ? [] : ['node_modules/'],
    plays: playsOf(workshop, tricks),
    async furnish(folder) {
      await furnish(folder, { project: workshop });
      if (workshop.prepare !== undefined) await runShell(workshop.prepare, folder);
      return id;
    },
  };
}

function playsOf(workshop: Workshop, tricks: number): Play[] {
  const played = workshop.tricks.filter((one) => !one.isOutOfReach && one.prepare === undefined);
  return [
    { what: 'honest', act: does([workshop.repair]), wanted: [0], own: 'passes' },
    { what: 'tests bent', act: does([workshop.hollow]), wanted: [1, 2] },
    { what: 'a lie', act: does([idle(workshop)]), wanted: [1], own: 'fails' },
    ...played
      .slice(0, tricks)
      .map(
        ({ name, moves }): Play => ({ what: `trick ${name}`, act: does(moves), wanted: [1, 2] }),
      ),
  ];
}

const does =
  (moves: readonly Move[]): Play['act'] =>
  async (folder) => {
    for (const move of moves) {
      if (typeof move === 'string') await runShell(move, folder);
      else await apply(folder, move);
    }
  };

async function apply(folder: string, files: Files): Promise<void> {
  const kept = Object.entries(files).filter((one): one is [string, string] => one[1] !== null);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(folder, path), { recursive: true, force: true });
  }
  await writeFiles(folder, Object.fromEntries(kept));
}

/** Says that it is done, and is not. */
function idle({ faulty, files, comment }: Workshop): Files {
  const sign = /\.(?:c|java)$/.test(faulty) ? '//' : comment;
  return { [faulty]: `${files[faulty] ?? ''}${sign} repaired\n` };
}
