import { removeScratch } from '../workspace/scratch.ts';
import type { Attempts, Runnable } from './attempt-outcome.ts';
import { type Conditions, runAttempts } from './attempts.ts';
import { homeOfCheckout, makeCheckout } from './checkout.ts';
import { type HostRun, runAsHost } from './host-run.ts';

/** Runs the check in a fresh checkout of what would be delivered, after `setup`. */
export async function runClean(
  host: HostRun,
  criterion: Runnable,
  conditions: Conditions,
): Promise<Attempts> {
  const checkout = await makeCheckout(host.workspace);
  try {
    return await runAfterSetup(host, criterion, { ...conditions, checkout }, 'a fresh checkout');
  } finally {
    await removeScratch(checkout);
    await removeScratch(homeOfCheckout(checkout));
  }
}

/** @param where names the place for people */
export async function runAfterSetup(
  host: HostRun,
  criterion: Runnable,
  conditions: Conditions & { readonly checkout: string },
  where: string,
): Promise<Attempts> {
  const setup = await runSetup(host, criterion, conditions, where);
  if (setup !== null && !setup.last.isMet) return setup;
  const ran = await runAttempts(host, criterion, conditions);
  return {
    ...ran,
    reason: ran.last.isMet ? ran.reason : `in ${where} it ${ran.reason}`,
    receipts: [...(setup?.receipts ?? []), ...ran.receipts],
  };
}

async function runSetup(
  { proof: _, ...host }: HostRun,
  { criterionId, spec }: Runnable,
  { checkout, lent }: Conditions & { readonly checkout: string },
  where: string,
): Promise<Attempts | null> {
  if (spec.setup === undefined) return null;
  const { timeoutSeconds } = spec;
  const limit = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  const command = { kind: 'command' as const, command: spec.setup, ...limit };
  const place = { checkout, ...(lent !== undefined && { lent }) };
  const run = await runAsHost(host, { criterionId, label: 'setup', spec: command, ...place });
  return {
    // Without its setup the check itself never began.
    last: { ...run, couldNotRun: !run.isMet },
    reason: `the setup of ${where} ${run.reason}`,
    receipts: [run.row.seq],
  };
}
