import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { Isolation } from '../../schema/isolation.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { type CommandUser, isRoot } from './command-user.ts';
import { type Closed, closedSettings, type HiddenPlaces } from './hidden-places.ts';
import type { Mount } from './mounts.ts';
import { inNamespace } from './namespace.ts';
import { programPath } from './program-path.ts';
import { FILTER_DESCRIPTOR, seccompFilter } from './seccomp.ts';
import { stageOf } from './stage.ts';

/** The protection from commands on this machine, found out by making a sandbox. */
export interface Protection {
  /** Path of the program; null = no sandbox. */
  readonly bwrap: string | null;
  readonly isolation: Isolation;
  readonly hasOwnNetwork: boolean;
  /** In words for people; empty where nothing is missing. */
  readonly why: string;
}

/** Why nothing sealed may run here: commands of the goal, or a server, could learn of it. */
export const whyNothingSealed = ({ isolation, why }: Protection): string | null =>
  isolation === 'full' ? null : `this host has no whole sandbox: ${why}`;

/** No other program exits so by chance. */
const PROOF = 42;
const PATIENCE_MS = 20_000;
/** Settings that change all the time tell no more by another look. */
const MOST_LOOKS = 5;

/**
 * @param look tells what has to be masked; it is asked anew where a sandbox could not be made
 */
export async function probe(
  hidden: HiddenPlaces,
  tools: readonly Mount[],
  look: () => Closed = closedSettings,
): Promise<Protection> {
  const bwrap = programPath('bwrap');
  if (bwrap === null) return none('bwrap (bubblewrap) is not installed');
  const filter = seccompFilter(false);
  if (filter === null) return none(`nobody knows the system calls of ${process.arch}`);
  const user: CommandUser = isRoot() ? { kind: 'rightless' } : { kind: 'self' };
  for (let looked = 1; ; looked++) {
    const closed = look();
    const mounts = maskedMounts(hidden, tools, closed);
    const make = (hasOwnNetwork: boolean) =>
      attempt(bwrap, bwrapArguments({ mounts, hasOwnNetwork, user }), filter);
    const whole = await make(true);
    if (whole === null) return { bwrap, isolation: 'full', hasOwnNetwork: true, why: '' };
    const open = await make(false);
    // What came or went between the look and the mounts says nothing about this machine.
    if (looked < MOST_LOOKS && !isDeepStrictEqual(closed, look())) continue;
    if (open !== null) return none(`bwrap is not allowed to make one here (${open})`);
    const why = `commands share the machine's network, as bwrap may not make one (${whole})`;
    return { bwrap, isolation: 'partial', hasOwnNetwork: false, why };
  }
}

function maskedMounts(hidden: HiddenPlaces, tools: readonly Mount[], closed: Closed): Mount[] {
  const folders = [...hidden.folders, ...hidden.temporary, ...closed.folders];
  return [
    ...folders.map((at) => ({ kind: 'hidden' as const, at })),
    ...closed.files.map((at) => ({ kind: 'masked' as const, at })),
    ...tools,
  ];
}

const none = (why: string): Protection => ({
  bwrap: null,
  isolation: 'none',
  hasOwnNetwork: false,
  why,
});

/** Makes a sandbox in a helper's PID namespace, as commands will. Null if it worked. */
async function attempt(
  bwrap: string,
  args: readonly string[],
  filter: Uint8Array,
): Promise<string | null> {
  const [file = '', ...rest] = inNamespace(
    [...stageOf([], []).launcher, bwrap, ...args, '--', 'sh', '-c', `exit ${PROOF}`],
    {
      isForSandboxes: true,
      info: null,
    },
  );
  const child = spawn(file, rest, {
    timeout: PATIENCE_MS,
    // As a command's: what this process loads or is told by its own has no place in a sandbox.
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
  });
  const input = child.stdio[FILTER_DESCRIPTOR];
  if (input && 'end' in input) input.on('error', () => {}).end(filter);
  const [exitCode, said] = await Promise.all([
    exitOf(child),
    child.stderr ? text(child.stderr) : '',
  ]);
  if (exitCode === PROOF) return null;
  return said.trim().split('\n')[0]?.slice(0, 200) || `it ended with ${exitCode}`;
}

const exitOf = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', resolve);
  });
