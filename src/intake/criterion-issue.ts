import type { CommandCriterion, Criterion } from '../../schema/criteria.ts';
import { hasMagic, pathProblem } from '../../schema/glob.ts';
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
      return fileIssue(spec, field);
    case 'git':
      return gitIssue(spec, field);
    case 'diagnostics':
      return issueIn(spec.paths ?? [], `${field}.paths`, pathIssue);
    case 'review':
    case 'approval':
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
    () => issueIn(spec.scope ?? [], `${field}.scope`, pathIssue),
    () => issueIn(spec.scope ?? [], `${field}.scope`, globIssue),
    () => optionIssue(spec, field),
    () => {
      const found = whyUncheckable(parse(spec.command), spec);
      if (found === null) return null;
      return fieldIssue(`${field}.${found.field}`, `it proves nothing: ${found.reason}`);
    },
  );
}

/** Which options belong to which way of checking. */
const meant = { setup: ['clean'], scope: ['receipt'], attempts: ['rerun', 'clean'] } as const;

function optionIssue(spec: CommandCriterion, field: string): Issue | null {
  const check = spec.check ?? 'rerun';
  for (const name of ['setup', 'scope', 'attempts'] as const) {
    const checks: readonly string[] = meant[name];
    if (spec[name] === undefined || checks.includes(check)) continue;
    return fieldIssue(`${field}.${name}`, `it has no meaning for check "${check}".`);
  }
  return null;
}

const fileIssue = ({ path, matches }: OfKind<'file'>, field: string): Issue | null =>
  firstIssue(
    () => pathIssue(path, `${field}.path`),
    () => (matches === undefined ? null : expressionIssue(matches, `${field}.matches`)),
  );

function expressionIssue(source: string, field: string): Issue | null {
  try {
    new RegExp(source, 'm');
    return null;
  } catch (error) {
    return fieldIssue(field, (error as Error).message);
  }
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
    () => issueIn(allowedPaths, globs, pathIssue),
    () => issueIn(allowedPaths, globs, globIssue),
  );
}

function globIssue(glob: string, field: string): Issue | null {
  const problem = hasMagic(glob) ? pathProblem(glob) : null;
  return problem === null ? null : fieldIssue(field, `${problem}.`);
}

function pathIssue(path: string, field: string): Issue | null {
  const plain = normalisePath(path);
  const leaves = plain === '..' || plain.startsWith('../') || /^(\/|~|[A-Za-z]:)/.test(path.trim());
  if (!leaves && !path.includes('\0')) return null;
  return fieldIssue(field, 'the path has to lie inside of the workspace, relative to it.');
}
