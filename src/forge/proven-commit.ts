import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { gitMode } from '../checkpoints/import-stream.ts';
import { readEntry } from '../checkpoints/look.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { ForgeRefused } from './refused.ts';

type Git = (args: readonly string[], input?: string | Buffer) => Promise<string>;

interface Ground {
  /** The workspace, or a checkout that holds the proven files. */
  readonly folder: string;
  /** An empty folder of the caller's. */
  readonly scratch: string;
  readonly environment: NodeJS.ProcessEnv;
}

const EXPORT = 'Keep the work as it is, and hand over the file of "goalkeeper proof export".';

/**
 * One commit on the work's base: the proven tree and nothing else, whatever the branch has. It is
 * made in a repository of its own that borrows the objects, so that no setting and no hook of the
 * workspace's own, where a goal's commands wrote, runs or leads anywhere; the person's own settings
 * hold. The same proof makes the same commit.
 * @returns its id
 * @throws ForgeRefused
 */
export async function provenCommit(
  { folder, scratch, environment }: Ground,
  { base, proof, goal }: GoalProofPredicate,
  message: string,
): Promise<string> {
  if ('missing' in base || base.commit === null)
    throw new ForgeRefused('The work began with no commit.', EXPORT);
  const loose = [...base.files.map(({ path }) => path), ...base.gone, ...base.unkept];
  if (loose.length > 0) {
    throw new ForgeRefused(
      `The work began with files that no commit has as they were: ${some(loose)}.`,
      `${EXPORT} A goal with --worktree begins with the last commit.`,
    );
  }
  if (proof.files.length === 0)
    throw new ForgeRefused('The proof took no change from the work.', EXPORT);
  const [prefix, objects] = await placesOf(folder);
  const git = gitIn(scratch, environment);
  await git(['init', '-q', '--bare', '.']);
  await writeFile(join(scratch, 'objects', 'info', 'alternates'), `${objects}\n`);
  await git(['read-tree', base.commit]);
  await git(
    ['update-index', '-z', '--index-info'],
    await entries(git, folder, prefix, proof.files),
  );
  const tree = (await git(['write-tree'])).trim();
  const own = prefix === '' ? tree : (await git(['rev-parse', `${tree}:${prefix}`])).trim();
  if (own !== proof.tree)
    throw new ForgeRefused(`${base.commit} with the proven files is not the proven tree.`, EXPORT);
  const dated = gitIn(scratch, {
    ...environment,
    ...{ GIT_AUTHOR_DATE: goal.completedAt, GIT_COMMITTER_DATE: goal.completedAt },
  });
  const commit = await dated(['commit-tree', tree, '-p', base.commit, '-F', '-'], message);
  return commit.trim();
}

/** A workspace may be a folder of its repository. */
async function placesOf(folder: string): Promise<readonly [prefix: string, objects: string]> {
  const prefix = await runGit({ folder }, ['rev-parse', '--show-prefix']);
  const common = await runGit({ folder }, [
    ...['rev-parse', '--path-format=absolute', '--git-common-dir'],
  ]);
  if (prefix === null || common === null) {
    throw new ForgeRefused(
      `${folder} is no git repository of its own.`,
      'Name a checkout that has the work with --repo DIR.',
    );
  }
  return [prefix.replace(/\n$/, ''), join(common.replace(/\n$/, ''), 'objects')];
}

/** @throws ForgeRefused where a file is not what was proven */
async function entries(
  git: Git,
  folder: string,
  prefix: string,
  files: GoalProofPredicate['proof']['files'],
): Promise<string> {
  const lines: string[] = [];
  const others: string[] = [];
  for (const { path, sha256, mode } of files) {
    const entry = await readEntry(folder, path);
    const found = entry && createHash('sha256').update(entry.content).digest('hex');
    const isProven = found === sha256 && (entry === null || gitMode(entry) === mode);
    if (!isProven) others.push(path);
    else if (entry === null) lines.push(`0 ${'0'.repeat(40)}\t${prefix}${path}\0`);
    else {
      const object = await git(['hash-object', '-w', '--no-filters', '--stdin'], entry.content);
      lines.push(`${mode} ${object.trim()}\t${prefix}${path}\0`);
    }
  }
  if (others.length === 0) return lines.join('');
  throw new ForgeRefused(
    `Not as they were proven, in ${folder}: ${some(others)}.`,
    'Take back what changed since ("goalkeeper diff GOAL"), or name a checkout that has the work with --repo DIR.',
  );
}

const some = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .join(', ')
    .concat(names.length > 5 ? ` and ${names.length - 5} more` : '');

const MOST_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 10 * 60_000;

/** Places that a caller's own git gave to its hooks. */
const PLACES =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH|CONFIG_PARAMETERS)$/;

/** @param objects where objects are written; absent = in the repository itself */
export function gitIn(scratch: string, environment: NodeJS.ProcessEnv, objects?: string): Git {
  const kept = Object.entries(environment).filter(([name]) => !PLACES.test(name));
  const env = {
    ...Object.fromEntries(kept),
    ...{ GIT_DIR: scratch, GIT_INDEX_FILE: join(scratch, 'goalkeeper-index'), LC_ALL: 'C' },
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
  };
  return (args, input) =>
    new Promise((resolve, reject) => {
      const options = { cwd: scratch, env, maxBuffer: MOST_BYTES, timeout: PATIENCE_MS };
      const child = execFile('git', args, options, (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const said = stderr.trim().slice(-600) || error.message;
        reject(new ForgeRefused(`git ${args[0]}: ${said}`, 'Mend what git names, and try again.'));
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(input ?? '');
    });
}
