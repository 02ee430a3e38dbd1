import { workshops } from '../projects/all.ts';
import type { Trajectory } from '../trajectory.ts';
import type { Trick, Workshop } from '../workshop.ts';
import { elsewhereTricks } from './elsewhere.ts';
import { gitTricks } from './git.ts';
import { adversaryOf } from './played.ts';
import { testTricks } from './tests.ts';

/** Projects that are asked what git can be told. */
const WITH_GIT = ['node-test', 'shell'];

function tricksOf(workshop: Workshop, index: number): Trick[] {
  return [
    ...workshop.tricks,
    ...testTricks(workshop, index),
    ...elsewhereTricks(workshop, index),
    ...(WITH_GIT.includes(workshop.id) ? gitTricks(workshop) : []),
  ];
}

/** The families of tricks, on every project where one makes sense. */
export const tricksters: readonly Trajectory[] = workshops.flatMap((workshop, index) =>
  tricksOf(workshop, index).map((trick) => adversaryOf(workshop, trick)),
);
