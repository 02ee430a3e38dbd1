import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runGit } from '../workspace/git/run-git.ts';
import { gitIn } from './proven-commit.ts';
import { ForgeRefused } from './refused.ts';

/** As git writes a ref that must not be there yet. */
const ABSENT = '0'.repeat(40);

/**
 * Makes a branch of the folder's own repository that begins at the commit, and changes no branch and
 * no file that is there. Objects are written by the caller's own repository in `scratch`, so that
 * neither settings nor hooks of the other one run.
 * @throws ForgeRefused
 */
export async function keepLocally(
  commit: string,
  scratch: string,
  environment: NodeJS.ProcessEnv,
  { folder, branch }: { readonly folder: string; readonly branch: string },
): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const ask = ['for-each-ref', '--format=%(objectname)', ref];
  const there = (await runGit({ folder }, ask))?.trim();
  if (there === commit) return;
  if (there !== '') {
    throw new ForgeRefused(
      `${branch} has other commits${there === undefined ? '' : ` (${there.slice(0, 12)})`}.`,
      'Name another --branch, or delete that one.',
    );
  }
  const objects = await ownObjects(folder, ref);
  const git = gitIn(scratch, environment);
  const revisions = `${commit}\n^${commit}^\n`;
  const pack = (
    await git(['pack-objects', '-q', '--revs', join(scratch, 'proven')], revisions)
  ).trim();
  const content = await readFile(join(scratch, `proven-${pack}.pack`));
  await gitIn(scratch, environment, objects)(['unpack-objects', '-q'], content);
  const made = await runGit({ folder }, ['update-ref', '-m', 'goalkeeper pr', ref, commit, ABSENT]);
  // Another call of the same may have been first.
  if (made !== null || (await runGit({ folder }, ask))?.trim() === commit) return;
  throw new ForgeRefused(
    `${branch} can't be made in ${folder}.`,
    'A branch whose name begins or goes on like it may be there: name another --branch.',
  );
}

/** @throws ForgeRefused where others could not write to what is added there */
async function ownObjects(folder: string, ref: string): Promise<string> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = await realpath((await runGit({ folder }, asked))?.trim() ?? folder);
  const objects = join(common, 'objects');
  const isOwn =
    (await realpath(objects).catch(() => '')) === objects && !(await leadsAway(common, ref));
  const { uid } = await stat(common);
  if (isOwn && uid === process.getuid?.()) return objects;
  throw new ForgeRefused(
    isOwn
      ? `${common} belongs to another user.`
      : `What git writes in ${folder} lies elsewhere: a link leads there.`,
    isOwn
      ? 'Run it as the owner of the repository.'
      : 'Name a checkout with its own by --repo DIR.',
  );
}

/** What git writes for the branch goes through a link: its ref, the log of it, an object. */
async function leadsAway(common: string, ref: string): Promise<boolean> {
  const entries = await readdir(join(common, 'objects'), { withFileTypes: true });
  const written = [ref, `${ref}.lock`, join('logs', ref)].flatMap(upwards);
  const found = await Promise.all(
    written.map((path) => lstat(join(common, path)).catch(() => null)),
  );
  return [...entries, ...found].some((one) => one?.isSymbolicLink() === true);
}

/** The path and the folders that it lies in. */
const upwards = (path: string): string[] => (path === '.' ? [] : [path, ...upwards(dirname(path))]);
