import { hostname } from 'node:os';
import { Refusal } from '../contract/failures.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
import { whyNoCommands } from '../sandbox/without.ts';
import type { Ports } from './application.ts';

/**
 * An agent's goal needs commands. Only the machine that has the folder knows whose it is, and
 * without a living worker nobody knows of a sandbox: a worker then refuses each command by itself.
 *
 * @throws Refusal
 */
export async function refuseCommandless(
  { reader }: Ports<'reader'>,
  { mode }: Pick<NewGoal, 'mode'>,
  { path, host }: LookedWorkspace,
): Promise<void> {
  if (mode !== 'agent' || host !== hostname()) return;
  const why = await whyNoCommands(path).catch(() => null);
  if (why === null) return;
  const workers = await reader.workers();
  const living = workers.filter((one) => one.state === 'up' && one.host === host);
  if (living.length === 0 || living.some(({ isolation }) => isolation !== 'none')) return;
  throw new Refusal('unsupported', `No command can run there: ${why}.`, { field: 'workspace' });
}
