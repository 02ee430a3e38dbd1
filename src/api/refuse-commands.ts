import type { Goal } from '../../schema/goal.ts';
import { Refusal } from '../contract/failures.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
import { whyRequired } from '../sandbox/required.ts';
import { whyNoCommands } from '../sandbox/without.ts';
import type { Ports } from './application.ts';
import { isRoleHeld } from './held-roles.ts';

/**
 * Listed domains need a machine that can make networks, which its workers tell of themselves. A
 * worker that can't refuses each command, whatever was known when the goal started.
 *
 * @throws Refusal
 */
export async function refuseUnkeptNetwork(
  { reader }: Ports<'reader'>,
  { mode, policy }: Pick<NewGoal, 'mode' | 'policy'>,
  { host }: Pick<LookedWorkspace, 'host'>,
): Promise<void> {
  const network = policy.sandbox?.network ?? 'none';
  if (mode === 'agent' && typeof network === 'object') await assertKept(reader, host);
}

/** @throws Refusal where workers live there and none has a whole sandbox */
export async function assertKept(reader: Ports<'reader'>['reader'], host: string): Promise<void> {
  const living = await livingAt(reader, host);
  if (living.length === 0 || living.some(({ isolation }) => isolation === 'full')) return;
  const why =
    'No worker there can keep commands to listed domains: install bubblewrap and let it make ' +
    'networks ("goalkeeper doctor" says what is missing), or choose "none" or "host".';
  throw new Refusal('unsupported', why, { field: 'policy.sandbox.network' });
}

const livingAt = async (reader: Ports<'reader'>['reader'], host: string) =>
  (await reader.workers()).filter((one) => one.state === 'up' && one.host === host);

/**
 * An agent's goal needs commands. Only the machine that has the folder knows whose it is, and
 * without a living worker nobody knows of a sandbox: a worker then refuses each command by itself.
 *
 * @throws Refusal
 */
export async function refuseCommandless(
  ports: Ports<'reader' | 'settings' | 'tokens'>,
  { mode }: Pick<NewGoal, 'mode'>,
  { path, host }: LookedWorkspace,
): Promise<void> {
  if (mode !== 'agent') return;
  const living = await livingAt(ports.reader, host);
  if (living.length === 0 || living.some(({ isolation }) => isolation === 'full')) return;
  const isRequired = ports.settings.isSandboxForPrograms && (await isRoleHeld(ports, ['agent']));
  const why = isRequired
    ? whyRequired('no worker there has one')
    : host === ports.settings.host && living.every(({ isolation }) => isolation === 'none')
      ? await whyNoCommands(path).catch(() => null)
      : null;
  if (why === null) return;
  throw new Refusal('unsupported', `No command can run there: ${why}.`, { field: 'workspace' });
}

/**
 * A goal that only planned needs commands once it works, where its folder lies.
 * @throws Refusal
 */
export async function refuseUnworkable(
  ports: Ports<'reader' | 'settings' | 'tokens'>,
  { workspace, policy }: Pick<Goal, 'workspace' | 'policy'>,
): Promise<void> {
  const served = await ports.reader.workspaces();
  const known = served.find(({ name }) => name === workspace.name);
  const place = known ?? { name: workspace.name, path: workspace.path, host: '' };
  await refuseCommandless(ports, { mode: 'agent' }, place);
  await refuseUnkeptNetwork(ports, { mode: 'agent', policy }, place);
}
