import { realpath } from 'node:fs/promises';
import { BaseRefused } from '../contract/base.ts';
import { baseCommit } from '../proof-place/base-commit.ts';
import { FOREIGN, isOfOthers } from '../workspace/git/own-repository.ts';
import { isInRepository } from '../workspace/git/repository.ts';
import { runGit } from '../workspace/git/run-git.ts';
import { CheckRefused } from './refused.ts';

/** The repository that a folder lies in, and where in it. */
export interface Repository {
  readonly top: string;
  /** Empty at the top, otherwise without a slash at its end. */
  readonly folder: string;
}

export interface ChosenCommits {
  readonly base: string;
  readonly why: string;
  /** Null = the work tree. */
  readonly head: string | null;
}

/** @throws CheckRefused */
export async function findRepository(folder: string): Promise<Repository> {
  const there = await realpath(folder).catch(() => null);
  if (there === null) {
    throw new CheckRefused('no_repository', `${folder} is not there.`, 'Name a folder by --repo.');
  }
  const isInside = await isInRepository(there).catch(() => false);
  const ask = async (flag: string) =>
    (await runGit({ folder: there }, ['rev-parse', flag]))?.replace(/\n$/, '');
  const top = isInside ? await ask('--show-toplevel') : undefined;
  if (top === undefined || top === '') {
    throw new CheckRefused(
      'no_repository',
      (await isOfOthers(there))
        ? `${there} ${FOREIGN}.`
        : `${there} is no work tree of git: nothing tells what was there before.`,
      'Call it in a repository, or name one by --repo.',
    );
  }
  return { top, folder: ((await ask('--show-prefix')) ?? '').replace(/\/$/, '') };
}

/**
 * What is judged, and what it is measured against.
 * @throws CheckRefused
 */
export async function chooseCommits(
  { top }: Repository,
  named: { readonly base: string | null; readonly head: string | null },
): Promise<ChosenCommits> {
  const head = named.head === null ? null : await headCommit(top, named.head);
  const { base, why } =
    named.base === null
      ? await defaultBase(top, head ?? 'HEAD')
      : { base: await commitAt(top, named.base, head ?? 'HEAD'), why: `--base ${named.base}` };
  if (base !== head) return { base, why, head };
  throw new CheckRefused(
    'nothing_changed',
    `What is judged is the base itself (${base.slice(0, 12)}, ${why}).`,
    'Name an earlier commit, or the branch that it was made from, by --base.',
  );
}

async function headCommit(top: string, name: string): Promise<string> {
  const asked = ['rev-parse', '-q', '--verify', '--end-of-options', `${name}^{commit}`];
  const found = (await runGit({ folder: top }, asked))?.trim();
  if (found) return found;
  throw new CheckRefused(
    'base',
    `git knows no commit ${name}.`,
    'Name one by --head, or fetch it.',
  );
}

/** Branches that others start from, the surest first. */
const DEFAULTS = ['origin/main', 'origin/master', 'main', 'master'];

async function defaultBase(
  top: string,
  head: string,
): Promise<{ readonly base: string; readonly why: string }> {
  const asked = ['symbolic-ref', '-q', '--short', 'refs/remotes/origin/HEAD'];
  const ofRemote = (await runGit({ folder: top }, asked))?.trim();
  for (const branch of [...(ofRemote ? [ofRemote] : []), ...DEFAULTS]) {
    const full = branch.includes('/') ? `refs/remotes/${branch}` : `refs/heads/${branch}`;
    if ((await runGit({ folder: top }, ['rev-parse', '-q', '--verify', full])) === null) continue;
    const base = await commitAt(top, `merge-base:${full}`, head);
    return { base, why: `where ${branch} was left` };
  }
  const isShallow = await runGit({ folder: top }, ['rev-parse', '--is-shallow-repository']);
  const clone = isShallow?.trim() === 'true' ? ` ${WHOLE_HISTORY}` : '';
  throw new CheckRefused(
    'no_base',
    'There is no branch main or master, here or on origin, to measure the work against.',
    `Name a commit, a branch or merge-base:BRANCH by --base.${clone}`,
  );
}

const WHOLE_HISTORY =
  'This is a shallow clone: in GitHub Actions give actions/checkout "fetch-depth: 0", elsewhere run "git fetch --unshallow".';

async function commitAt(top: string, name: string, head: string): Promise<string> {
  await assertOneMeaning(top, name.replace(/^merge-base:/, ''));
  try {
    return await baseCommit(top, name, head);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** A tag or branch that somebody named like the branch of a remote goes before it. */
async function assertOneMeaning(top: string, name: string): Promise<void> {
  const places = ['refs/tags', 'refs/heads', 'refs/remotes'].map((at) => `${at}/${name}`);
  const found = await runGit({ folder: top }, ['for-each-ref', '--format=%(refname)', ...places]);
  const meant = (found ?? '').split('\n').filter((ref) => places.includes(ref));
  if (meant.length < 2) return;
  throw new CheckRefused(
    'base',
    `${name} means several things: ${meant.join(', ')}.`,
    'Name one of these by --base.',
  );
}

/** Known problems of a base have ways out of their own where there is no goal to leave it out of. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof BaseRefused)) return error;
  const what = error.message
    .replace(/(?:, or|:) leave the base out.*$/s, '')
    .replace(/^the base has/, 'the repository has');
  return new CheckRefused('base', `${what}.`, waysOut[error.problem] ?? OTHER_BASE);
}

const OTHER_BASE = 'Name another commit by --base.';

const waysOut: Partial<Record<BaseRefused['problem'], string>> = {
  shallow_clone: WHOLE_HISTORY,
  unknown_commit: 'Name a commit, branch or tag of this repository by --base, or fetch it first.',
  no_commit: 'Commit what there was before the work.',
  submodules:
    'Check the submodule by itself with --repo: a repository that has any can’t be judged yet.',
  line_ends: 'Take core.autocrlf, core.eol and eol=crlf out where it is judged.',
  filters: 'Take the filters out of .gitattributes; files that LFS keeps are not judged.',
  lfs_pointers: 'Files that LFS keeps are not judged: take them out of LFS.',
  sparse_checkout: 'Run "git sparse-checkout disable".',
  object_format: 'A repository of SHA-256 is not judged.',
  missing_objects: 'Fetch what it lacks: "git checkout HEAD -- .".',
  damaged: 'Repair the repository (git fsck), or fetch it anew.',
};
