import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { programPath } from './program-path.ts';

/** As whom commands run. None of them has a capability or can gain one. */
export type CommandUser =
  /** The worker's own user, who is not root. */
  | { readonly kind: 'self' }
  /** The owner of the workspace, where the worker is root. */
  | { readonly kind: 'owner'; readonly uid: number; readonly gid: number }
  /**
   * Nobody else could write a workspace of root's. Inside, the user has another number, and a user
   * namespace without any right in it; only files still see root's number.
   */
  | { readonly kind: 'rightless' };

/** What the user is called inside where the number of root stands for it. */
export const SHOWN_ID = 1000;

export const isRoot = (): boolean => process.getuid?.() === 0;

export async function commandUser(workspace: string): Promise<CommandUser> {
  if (!isRoot()) return { kind: 'self' };
  const { uid, gid } = await lstat(workspace);
  return uid === 0 ? { kind: 'rightless' } : { kind: 'owner', uid, gid };
}

/** What a command is started by inside, to become its user. */
export function entryOf(user: CommandUser): string[] {
  if (user.kind !== 'owner') return [];
  const ids = ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
  return [programPath('setpriv') ?? 'setpriv', ...ids, '--inh-caps=-all', '--'];
}

const run = promisify(execFile);

/** Gives what the host made for commands to their user. Called while none of them runs. */
export async function handOver(user: CommandUser, folders: readonly string[]): Promise<void> {
  if (user.kind !== 'owner') return;
  const foreign = await Promise.all(folders.map((folder) => isForeign(folder, user.uid)));
  const given = folders.filter((_, index) => foreign[index]);
  if (given.length === 0) return;
  const chown = programPath('chown') ?? 'chown';
  await run(chown, ['-R', '-h', '-P', `${user.uid}:${user.gid}`, '--', ...given]);
}

/** The host makes a folder before what is in it, and gives both away together. */
const isForeign = async (folder: string, uid: number): Promise<boolean> =>
  (await lstat(folder).catch(() => null))?.uid !== uid;
