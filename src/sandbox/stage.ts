import { type Mount, writable, writtenBy } from './mounts.ts';
import { hostProgram } from './program-path.ts';
import { assertSamePlaces } from './same-places.ts';

/** Nothing of the machine shows there, and no command writes there. */
const STAGE = '/dev/goalkeeper';

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
      ...[hostProgram('bwrap'), '--ro-bind', '/', '/', '--dev', '/dev'],
      ...['--ro-bind-try', '/dev/shm', '/dev/shm', '--dev-bind', '/proc', '/proc'],
      ...written.flatMap((from) => ['--bind', from, staged(from)]),
      ...['--die-with-parent', '--'],
      ...assertSamePlaces(writtenBy(known).map((from) => writable(staged(from), from))),
    ],
    mounts: mounts.map((mount) =>
      mount.kind === 'writable' ? { ...mount, from: staged(mount.from ?? mount.at) } : mount,
    ),
  };
}
