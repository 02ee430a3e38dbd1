import type { Criterion } from '../../../schema/criteria.ts';
import { isPathGlob, matchesWhole } from '../../../schema/glob.ts';
import type { GitBasis } from '../../contract/goal-brief.ts';
import { type GitState, readGit } from '../../workspace/git/read-git.ts';
import { ifSilent } from '../../workspace/git/run-git.ts';
import type { CriterionCheck, Finding } from '../criterion-check.ts';

type GitSpec = Extract<Criterion, { kind: 'git' }>;

/** A git criterion is never a proof by itself: a commit keeps work but doesn't make it right. */
export const checkGit: CriterionCheck<'git'> = async ({ brief }, { criterionId, spec }) => {
  const since = brief.baseline?.seen?.[criterionId]?.git;
  if (since === undefined) return unmet('git was not looked at before the work began');
  const now = await readGit(brief.workspace.path, since).catch(ifSilent('silent' as const));
  if (now === 'silent') return unmet('git gave no answer about the workspace');
  if (now === null) return unmet('the workspace is no git repository', 'call report_blocker.');
  const problem = problemOf(spec, since, now);
  return problem === null
    ? { state: 'met', isHostChecked: false, reason: `committed at ${now.head}`, receipts: [] }
    : unmet(problem.reason, problem.remedy);
};

interface Problem {
  readonly reason: string;
  readonly remedy: string;
}

function problemOf(spec: GitSpec, since: GitBasis, now: GitState): Problem | null {
  if (spec.branch !== undefined && now.branch !== spec.branch) {
    return {
      reason: `the branch is ${now.branch ?? 'detached'}, not ${spec.branch}`,
      remedy: command(`git switch ${spec.branch}`, 'and commit the change there'),
    };
  }
  const fresh = (path: string) => since.loose[path] !== now.loose[path];
  const modified = now.modified.filter(fresh);
  if (modified.length > 0) {
    return {
      reason: `not committed: ${named(modified)}`,
      remedy: command('git commit -am "…"'),
    };
  }
  if (now.committed.length === 0) {
    return {
      reason: 'no commit since the start changes a file',
      remedy: command('git add -A && git commit -m "…"', 'with the change that was asked for'),
    };
  }
  return pathProblem(spec, now.committed) ?? strayProblem(spec, now.untracked.filter(fresh));
}

function pathProblem({ allowedPaths }: GitSpec, committed: readonly string[]): Problem | null {
  if (allowedPaths === undefined) return null;
  const globs = allowedPaths.filter(isPathGlob);
  const beyond = committed.filter((path) => !globs.some((glob) => matchesWhole(glob, path)));
  if (beyond.length === 0) return null;
  return {
    reason: `changed outside of ${named(allowedPaths)}: ${named(beyond)}`,
    remedy: command('git checkout <the first commit> -- <these files> and commit'),
  };
}

function strayProblem({ clean }: GitSpec, untracked: readonly string[]): Problem | null {
  if (clean !== true || untracked.length === 0) return null;
  return {
    reason: `stray files: ${named(untracked)}`,
    remedy: command('git add or rm', 'for each of them'),
  };
}

const unmet = (reason: string, remedy?: string): Finding => ({
  state: 'unmet',
  isHostChecked: false,
  reason,
  ...(remedy === undefined ? {} : { remedy }),
  receipts: [],
});

const command = (text: string, rest = ''): string =>
  `call run_command with \`${text}\`${rest === '' ? '' : ` ${rest}`}, then attempt_completion.`;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 8).join(', ');
  return paths.length > 8 ? `${shown} and ${paths.length - 8} more` : shown;
}
