import { alternatives } from '../../../schema/glob.ts';
import type { Scope, ScopeNotice } from '../../../schema/scope.ts';
import { testsByName } from './judge-like.ts';
import { meansEverything } from './widen-scope.ts';

/** What is known of a workspace before a goal begins in it. */
export interface ScopeFacts {
  readonly scope: Pick<Scope, 'change' | 'keep' | 'why'>;
  /** Files in scope, and all that git does not ignore. */
  readonly files: number;
  readonly total: number;
  readonly repository: 'none' | 'no_commit' | 'committed';
  /** Too large to be kept. */
  readonly leftOut: readonly string[];
  readonly unread: readonly string[];
  readonly submodules: readonly string[];
  readonly lfsPointers: readonly string[];
  /** What criteria ask for although git ignores it. */
  readonly ignored: readonly IgnoredFile[];
}

interface IgnoredFile {
  readonly path: string;
  /** Where it is written, and what. */
  readonly rule: string;
  /** A command of an earlier criterion may make it. */
  readonly isBuilt: boolean;
}

/** What a caller should know of the level that can be reached, before anything is written. */
export function scopeNotices(facts: ScopeFacts): ScopeNotice[] {
  const { scope, files, total, repository, leftOut, unread, submodules, lfsPointers } = facts;
  const built = facts.ignored.filter(({ isBuilt }) => isBuilt);
  const unmade = facts.ignored.filter(({ isBuilt }) => !isBuilt);
  const judges = scope.change.filter((glob) => alternatives(glob).some(testsByName));
  const notices: (ScopeNotice | false)[] = [
    scope.change.length === 0 &&
      of(
        'nothing_inferred',
        `The work could not be told from its judge (${scope.why.map(({ reason }) => reason).join('; ')}): a person is asked about whatever the proof needs. Name the files of the work as scope.change (--change).`,
      ),
    scope.change.length > 0 &&
      files === 0 &&
      total > 0 &&
      of(
        'matches_nothing',
        'The scope matches no file that is there: only new files under these names count, and a person is asked about everything else that the proof needs.',
      ),
    total > 0 &&
      scope.keep.length === 0 &&
      meansEverything(scope.change) &&
      of(
        'matches_everything',
        'The scope means every file: only what judges by its name, such as tests and configuration, is not the goal’s. What a check reads under another name proves as little as the goal wants.',
      ),
    judges.length > 0 &&
      of(
        'names_judges',
        `The scope names files that judge the work (${listed(judges)}): where the proof needs them, the goal is supported at most, unless a review passes it.`,
      ),
    repository === 'no_commit' &&
      of(
        'no_commit',
        'The repository has no commit: the work is measured against the files as they are; a base, a worktree or a criterion of kind git needs a commit.',
      ),
    submodules.length > 0 &&
      of(
        'submodules',
        `Submodules are kept as the files that lie there (${listed(submodules)}): one that is not checked out, as each is in a goal’s worktree, is empty in the proof too.`,
      ),
    lfsPointers.length > 0 &&
      of(
        'lfs_pointers',
        `${count(lfsPointers.length, 'file')} of Git LFS ${lfsPointers.length === 1 ? 'is' : 'are'} not there, only a pointer (${listed(lfsPointers)}): checks that read them see the pointer. Run "git lfs pull" first.`,
      ),
    built.length > 0 &&
      of(
        'ignored_file',
        `Git ignores what a criterion asks for (${ruled(built)}), so it is in no commit and in no proof: it counts only where the commands of the criteria before it make it in the proof.`,
      ),
    unmade.length > 0 && {
      ...of(
        'ignored_file',
        `Git ignores what a criterion asks for (${ruled(unmade)}), so it is in no commit and in no proof, and no claim holds by it: put a command that makes it into a criterion before it (npm run build), or ask for a file that git keeps.`,
      ),
      level: 'supported',
    },
    leftOut.length > 0 &&
      of(
        'left_out',
        `${count(leftOut.length, 'file')} above 10 MB (${listed(leftOut)}) ${leftOut.length === 1 ? 'is' : 'are'} in no proof run: a check that needs them fails there, and the goal is not verified.`,
      ),
    unread.length > 0 &&
      of(
        'unread',
        `What the service may not read is in no proof run (${listed(unread)}): a check that needs it fails there.`,
      ),
  ];
  return notices.filter((one) => one !== false);
}

/** There is no proof run at all. */
export const noProof = (reason: string): ScopeNotice => ({
  code: 'no_proof',
  level: 'supported',
  text: `There will be no proof run, so the goal is supported at most: ${reason}.`,
});

const of = (code: ScopeNotice['code'], text: string): ScopeNotice => ({
  code,
  level: 'verified',
  text,
});

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;

const ruled = (files: readonly IgnoredFile[]): string =>
  listed(files.map(({ path, rule }) => `${path} by ${rule}`));

function listed(names: readonly string[]): string {
  const left = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
