import type { CommandCriterion, Criterion } from '../../schema/criteria.ts';
import { MOST_KNOWN_ERRORS } from '../diagnostics/known-errors.ts';
import { readGit } from '../workspace/git/read-git.ts';
import { ifSilent } from '../workspace/git/run-git.ts';
import { PathRefused } from '../workspace/paths.ts';
import { runCriterion } from './command-run.ts';
import { lookAtDiagnostics } from './diagnostics/look.ts';
import type { HostRun } from './host-run.ts';
import { type FileSpec, hashProtected, lookAtFile } from './look-at-file.ts';
import type { BaselineLook, OriginalTree, State } from './original-tree.ts';
import { checkInPlace } from './proof/check.ts';
import { inPlace } from './proof/place.ts';
import { lookAtSealed } from './sealed/baseline.ts';

interface Looked {
  readonly criterionId: string;
  readonly spec: Criterion;
  /** See `Provable`. */
  readonly behind?: CommandCriterion;
}

/**
 * State of a criterion before the work begins, on the original where there is one: a criterion that
 * came later is compared with the tree at the goal's start as well.
 */
export async function lookAtBaseline(
  host: HostRun,
  { criterionId, spec, ...more }: Looked,
  original: OriginalTree | null = null,
): Promise<BaselineLook> {
  switch (spec.kind) {
    case 'command':
      return await lookAtCommand(host, { criterionId, spec, ...more }, original);
    case 'file':
      return await lookAtFileFirst(host, spec, original);
    case 'git':
      return await lookAtGit(host.workspace);
    case 'diagnostics':
      return await lookAtCheckers(host, { criterionId, spec }, original);
    case 'sealed':
      return await lookAtSealed(host, { criterionId, spec }, original);
    case 'review':
    case 'approval':
      return { state: 'unmet', reason: 'looked at when the work is done' };
  }
}

interface Outcome {
  readonly isMet: boolean;
  readonly couldNotRun: boolean;
}

export function baselineState({ isMet, couldNotRun }: Outcome): State {
  if (isMet) return 'met';
  return couldNotRun ? 'not_run' : 'unmet';
}

type Of<Kind extends Criterion['kind']> = Looked & {
  readonly spec: Extract<Criterion, { kind: Kind }>;
};

async function lookAtCommand(
  host: HostRun,
  { criterionId, spec, ...more }: Of<'command'>,
  original: OriginalTree | null,
): Promise<BaselineLook> {
  if (original === null || spec.check === 'receipt') {
    const { last, reason } = await runCriterion(host, { criterionId, spec });
    return { state: baselineState(last), reason, report: last.report };
  }
  const ran = await checkInPlace(host, original.goalId, { criterionId, spec, ...more }, original);
  const pathsOf = (isWanted: boolean) =>
    ran.rewrites.flatMap(({ path, isMade }) => (isMade === isWanted ? [path] : []));
  const ended = ran.last?.wasEnded === true && { wasEnded: true as const };
  const seen = { rewrites: pathsOf(false), made: pathsOf(true), ...ended };
  return { state: baselineState(ran), reason: ran.reason, report: ran.report, seen };
}

async function lookAtCheckers(
  host: HostRun,
  { criterionId, spec }: Of<'diagnostics'>,
  original: OriginalTree | null,
): Promise<BaselineLook> {
  const look =
    original === null
      ? await lookAtDiagnostics(host, criterionId, spec.paths)
      : await inPlace(host, original.goalId, original, (place) =>
          lookAtDiagnostics(host, criterionId, spec.paths, { place }),
        );
  const { holds: isMet, couldNotRun, reason, checkers, report } = look;
  const state = baselineState({ isMet, couldNotRun });
  const own = report === null ? {} : { report };
  if (spec.onlyNew !== true) return { state, reason, seen: { checkers }, ...own };
  const { errors } = look;
  const count = Object.keys(errors ?? {}).length;
  if (errors === null || couldNotRun || count > MOST_KNOWN_ERRORS) {
    const why = `${reason}\nIts errors can't be compared: not all of them are named, or too many.`;
    return { state: couldNotRun ? 'not_run' : 'unmet', reason: why, seen: { checkers }, ...own };
  }
  // Nothing is new at the start, so it guards.
  const held = count === 0 ? reason : `${count} kinds of errors are there, which don't count`;
  return { state: 'met', reason: held, seen: { checkers, errors }, ...own };
}

async function lookAtGit(workspace: string): Promise<BaselineLook> {
  const git = await readGit(workspace, null).catch(ifSilent(null));
  if (git === null) return { state: 'unmet', reason: 'the workspace is no git repository' };
  const seen = { git: { head: git.head, loose: git.loose } };
  return { state: 'unmet', reason: 'nothing is committed yet', seen };
}

/** A file that holds in either place was there before: ignored ones are in no tree. */
async function lookAtFileFirst(
  host: HostRun,
  spec: FileSpec,
  original: OriginalTree | null,
): Promise<BaselineLook> {
  if (spec.protect !== undefined) return await protectAsItIs(host.workspace, spec);
  const looks = [await lookAtFile(host.workspace, spec, undefined)];
  if (original !== null) {
    const look = ({ checkout }: { readonly checkout: string }) =>
      lookAtFile(checkout, spec, undefined);
    looks.push(await inPlace(host, original.goalId, original, look));
  }
  const held = looks.find(({ holds }) => holds);
  return { state: held === undefined ? 'unmet' : 'met', reason: (held ?? looks[0])?.reason ?? '' };
}

async function protectAsItIs(workspace: string, { path }: FileSpec): Promise<BaselineLook> {
  try {
    const hash = await hashProtected(workspace, path);
    return { state: 'met', reason: 'protected as it is', seen: { hash } };
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { state: 'unmet', reason: error.message };
  }
}
