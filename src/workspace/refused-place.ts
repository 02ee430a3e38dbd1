import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';

/** Folders of the system by the Filesystem Hierarchy Standard; sources may lie in /usr/src. */
const SYSTEM =
  /^\/(bin|boot|dev|etc|lib|lib32|lib64|libx32|proc|run|sbin|sys|usr(?!\/src\/.)|var\/(cache|lib|lock|log|run|spool))(\/|$)/;

/**
 * Why no goal works in a folder, whoever names it; null = one may. It is asked when a folder is
 * registered, and again by the worker each time: the record of it is the database's.
 * @param tree without links
 * @param home the service's own, which no workspace lies in or around
 */
export async function refusedPlace(tree: string, home?: string): Promise<string | null> {
  if (tree === '/') return '/ is the whole machine, which no goal works in; name a folder';
  if (SYSTEM.test(tree)) {
    return `${tree} is a folder of the system, which no goal works in; name a folder of a project`;
  }
  return (await atOwnHome(tree, home)) ?? (await atSomebodysHome(tree));
}

/** There lie the rules that goals are held to, the service's tokens and its record. */
async function atOwnHome(tree: string, home: string | undefined): Promise<string | null> {
  if (home === undefined) return null;
  const own = await realpath(home).catch(() => home);
  if (isInside(own, tree)) {
    return `${tree} is the service's own home, which no goal works in; name another folder`;
  }
  if (!isInside(tree, own)) return null;
  const way = 'name a folder in it, or move the home (GOALKEEPER_HOME)';
  return `The service's own home lies in ${tree}, which no goal may write to; ${way}`;
}

/** What root's worker may enter is not what its callers may: keys and settings lie there. */
async function atSomebodysHome(tree: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const homes = await homesOfPeople();
  const met = homes.find((home) => isInside(tree, home));
  if (met === undefined) return null;
  const what = met === tree ? 'the home of a user' : `a folder around ${met}, the home of a user`;
  return `${tree} is ${what}, which no goal of root's worker works in; name a folder of a project`;
}

const FIRST_PERSON = 1000;

async function homesOfPeople(): Promise<readonly string[]> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return users.split('\n').flatMap((line) => {
    const [, , uid = '', , , home = ''] = line.split(':');
    const isPerson = uid === '0' || Number(uid) >= FIRST_PERSON;
    return isPerson && isAbsolute(home) && home !== '/' ? [home] : [];
  });
}

/** Also the folder itself. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
