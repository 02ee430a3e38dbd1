import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runGit } from '../workspace/git/run-git.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';

const run = promisify(execFile);

/** Where the notes are: `git notes --ref=goalkeeper-proof show COMMIT`. */
const NOTES = 'goalkeeper-proof';

export class NotAttached extends Error {
  readonly wayOut: string;

  constructor(what: string, wayOut: string) {
    super(what);
    this.name = 'NotAttached';
    this.wayOut = wayOut;
  }
}

/**
 * Puts the bundle, byte for byte, into a note on the newest commit with this tree.
 * @throws NotAttached
 */
export async function attachNote(
  folder: string,
  bundle: string,
  tree: string,
): Promise<{ readonly commit: string; readonly isNew: boolean }> {
  const commit = await commitWith(folder, tree);
  const known = await runGit({ folder }, ['notes', `--ref=${NOTES}`, 'show', commit]);
  if (known === bundle) return { commit, isNew: false };
  if (known !== null) {
    throw new NotAttached(
      `Commit ${commit} has another proof.`,
      `Look at it with "git notes --ref=${NOTES} show ${commit}"; "git notes --ref=${NOTES} remove ${commit}" takes it away.`,
    );
  }
  const scratch = await makeScratch('report');
  try {
    await writeFile(join(scratch, 'bundle'), bundle);
    const blob = await git(folder, 'hash-object', '-w', '--no-filters', join(scratch, 'bundle'));
    await git(folder, 'notes', `--ref=${NOTES}`, 'add', '-C', blob, commit);
  } finally {
    await removeScratch(scratch);
  }
  return { commit, isNew: true };
}

/** A workspace may be a folder of its repository: its tree lies in that of the commit. */
async function commitWith(folder: string, tree: string): Promise<string> {
  const prefix = (await runGit({ folder }, ['rev-parse', '--show-prefix']))?.trim();
  if (prefix === undefined) {
    throw new NotAttached(`${folder} is no git repository.`, 'Name one with --repo DIR.');
  }
  const listed = await runGit({ folder }, ['log', '--all', '--format=%H %T']);
  for (const line of (listed ?? '').split('\n').filter((one) => one !== '')) {
    const [commit = '', own = ''] = line.split(' ');
    if (prefix === '' && own === tree) return commit;
    if (prefix === '') continue;
    const inside = await runGit({ folder }, ['rev-parse', '-q', '--verify', `${commit}:${prefix}`]);
    if (inside?.trim() === tree) return commit;
  }
  throw new NotAttached(
    `No commit of ${folder} has the tree ${tree}, which was proven.`,
    'Commit the proven files, without the changes that "goalkeeper gate" lists as not needed; or keep the file of "goalkeeper proof export" beside the work.',
  );
}

/** Writes as the repository's owner: with their name, and without their hooks. */
async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await run('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: folder,
    });
    return stdout.trim();
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    throw new NotAttached(`git ${args[0]}: ${said.slice(0, 300)}`, 'Mend that and try again.');
  }
}
