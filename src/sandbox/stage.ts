import { isWithin, type Mount, writable, writtenBy } from './mounts.ts';
import { hostProgram } from './program-path.ts';
import { assertSamePlaces } from './same-places.ts';

/** Nothing of the machine shows there, and no command writes there. */
const STAGE = '/dev/goalkeeper';

const ALL_READABLE = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--ro-bind-try', '/dev/shm', '/dev/shm'],
  ...['--dev-bind', '/proc', '/proc'],
];
const LAST = ['--die-with-parent', '--'];

interface Stage {
  /** Begins the bwrap that makes the box. */
  readonly launcher: readonly string[];
  /** What it shows, out of the stage. */
  readonly mounts: readonly Mount[];
}

/**
 * What makes a box can write to what the box may write to, and nowhere else. bwrap makes points to
 * mount on, and follows links to them, where other commands of the goal may write meanwhile.
 *
 * @param compared those whose places commands may write around
 * @throws CommandsRefused where a link is on the way already
 */
export function stageOf(mounts: readonly Mount[], compared: readonly Mount[]): Stage {
  const written = [...new Set(writtenBy(mounts))];
  const staged = (from: string) => `${STAGE}/${written.indexOf(from)}`;
  const known = compared.filter(({ kind }) => kind === 'writable');
  return {
    launcher: [
      ...[hostProgram('bwrap'), ...ALL_READABLE],
      ...written.flatMap((from) => ['--bind', from, staged(from)]),
      ...LAST,
      ...assertSamePlaces(writtenBy(known).map((from) => writable(staged(from), from))),
    ],
    mounts: mounts.map((mount) =>
      mount.kind === 'writable' ? { ...mount, from: staged(mount.from ?? mount.at) } : mount,
    ),
  };
}

/**
 * Begins a program of the host's that can write to these folders and nowhere else, wherever links
 * lead it.
 *
 * @param folders absolute and real; no command writes around them
 */
export const writingOnly = (folders: readonly string[]): string[] => [
  ...[hostProgram('bwrap'), ...ALL_READABLE],
  ...[...new Set(folders)]
    .filter((at) => folders.every((other) => other === at || !isWithin(other, at)))
    .flatMap((at) => ['--bind', at, at]),
  ...LAST,
];
