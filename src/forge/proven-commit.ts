import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GoalProofPredicate, KnownBase } from '../../schema/proof-bundle.ts';
import { type GitEntry, treesOf } from '../checkpoints/git-objects.ts';
import { gitMode } from '../checkpoints/import-stream.ts';
import { readEntry } from '../checkpoints/look.ts';
import { filesOfCommit } from '../workspace/git/commit-files.ts';
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
  if (base.commit.length > SHA1_DIGITS)
    throw new ForgeRefused(
      'The repository keeps its objects by SHA-256, and a proof by SHA-1.',
      EXPORT,
    );
  const [prefix, objects] = await placesOf(folder);
  const git = gitIn(scratch, environment);
  await git(['init', '-q', '--bare', '.']);
  await writeFile(join(scratch, 'objects', 'info', 'alternates'), `${objects}\n`);
  await git(['read-tree', base.commit]);
  const links = (await staged(git, prefix)).filter(([, entry]) => entry.mode === GITLINK);
  const isLinked = (path: string) => links.some(([link]) => path.startsWith(`${link}/`));
  const loose = [...base.files.map(({ path }) => path), ...base.gone, ...base.unkept];
  const others = loose.filter((path) => !isLinked(path));
  if (others.length > 0) {
    throw new ForgeRefused(
      `The work began with files that no commit has as they were: ${some(others)}.`,
      `${EXPORT} A goal with --worktree begins with the last commit.`,
    );
  }
  const inside = proof.files.filter(({ path }) => isLinked(path)).map(({ path }) => path);
  if (inside.length > 0)
    throw new ForgeRefused(`A submodule holds files of the work: ${some(inside)}.`, EXPORT);
  for (const [link, { object }] of links) await assertPinned(folder, link, object, base);
  if (proof.files.length === 0)
    throw new ForgeRefused('The proof took no change from the work.', EXPORT);
  await git(
    ['update-index', '-z', '--index-info'],
    await entries(git, folder, prefix, proof.files),
  );
  const tree = (await git(['write-tree'])).trim();
  // A proof has the files of a submodule, and a commit which one it is.
  const own = (await staged(git, prefix)).filter(([, entry]) => entry.mode !== GITLINK);
  const pinned = base.files.map(({ path, ...entry }) => [path, entry] as const);
  if (treesOf(new Map([...own, ...pinned])).root !== proof.tree)
    throw new ForgeRefused(`${base.commit} with the proven files is not the proven tree.`, EXPORT);
  const dated = gitIn(scratch, {
    ...environment,
    ...{ GIT_AUTHOR_DATE: goal.completedAt, GIT_COMMITTER_DATE: goal.completedAt },
  });
  const commit = await dated(['commit-tree', tree, '-p', base.commit, '-F', '-'], message);
  return commit.trim();
}

const SHA1_DIGITS = 40;
const GITLINK = '160000';

/** Of the index, those of the workspace by their paths in it. */
async function staged(git: Git, prefix: string): Promise<[string, GitEntry][]> {
  const lines = (await git(['ls-files', '-s', '-z'])).split('\0');
  return lines.flatMap((line): [string, GitEntry][] => {
    const [, mode = '', object = '', path = ''] = /^(\d+) ([0-9a-f]+) 0\t(.+)$/s.exec(line) ?? [];
    return path.startsWith(prefix) && path !== ''
      ? [[path.slice(prefix.length), { mode, object }]]
      : [];
  });
}

/**
 * The files that the proof had of a submodule are those of the commit that is named for it.
 * @throws ForgeRefused
 */
async function assertPinned(
  folder: string,
  link: string,
  commit: string,
  { files, gone, unkept }: KnownBase,
): Promise<void> {
  const had = files.filter(({ path }) => path.startsWith(`${link}/`));
  const unsaid = [...gone, ...unkept].filter((path) => path.startsWith(`${link}/`));
  if (had.length + unsaid.length === 0) return;
  const named = await filesOfCommit(join(folder, link), commit);
  const isSame = had.every(({ path, mode, object }) => {
    const known = named?.get(path.slice(link.length + 1));
    return known?.object === object && known.mode === mode;
  });
  if (named !== null && isSame && unsaid.length === 0 && had.length === named.size) return;
  throw new ForgeRefused(
    `The proof had other files of the submodule ${link} than ${commit} has, which the work began with.`,
    `${EXPORT} A goal with --worktree begins without the files of submodules.`,
  );
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
