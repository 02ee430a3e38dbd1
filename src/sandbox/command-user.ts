import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchown, lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type HeldFolder, holdFolder } from './held-folder.ts';
import { hostProgram } from './program-path.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** As whom commands run. None of them has a capability or can gain one. */
export type CommandUser =
  /** The worker's own user, who is not root. */
  | { readonly kind: 'self' }
  /** The owner of the workspace, where the worker is root. */
  | ({ readonly kind: 'owner' } & Owner)
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
  return [hostProgram('setpriv'), ...ids, '--inh-caps=-all', '--'];
}

/** Where the host keeps trees of commands: another user of root's worker may have to go through. */
export const passageMode = (): number => (isRoot() ? 0o711 : 0o700);

/** Who is to own what the host makes for commands in this workspace; null = the worker's user. */
export async function ownerOf(workspace: string): Promise<Owner | null> {
  const user = await commandUser(workspace);
  return user.kind === 'owner' ? user : null;
}

/** Gives what the host made for commands to their user. A folder behind a link stays as it is. */
export async function handOver(
  user: CommandUser | Owner,
  folders: readonly string[],
): Promise<void> {
  if (!('uid' in user)) return;
  for (const path of folders) {
    const folder = holdFolder(await realpath(dirname(path)).then((at) => join(at, basename(path))));
    if (folder === null) continue;
    try {
      // The host makes a folder before what is in it, and gives both away together.
      if (folder.stats().uid !== user.uid) await giveAll(folder, user);
    } finally {
      folder.close();
    }
  }
}

/** `chown` goes by open folders itself, and gets the outermost as one. */
async function giveAll({ descriptor }: HeldFolder, { uid, gid }: Owner): Promise<void> {
  const args = ['-R', '-h', '-P', `${uid}:${gid}`, '--', '/proc/self/fd/3/.'];
  const child = spawn(hostProgram('chown'), args, {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  });
  const said = child.stderr === null ? '' : text(child.stderr);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`chown: ${(await said).trim().slice(0, 300)}`);
}

export const giveTo = ({ uid, gid }: Owner, path: string): Promise<void> => lchown(path, uid, gid);

const NOBODY = 65_534;

/** A process of root's that reads what commands send needs none of root's rights. */
export function becomeNobody(): void {
  if (!isRoot()) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
