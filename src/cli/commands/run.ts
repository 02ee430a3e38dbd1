import { existsSync, realpathSync } from 'node:fs';
import type { Goal, StartGoal } from '../../../schema/goal.ts';
import type { Network } from '../../../schema/network.ts';
import { type BudgetOptions, budgetOf } from '../budget-options.ts';
import { criteriaOf } from '../criteria-options.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';
import { warnOfCommands } from '../warn-of-commands.ts';
import { watchGoal } from '../watch-goal.ts';

export interface RunOptions extends CommonOptions, BudgetOptions {
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
  readonly sealedCriterion?: string;
  readonly sealedFiles?: string;
  readonly change?: readonly string[];
  readonly keep?: readonly string[];
  readonly base?: string;
  readonly setup?: readonly string[];
  readonly allowDependencies?: boolean;
  readonly network?: string;
  readonly requirement?: readonly string[];
  readonly coverAll?: boolean;
  readonly plan?: boolean;
  readonly judgeMyself?: boolean;
  readonly workspace?: string;
  readonly workspaceName?: string;
  readonly worktree?: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly thread?: string;
  readonly detach?: boolean;
  readonly estimate?: boolean;
  readonly dryRun?: boolean;
}

const OPEN = "Commands reach the machine's network, with all that listens there.";

/** Starts a goal in a service that runs already, and watches it until it rests. */
export async function run(objective: string, given: RunOptions): Promise<ExitCode> {
  const session = openSession(given);
  const options = await withSealed(session, given);
  if (options.network === 'host') session.terminal.err(session.terminal.paint.bad(OPEN));
  if (options.estimate === true || options.dryRun === true) {
    const { estimate } = await import('./estimate.ts');
    return estimate(session, startOf(objective, options), options.dryRun === true);
  }
  const goal = await session.client.send<Goal>('POST', '/v1/goals', startOf(objective, options));
  if (options.detach === true) {
    print(session, goal, () => goal.goalId);
    return EXIT.complete;
  }
  session.terminal.err(`goal ${goal.goalId}`);
  await warnOfCommands(session);
  return watchGoal(session, goal.goalId);
}

/** Seals what is given beside the start, which then names it by its id. */
async function withSealed(session: Session, options: RunOptions): Promise<RunOptions> {
  const { sealedCriterion: command, sealedFiles: files, sealed = [] } = options;
  if (command === undefined) {
    if (files === undefined) return options;
    throw new UsageError('--sealed-files belong to a criterion.', 'Give --sealed-criterion.');
  }
  const { sealIt } = await import('./seal.ts');
  const { sealedId } = await sealIt(session, { command, ...(files !== undefined && { files }) });
  return { ...options, sealed: [...sealed, sealedId] };
}

export function startOf(objective: string, options: RunOptions): StartGoal {
  const criteria = criteriaOf(options) ?? (options.judgeMyself === true ? [] : undefined);
  return {
    objective,
    workspace: workspaceOf(options),
    ...budgetOf(options),
    ...(options.plan === true ? { mode: 'plan' as const } : {}),
    ...(criteria === undefined ? {} : { criteria }),
    ...(options.requirement === undefined
      ? {}
      : { requirements: options.requirement.map((text) => ({ text })) }),
    ...scopeOf(options),
    ...(options.setup === undefined ? {} : { setup: [...options.setup] }),
    ...policyOf(options),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.fallbackModel === undefined ? {} : { fallbackModel: options.fallbackModel }),
    ...(options.thread === undefined ? {} : { threadId: options.thread }),
  };
}

function policyOf(options: RunOptions): Pick<StartGoal, 'policy'> {
  const { coverAll, allowDependencies, network } = options;
  if (coverAll !== true && allowDependencies !== true && network === undefined) return {};
  return {
    policy: {
      ...(network !== undefined && { sandbox: { network: networkNamed(network) } }),
      ...(coverAll === true && { coverage: 'all' as const }),
      ...(allowDependencies === true && { dependencies: 'allow' as const }),
    },
  };
}

/** `none`, `host`, or domains with commas between them. */
function networkNamed(text: string): Network {
  if (text === 'none' || text === 'host') return text;
  return { domains: text.split(',').map((domain) => domain.trim()) };
}

function scopeOf({ change, keep, base }: RunOptions): Pick<StartGoal, 'scope'> {
  if (change === undefined && keep !== undefined) {
    throw new UsageError('--keep says what --change leaves out.', 'Give --change GLOB as well.');
  }
  if (change === undefined && base === undefined) return {};
  return {
    scope: {
      ...(change === undefined ? {} : { change: [...change] }),
      ...(keep === undefined ? {} : { keep: [...keep] }),
      ...(base === undefined ? {} : { base }),
    },
  };
}

function workspaceOf({ workspace = '.', workspaceName, worktree }: RunOptions) {
  const mode = worktree === true ? { mode: 'worktree' as const } : {};
  if (workspaceName !== undefined) return { name: workspaceName, ...mode };
  if (existsSync(workspace)) return { path: realpathSync(workspace), ...mode };
  throw new UsageError(
    `There is no folder ${workspace}.`,
    'Give --workspace PATH, or --workspace-name NAME for one that a worker serves.',
  );
}
