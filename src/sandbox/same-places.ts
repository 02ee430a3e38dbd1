import { CommandsRefused } from '../contract/failures.ts';
import { identityOf } from './held-folder.ts';
import type { Mount } from './mounts.ts';
import { hostProgram } from './program-path.ts';

/** Begins what is said of a box that shows another place than the host saw. */
export const SWAPPED = 'goalkeeper: a place was swapped while the sandbox was made';
const REFUSED = 126;

const CHECK = [
  'n=$1; shift; at=(); was=()',
  'while [ "$n" -gt 0 ]; do at+=("$1"); was+=("$2"); shift 2; n=$((n-1)); done',
  `mapfile -t is < <(exec ${hostProgram('stat')} -c %d:%i -- "\${at[@]}" 2>&1)`,
  `[ "\${is[*]}" = "\${was[*]}" ] || { echo '${SWAPPED}' >&2; exit ${REFUSED}; }`,
  'exec "$@"',
].join('\n');

/**
 * bwrap finds what it shows by path, after the host looked there, and follows links. Where other
 * commands may write, they could lead it elsewhere meanwhile. So what a command is started by
 * compares first what is shown with what the host held, while nothing else runs inside.
 *
 * @param mounts those whose places commands may write around
 * @throws CommandsRefused where a link is on the way already
 */
export function assertSamePlaces(mounts: readonly Mount[]): string[] {
  const pairs = mounts.flatMap((mount) => {
    if (mount.kind !== 'readable' && mount.kind !== 'writable') return [];
    const identity = identityOf(mount.from ?? mount.at);
    if (identity !== null) return [mount.at, identity];
    throw new CommandsRefused(
      `${mount.from ?? mount.at} changes while a sandbox is made around it`,
    );
  });
  if (pairs.length === 0) return [];
  return [hostProgram('bash'), '-c', CHECK, 'bash', String(pairs.length / 2), ...pairs];
}
