import { existsSync, realpathSync } from 'node:fs';
import type { Criterion } from '../../schema/criteria.ts';
import type { FollowingGoal, Mode, StartGoal } from '../../schema/goal.ts';
import type { Network } from '../../schema/network.ts';
import type { NotifyEvent } from '../../schema/notify.ts';
import { type BudgetOptions, budgetOf } from './budget-options.ts';
import { criteriaOf } from './criteria-options.ts';
import { UsageError } from './exit-code.ts';

/** The options of `run` that say something of the start; what they say is judged by the service. */
export interface StartOptions extends BudgetOptions {
  readonly criterion?: readonly string[];
  readonly sealed?: readonly string[];
  readonly change?: readonly string[];
  readonly keep?: readonly string[];
  readonly base?: string;
  readonly setup?: readonly string[];
  readonly allowDependencies?: boolean;
  readonly network?: string;
  readonly requirement?: readonly string[];
  readonly coverAll?: boolean;
  readonly judgeMyself?: boolean;
  readonly workspace?: string;
  readonly workspaceName?: string;
  readonly worktree?: boolean;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly thread?: string;
  readonly conversation?: string;
  readonly mode?: string;
  readonly agent?: string;
  readonly textTokens?: boolean;
  readonly priority?: number;
  readonly then?: readonly string[];
  readonly notify?: readonly string[];
  readonly notifySecretEnv?: string;
  readonly notifyEvent?: readonly string[];
  readonly replace?: string;
  readonly expectedGoal?: string;
  readonly expectedRevision?: number;
}

/** What options alone don't hold. */
export interface FromFiles {
  /** Beside `--criterion` and `--sealed`. */
  readonly criteria?: readonly Criterion[];
  /** Signs what is sent to `--notify`, where no variable of the workers is named. */
  readonly notifySecret?: string;
  /** Ids of what `--attach` uploaded. */
  readonly attachments?: string[];
  /** Goals behind those of `--then`. */
  readonly following?: readonly FollowingGoal[];
}

function followingOf({ then = [] }: StartOptions, { following = [] }: FromFiles) {
  const goals = [...then.map((objective) => ({ objective })), ...following];
  // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
  return goals.length === 0 ? {} : { then: goals };
}

/** What the flags say; whatever they leave open is absent. */
export function flagsOf(options: StartOptions, files: FromFiles = {}): Partial<StartGoal> {
  const { criteria: more = [], attachments } = files;
  const named = criteriaOf(options);
  const criteria =
    named === undefined && more.length === 0
      ? options.judgeMyself === true
        ? []
        : undefined
      : [...(named ?? []), ...more];
  return {
    ...budgetOf(options),
    ...(criteria === undefined ? {} : { criteria }),
    ...(options.requirement === undefined
      ? {}
      : { requirements: options.requirement.map((text) => ({ text })) }),
    ...scopeOf(options),
    ...(options.setup === undefined ? {} : { setup: [...options.setup] }),
    ...policyOf(options),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...fallbackOf(options),
    ...(options.thread === undefined ? {} : { threadId: options.thread }),
    // The service judges the words.
    ...(options.conversation === undefined
      ? {}
      : { conversation: options.conversation as NonNullable<StartGoal['conversation']> }),
    ...(options.mode === undefined ? {} : { mode: options.mode as Mode }),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.textTokens === true ? { textTokens: true } : {}),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...followingOf(options, files),
    ...notifyOf(options, files.notifySecret),
    ...(attachments === undefined ? {} : { attachments }),
    ...insteadOf(options),
  };
}

/** "none" takes the service's own away, or the one that the goal has. */
export function fallbackOf({ fallbackModel: named }: Pick<StartOptions, 'fallbackModel'>) {
  return named === undefined ? {} : { fallbackModel: named === 'none' ? null : named };
}

/** Where the goal works: a folder here, or a workspace that a worker serves by a name. */
export function workspaceOf({ workspace = '.', workspaceName, worktree }: StartOptions) {
  const mode = worktree === true ? { mode: 'worktree' as const } : {};
  if (workspaceName !== undefined) return { name: workspaceName, ...mode };
  if (existsSync(workspace)) return { path: realpathSync(workspace), ...mode };
  throw new UsageError(
    `There is no folder ${workspace}.`,
    'Give --workspace PATH, or --workspace-name NAME for one that a worker serves.',
  );
}

function policyOf(options: StartOptions): Pick<StartGoal, 'policy'> {
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

function scopeOf({ change, keep, base }: StartOptions): Pick<StartGoal, 'scope'> {
  if (change === undefined && keep === undefined && base === undefined) return {};
  return {
    scope: {
      ...(change === undefined ? {} : { change: [...change] }),
      ...(keep === undefined ? {} : { keep: [...keep] }),
      ...(base === undefined ? {} : { base }),
    },
  };
}

/** Named as in docs/webhooks.md. */
const USUAL_SECRET = 'GOALKEEPER_NOTIFY_SECRET';

function notifyOf(
  { notify, notifySecretEnv, notifyEvent }: StartOptions,
  secret: string | undefined,
): Pick<StartGoal, 'notify'> {
  if (notify === undefined) {
    if ((notifySecretEnv ?? notifyEvent ?? secret) === undefined) return {};
    throw new UsageError('Secrets and events belong to a webhook.', 'Give --notify URL.');
  }
  const signed =
    secret === undefined || notifySecretEnv !== undefined
      ? { secretEnv: notifySecretEnv ?? USUAL_SECRET }
      : { secret };
  const heard = notifyEvent === undefined ? {} : { events: notifyEvent as NotifyEvent[] };
  return { notify: notify.map((url) => ({ url, ...signed, ...heard })) };
}

/** `--replace` names the goal that it expects, too. */
function insteadOf({
  replace,
  expectedGoal,
  expectedRevision,
}: StartOptions): Pick<StartGoal, 'replace' | 'expectedGoalId' | 'expectedRevision'> {
  const expected = replace ?? (expectedGoal === 'none' ? null : expectedGoal);
  return {
    ...(replace === undefined ? {} : { replace: true }),
    ...(expected === undefined ? {} : { expectedGoalId: expected }),
    ...(expectedRevision === undefined ? {} : { expectedRevision }),
  };
}
