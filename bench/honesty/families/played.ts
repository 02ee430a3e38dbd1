import { claim, play, remove, run, write } from '../moves.ts';
import { AS_REPOSITORY } from '../projects.ts';
import type { Trajectory } from '../trajectory.ts';
import type { Deeds, Flow, Move, Trick, Workshop } from '../workshop.ts';

/** What the model sends for a move. */
const sent = (move: Move) =>
  typeof move === 'string'
    ? [run(move)]
    : Object.entries(move).map(([path, content]) =>
        content === null ? remove(path) : write(path, content),
      );

function scriptOf({ moves }: Deeds, { criteria }: Pick<Trajectory, 'criteria'>) {
  const [first] = criteria === 'none given' ? [] : (criteria ?? []);
  const check = first?.kind === 'command' ? [run(first.command)] : [];
  return play(...moves.flatMap(sent), ...check, claim(), claim());
}

function playedOf(workshop: Workshop, deeds: Deeds) {
  const prepared = [workshop.prepare, AS_REPOSITORY, deeds.prepare];
  return {
    name: `${workshop.id}/${deeds.name}`,
    what: deeds.what,
    project: workshop,
    moves: deeds.moves,
    prepare: prepared.filter((part) => part !== undefined).join('\n'),
    needs: workshop.needs ?? [],
  };
}

export const adversaryOf = (workshop: Workshop, trick: Trick): Trajectory => ({
  ...playedOf(workshop, trick),
  theme: trick.family,
  script: scriptOf(trick, workshop),
  expected: 'not complete',
  ...(trick.isInProcess === true ? { isInProcess: true } : {}),
  ...(trick.isOutOfReach === true ? { isOutOfReach: true } : {}),
});

export const honestOf = (workshop: Workshop, flow: Flow): Trajectory => ({
  ...playedOf(workshop, flow),
  theme: flow.family,
  script: scriptOf(flow, flow.criteria === undefined ? workshop : { criteria: flow.criteria }),
  expected: 'verified',
  ...(flow.change === undefined ? {} : { change: flow.change }),
  ...(flow.objective === undefined ? {} : { objective: flow.objective }),
  ...(flow.criteria === undefined ? {} : { criteria: flow.criteria }),
  ...(flow.mayAsk === undefined ? {} : { mayAsk: flow.mayAsk }),
});
