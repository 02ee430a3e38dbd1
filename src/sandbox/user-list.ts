import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandUser, SHOWN_ID } from './command-user.ts';
import type { Mount } from './mounts.ts';

const LIST = '/etc/passwd';

/**
 * The machine's list of users, with the home of this box for the command's user. Java asks the list
 * where the home is, not HOME: Maven and Gradle would keep their packages in the home of whoever has
 * that number on the machine, or in a folder named `?`.
 *
 * @param serviceHome where the list is kept
 * @param home where the box shows its home
 */
export async function userList(
  serviceHome: string,
  user: CommandUser,
  home: string,
): Promise<Mount[]> {
  const stats = await lstat(LIST).catch(() => null);
  if (stats?.isFile() !== true || !/^\/[^:\n]*$/.test(home)) return [];
  const uid = user.kind === 'owner' ? user.uid : user.kind === 'rightless' ? SHOWN_ID : ownId();
  const text = await readFile(LIST, 'utf8').catch(() => '');
  const list = withHome(text, { uid, gid: user.kind === 'owner' ? user.gid : uid }, home);
  if (list === text) return [];
  const from = join(serviceHome, `users-${uid}`);
  const known = await readFile(from, 'utf8').catch(() => null);
  if (known !== list) {
    const scratch = `${from}.${randomUUID()}`;
    await writeFile(scratch, list, { mode: 0o644 });
    await rename(scratch, from);
  }
  return [{ kind: 'readable', at: LIST, from }];
}

const ownId = (): number => process.getuid?.() ?? SHOWN_ID;

/** The name stays, and whoever has none is called `user`. */
export function withHome(
  list: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
  home: string,
): string {
  const lines = list.split('\n').filter((line) => line !== '');
  const isUser = (line: string) => Number(line.split(':')[2]) === uid;
  const own = lines.find(isUser)?.split(':') ?? ['user', 'x', uid, gid, '', '', '/bin/sh'];
  if (own[5] === home) return list;
  own[5] = home;
  const others = lines.filter((line) => !isUser(line));
  return [...others, own.join(':'), ''].join('\n');
}
