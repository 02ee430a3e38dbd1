import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandScope, Reach } from '../contract/effects.ts';
import { CommandsRefused } from '../contract/failures.ts';
import type { Boxed } from './boxed-command.ts';
import { commandUser, giveTo, handOver, isRoot, type Owner } from './command-user.ts';
import { cleanFolders } from './goal-folders.ts';
import { type HeldFolder, holdFolder, holdInner, makeGiven } from './held-folder.ts';
import type { Protection } from './probe.ts';
import { hostProgram } from './program-path.ts';

const OPEN: Boxed = {
  launcher: null,
  entry: [],
  user: null,
  filter: null,
  writes: [],
  env: {},
  isolation: 'none',
  proxied: null,
  inside: (folder) => folder,
  tidy: async () => ({ disarmed: [], undecided: [] }),
  lose() {},
};

/**
 * Where no sandbox can be had, commands are the worker's user. Root's worker becomes the owner of
 * the workspace for them, and runs none where that is root.
 * @throws CommandsRefused
 */
export async function withoutSandbox(scope: CommandScope, reach: Reach): Promise<Boxed> {
  const workspace = await realpath(scope.workspace);
  const user = await commandUser(workspace);
  if (user.kind === 'rightless') throw new CommandsRefused(whyRefused(workspace));
  if (user.kind === 'self') return await asTheWorker(reach);
  const made = [reach.root, reach.home, ...(reach.writable ?? [])].filter((at) => at !== undefined);
  const home =
    reach.home === undefined ? await homeOf(user) : (await cleanFolders(reach.home)).home;
  await handOver(user, made);
  await linkLent(reach, user);
  for (const folder of [workspace, home, ...made]) await assertEnterable(folder, user);
  const entry = [hostProgram('setpriv'), '--no-new-privs', '--inh-caps=-all', '--'];
  return { ...OPEN, user, entry, writes: [home, ...made], env: { HOME: home, TMPDIR: '/tmp' } };
}

/** The command has the rights of the worker. */
export async function asTheWorker(reach: Reach): Promise<Boxed> {
  await linkLent(reach, null);
  return OPEN;
}

const PROGRAMS =
  'While a token of role "agent" is valid they are refused, unless GOALKEEPER_SANDBOX says otherwise.';

/** How commands run on this machine, for people who start the service; null = in a whole sandbox. */
export function howCommandsRun({ bwrap, isolation, why }: Protection): string | null {
  if (isolation === 'full') return null;
  if (bwrap !== null) return `Commands share the machine's network: ${why}. ${PROGRAMS}`;
  const reach = isRoot()
    ? 'as the owner of their workspace, and where that is root they are refused'
    : 'and reach all that this user can';
  return `Commands run without a sandbox, ${reach}: ${why}. ${PROGRAMS} To change that, ${INSTALL}.`;
}

/** Why no command runs in a folder of root's; null = they run. */
export async function whyNoCommands(workspace: string): Promise<string | null> {
  const user = await commandUser(workspace);
  return user.kind === 'rightless' ? whyRefused(workspace) : null;
}

const INSTALL = 'install bubblewrap and let the worker use it (docs/security.md)';

export const whyRefused = (folder: string): string =>
  `${folder} belongs to root, and without a sandbox no command gets root's rights: ${INSTALL}, or give the folder to an ordinary user (chown -R USER: ${folder})`;

/** Links stand for the folders that a sandbox would show. @throws CommandsRefused */
async function linkLent({ root, lent = [] }: Reach, owner: Owner | null): Promise<void> {
  if (root === undefined || lent.length === 0) return;
  const real = await realpath(root);
  const [aside, held] = [holdFolder(dirname(real)), holdFolder(real)];
  try {
    if (aside === null || held === null) throw changing(root);
    const make = (folder: HeldFolder, name: string, by: (at: string) => void) => {
      if (owner === null) by(folder.at(name));
      else makeGiven(folder, name, { aside, ...owner }, by);
    };
    for (const { at, from, fresh } of lent) {
      const names = (await readdir(from)).filter((name) => !fresh.includes(name));
      inFolder(held, at.split('/'), make, (folder) => {
        for (const name of names) {
          const isThere = lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
          if (!isThere) make(folder, name, (link) => symlinkSync(join(from, name), link));
        }
      });
    }
  } finally {
    for (const folder of [aside, held]) folder?.close();
  }
}

/** Folders that are missing on the way are made. */
function inFolder(
  around: HeldFolder,
  way: readonly string[],
  make: (folder: HeldFolder, name: string, by: (at: string) => void) => void,
  use: (folder: HeldFolder) => void,
): void {
  const [name, ...rest] = way;
  if (name === undefined) {
    use(around);
    return;
  }
  const isThere = lstatSync(around.at(name), { throwIfNoEntry: false }) !== undefined;
  if (!isThere) make(around, name, (at) => mkdirSync(at));
  const inner = holdInner(around, name);
  if (inner === null) throw changing(name);
  try {
    inFolder(inner, rest, make, use);
  } finally {
    inner.close();
  }
}

const changing = (what: string): CommandsRefused =>
  new CommandsRefused(`${what} is no folder, or changes while packages are linked there`);

function unlessThere(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error;
  return false;
}

/** The person's own home, or one that is made for a user who has none. */
async function homeOf(user: Owner): Promise<string> {
  const listed = await homeInPasswords(user);
  if ((await lstat(listed).catch(() => null))?.uid === user.uid) return listed;
  const own = join(tmpdir(), `goalkeeper-home-${user.uid}`);
  const isNew = await mkdir(own, { mode: 0o700 }).then(() => true, unlessThere);
  if (isNew) await giveTo(user, own);
  const stats = await lstat(own);
  if (stats.isDirectory() && stats.uid === user.uid) return own;
  throw new CommandsRefused(`${own} is to be the home of user ${user.uid} and isn't theirs`);
}

async function homeInPasswords({ uid }: Owner): Promise<string> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.map((line) => line.split(':')).find((parts) => Number(parts[2]) === uid)?.[5] ?? '';
}

export async function assertEnterable(folder: string, { uid, gid }: Owner): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    const stats = await stat(at);
    const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
    if ((stats.mode & bit) === 0) {
      const why = `${at} can't be entered by user ${uid}, as whom commands run here without a sandbox`;
      throw new CommandsRefused(`${why}: ${INSTALL}, or let others enter it (chmod o+x ${at})`);
    }
    if (at === dirname(at)) return;
  }
}
