import type { CommandCriterion, Criterion } from '../../schema/criteria.ts';
import { hasMagic, pathProblem } from '../../schema/glob.ts';
import { problemWith } from '../contract/failures.ts';
import { whyUncheckable } from '../shell/compare/checkable.ts';
import { loadShellParser } from '../shell/read/parse.ts';
import { normalisePath } from './evidence.ts';

type OfKind<Kind extends Criterion['kind']> = Extract<Criterion, { kind: Kind }>;

/** Refuses what could never be checked, or would be checked otherwise than it reads. */
export async function assertCheckable(spec: Criterion, field: string): Promise<void> {
  switch (spec.kind) {
    case 'command':
      return await assertCommand(spec, field);
    case 'file':
      return assertFile(spec, field);
    case 'git':
      return assertGit(spec, field);
    case 'diagnostics':
      return assertPaths(spec.paths, `${field}.paths`);
    case 'review':
    case 'approval':
      return;
  }
}

/** What a model may propose: which model reviews its work is not for it to say. */
export async function assertProposable(specs: readonly Criterion[]): Promise<void> {
  for (const [index, spec] of specs.entries()) {
    const field = `criteria.${index}`;
    await assertCheckable(spec, field);
    if (spec.kind !== 'review' || spec.model === undefined) continue;
    throw problemWith(`${field}.model`, 'a proposal leaves the model to the person.');
  }
}

async function assertCommand(spec: CommandCriterion, field: string): Promise<void> {
  assertInside(spec.cwd, `${field}.cwd`);
  assertPaths(spec.scope, `${field}.scope`);
  assertGlobs(spec.scope ?? [], `${field}.scope`);
  assertMeaning(spec, field);
  const parse = await loadShellParser();
  const found = whyUncheckable(parse(spec.command), spec);
  if (found === null) return;
  throw problemWith(`${field}.${found.field}`, `it proves nothing: ${found.reason}`);
}

/** Which options belong to which way of checking. */
const meant = { setup: ['clean'], scope: ['receipt'], attempts: ['rerun', 'clean'] } as const;

function assertMeaning(spec: CommandCriterion, field: string): void {
  const check = spec.check ?? 'rerun';
  for (const name of ['setup', 'scope', 'attempts'] as const) {
    const checks: readonly string[] = meant[name];
    if (spec[name] === undefined || checks.includes(check)) continue;
    throw problemWith(`${field}.${name}`, `it has no meaning for check "${check}".`);
  }
}

function assertFile({ path, matches }: OfKind<'file'>, field: string): void {
  assertInside(path, `${field}.path`);
  if (matches === undefined) return;
  try {
    new RegExp(matches, 'm');
  } catch (error) {
    throw problemWith(`${field}.matches`, (error as Error).message);
  }
}

/** What git itself refuses as the name of a branch, and what it would take for an option. */
const NO_BRANCH = /^[-/.]|\.\.|@\{|[\s~^:?*[\\\x7f]|\/\/|\/\.|[/.]$|\.lock$/;

function assertGit({ branch, allowedPaths = [] }: OfKind<'git'>, field: string): void {
  if (branch !== undefined && NO_BRANCH.test(branch)) {
    throw problemWith(`${field}.branch`, 'it is no name of a branch.');
  }
  assertPaths(allowedPaths, `${field}.allowedPaths`);
  assertGlobs(allowedPaths, `${field}.allowedPaths`);
}

function assertGlobs(globs: readonly string[], field: string): void {
  for (const [index, glob] of globs.entries()) {
    if (!hasMagic(glob)) continue;
    const problem = pathProblem(glob);
    if (problem !== null) throw problemWith(`${field}.${index}`, `${problem}.`);
  }
}

function assertPaths(paths: readonly string[] | undefined, field: string): void {
  for (const [index, path] of (paths ?? []).entries()) assertInside(path, `${field}.${index}`);
}

function assertInside(path: string | undefined, field: string): void {
  if (path === undefined) return;
  const plain = normalisePath(path);
  const leaves = plain === '..' || plain.startsWith('../') || /^(\/|~|[A-Za-z]:)/.test(path.trim());
  if (leaves || path.includes('\0')) {
    throw problemWith(field, 'the path has to lie inside of the workspace, relative to it.');
  }
}
