import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Criterion } from '../../../schema/criteria.ts';
import type { Goal, StartGoal } from '../../../schema/goal.ts';
import type { Terms } from '../../../schema/repository-file.ts';
import { layered } from '../../intake/terms/layered.ts';
import { attachFiles } from '../attach.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import { readTerms, type TermsOptions } from '../repository-terms.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';
import { type FromFiles, flagsOf, type StartOptions, workspaceOf } from '../start-input.ts';
import { warnOfCommands } from '../warn-of-commands.ts';
import { watchGoal } from '../watch-goal.ts';

export interface RunOptions extends CommonOptions, StartOptions, TermsOptions {
  readonly objectiveFile?: string;
  readonly fromIssue?: string;
  readonly fromTurn?: string;
  readonly criteriaFile?: string;
  readonly thenFile?: string;
  readonly notifySecretFile?: string;
  readonly sealedCriterion?: string;
  readonly sealedFiles?: string;
  readonly attach?: readonly string[];
  readonly detach?: boolean;
  readonly plain?: boolean;
  readonly estimate?: boolean;
  readonly dryRun?: boolean;
}

const OPEN = "Commands reach the machine's network, with all that listens there.";

/** Starts a goal in a service that runs already, and watches it until it rests. */
export async function run(named: string | undefined, given: RunOptions): Promise<ExitCode> {
  const session = openSession(given);
  const input = await inputOf(session, named, given);
  const { network } = input.policy?.sandbox ?? {};
  if (network === 'host') session.terminal.err(session.terminal.paint.bad(OPEN));
  if (given.estimate === true || given.dryRun === true) {
    const { estimate } = await import('./estimate.ts');
    return estimate(session, input, given.dryRun === true);
  }
  const goal = await session.client.send<Goal>('POST', '/v1/goals', input);
  if (given.detach === true) {
    print(session, goal, () => goal.goalId);
    return EXIT.complete;
  }
  session.terminal.err(`goal ${goal.goalId}`);
  await warnOfCommands(session);
  return watchGoal(session, goal.goalId, { isPlain: given.plain === true });
}

/** Flags win over the repository's file; what neither says is the service's default. */
export async function inputOf(
  session: Session,
  named: string | undefined,
  given: RunOptions,
): Promise<StartGoal> {
  const workspace = await withFilesOf(session, workspaceOf(given), given.fromTurn);
  const objective = await objectiveOf(named, given);
  const found = await readTerms(given, workspace);
  const attached = await attachFiles(session.client, given.attach);
  const files = { ...(await fromFiles(given)), ...attached };
  const flags = flagsOf(given, files);
  const asked = { workspace, objective: objective ?? found?.objective };
  const input = startOf({ ...asked, flags }, found?.terms);
  const isAccepted = given.acceptTerms === true;
  const taken =
    found === null
      ? input
      : await (await import('../accept-terms.ts')).takeTerms(session, found, {
          isAccepted,
          flags,
          input,
        });
  const sealed = await sealedOf(session, given);
  return sealed === null ? taken : { ...taken, criteria: [...(flags.criteria ?? []), sealed] };
}

type Workspace = NonNullable<StartGoal['workspace']>;

const FROM_TURN = /^(.+):(\d{1,7})$/;

/** @throws UsageError */
export function turnNamed(named: string): { readonly goalId: string; readonly turn: number } {
  const [, goalId, turn] = FROM_TURN.exec(named) ?? [];
  if (goalId !== undefined && turn !== undefined) return { goalId, turn: Number(turn) };
  throw new UsageError(
    `--from-turn "${named}" names no turn of a goal.`,
    'Give it as GOAL:TURN, such as g-7f3a:4; turn 0 is before the first write.',
  );
}

/** A worktree that begins with the files of another goal, which may be named by the beginning of its id. */
async function withFilesOf(
  session: Session,
  workspace: Workspace,
  named: string | undefined,
): Promise<Workspace> {
  if (named === undefined) return workspace;
  const { goalId, turn } = turnNamed(named);
  const from = { goalId: await findGoalId(session, goalId), turn };
  return { ...workspace, mode: 'worktree', from };
}

interface Asked {
  readonly objective: string | undefined;
  readonly flags: Partial<StartGoal>;
  readonly workspace: NonNullable<StartGoal['workspace']>;
}

/** @throws UsageError without an objective */
export function startOf({ objective, flags, workspace }: Asked, terms: Terms = {}): StartGoal {
  if (objective === undefined) {
    throw new UsageError(
      'There is no objective.',
      'Give it as an argument, by --objective-file FILE, from stdin by -, by --from-issue URL, or by --template NAME.',
    );
  }
  const asked = layered<Partial<StartGoal>>(terms as Partial<StartGoal>, flags);
  if (asked.scope?.keep !== undefined && asked.scope.change === undefined) {
    throw new UsageError('--keep says what --change leaves out.', 'Give --change GLOB as well.');
  }
  return { ...asked, objective, workspace: { ...terms.workspace, ...workspace } };
}

async function objectiveOf(
  named: string | undefined,
  { objectiveFile: file, fromIssue }: RunOptions,
): Promise<string | undefined> {
  if ([named, file, fromIssue].filter((one) => one !== undefined).length > 1) {
    throw new UsageError(
      'The objective is given twice.',
      'Leave one of --objective-file, --from-issue and the argument.',
    );
  }
  if (fromIssue !== undefined)
    return await (await import('../issue-objective.ts')).objectiveOfIssue(fromIssue, process.env);
  if (named !== '-' && file === undefined) return named;
  const whole = file === undefined || file === '-' ? await text(process.stdin) : await textOf(file);
  return whole.replace(/\n+$/, '');
}

async function textOf(file: string): Promise<string> {
  await assertFileEnds(file, 'Name a file of your own.');
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} can't be read (${code}).`, 'Name a file of your own.');
  }
}

async function fromFiles(options: RunOptions): Promise<FromFiles> {
  const { criteriaFile, thenFile, notifySecretFile } = options;
  const { criteriaOfFile, followingOfFile } = await import('../../app/repository-file.ts');
  return {
    ...(criteriaFile !== undefined && { criteria: await criteriaOfFile(criteriaFile) }),
    ...(thenFile !== undefined && { following: await followingOfFile(thenFile) }),
    ...(notifySecretFile !== undefined && {
      notifySecret: (await textOf(notifySecretFile)).trim(),
    }),
  };
}

/** Seals what is given beside the start, which then names it by its id. */
async function sealedOf(session: Session, options: RunOptions): Promise<Criterion | null> {
  const { sealedCriterion: command, sealedFiles: files } = options;
  if (command === undefined) {
    if (files === undefined) return null;
    throw new UsageError('--sealed-files belong to a criterion.', 'Give --sealed-criterion.');
  }
  const { sealIt } = await import('./seal.ts');
  const { sealedId } = await sealIt(session, { command, ...(files !== undefined && { files }) });
  return { kind: 'sealed', sealedId };
}
