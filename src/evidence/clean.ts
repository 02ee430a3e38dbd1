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
    const setup = await runSetup(host, criterion, checkout);
    if (setup !== null && !setup.last.isMet) return setup;
    const ran = await runAttempts(host, criterion, { ...conditions, checkout });
    return {
      ...ran,
      reason: ran.last.isMet ? ran.reason : `in a fresh checkout it ${ran.reason}`,
      receipts: [...(setup?.receipts ?? []), ...ran.receipts],
    };
  } finally {
    await removeScratch(checkout);
    await removeScratch(homeOfCheckout(checkout));
  }
}

async function runSetup(
  host: HostRun,
  { criterionId, spec }: Runnable,
  checkout: string,
): Promise<Attempts | null> {
  if (spec.setup === undefined) return null;
  const { timeoutSeconds } = spec;
  const limit = timeoutSeconds === undefined ? {} : { timeoutSeconds };
  const command = { kind: 'command' as const, command: spec.setup, ...limit };
  const run = await runAsHost(host, { criterionId, label: 'setup', spec: command, checkout });
  return {
    // Without its setup the check itself never began.
    last: { ...run, couldNotRun: !run.isMet },
    reason: `the setup of a fresh checkout ${run.reason}`,
    receipts: [run.row.seq],
  };
}
