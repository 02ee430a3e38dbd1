import type { CommandCriterion, Criterion } from '../../schema/criteria.ts';
import { alternatives, hasMagic, pathProblem } from '../../schema/glob.ts';
import { normalisePath } from '../proof/evidence.ts';
import { whyUncheckable } from '../shell/compare/checkable.ts';
import type { ParseShell } from '../shell/read/script.ts';
import { fieldIssue, firstIssue, type Issue, issueIn } from './issue.ts';

type OfKind<Kind extends Criterion['kind']> = Extract<Criterion, { kind: Kind }>;

/** Why a criterion can't be checked, or would be checked differently from its text. */
export function criterionIssue(spec: Criterion, field: string, parse: ParseShell): Issue | null {
  switch (spec.kind) {
    case 'command':
      return commandIssue(spec, field, parse);
    case 'file':
      return pathIssue(spec.path, `${field}.path`);
    case 'git':
      return gitIssue(spec, field);
    case 'diagnostics':
      return issueIn(spec.paths ?? [], `${field}.paths`, pathIssue);
    case 'review':
    case 'approval':
    case 'sealed':
      return null;
  }
}

/** A model proposes what a start admits; which model reviews its work is the person's choice. */
export function proposalIssue(spec: Criterion, field: string, parse: ParseShell): Issue | null {
  const issue = criterionIssue(spec, field, parse);
  if (issue !== null || spec.kind !== 'review' || spec.model === undefined) return issue;
  return fieldIssue(`${field}.model`, 'a proposal leaves the model to the person.');
}

function commandIssue(spec: CommandCriterion, field: string, parse: ParseShell): Issue | null {
  return firstIssue(
    () => (spec.cwd === undefined ? null : pathIssue(spec.cwd, `${field}.cwd`)),
    () => issueIn(spec.scope ?? [], `${field}.scope`, scopeIssue),
    () => {
      const found = whyUncheckable(parse(spec.command), spec);
      if (found === null) return null;
      return fieldIssue(`${field}.${found.field}`, `it proves nothing: ${found.reason}`);
    },
  );
}

/** Branch names that git refuses or would take for an option. */
const NO_BRANCH = /^[-/.]|\.\.|@\{|[\s~^:?*[\\\x7f]|\/\/|\/\.|[/.]$|\.lock$/;

function gitIssue({ branch, allowedPaths = [] }: OfKind<'git'>, field: string): Issue | null {
  const globs = `${field}.allowedPaths`;
  return firstIssue(
    () =>
      branch !== undefined && NO_BRANCH.test(branch)
        ? fieldIssue(`${field}.branch`, 'it is no name of a branch.')
        : null,
    () => issueIn(allowedPaths, globs, globIssue),
  );
}

/** A plain name covers what lies in it, and `.` is all of the workspace. */
const scopeIssue = (path: string, field: string): Issue | null =>
  hasMagic(path) ? globIssue(path, field) : pathIssue(path, field);

function globIssue(glob: string, field: string): Issue | null {
  if (alternatives(glob).some(leaves)) return fieldIssue(field, OUTSIDE);
  const problem = pathProblem(glob.trim());
  return problem === null ? null : fieldIssue(field, `${problem}.`);
}

/** One path, which nothing reads as a glob: wildcards in it would be a name that no file has. */
function pathIssue(path: string, field: string): Issue | null {
  if (leaves(path)) return fieldIssue(field, OUTSIDE);
  if (!/[*?]/.test(path) && alternatives(path).length === 1) return null;
  return fieldIssue(field, 'it is one path, not a glob: name the folder, or each file.');
}

const OUTSIDE = 'the path has to lie inside of the workspace, relative to it.';

function leaves(path: string): boolean {
  const plain = normalisePath(path);
  const isOutside = plain === '..' || plain.startsWith('../');
  return isOutside || /^(\/|~|[A-Za-z]:)/.test(path.trim()) || path.includes('\0');
}
