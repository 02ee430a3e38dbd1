import type { CommandCriterion } from '../../schema/criteria.ts';
import { type Attempts, runAttempts } from './attempts.ts';
import { makeCheckout } from './checkout.ts';
import { type HostRun, runAsHost } from './host-run.ts';
import { removeScratch } from './scratch.ts';

interface Cleanly {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
}

/** The check in a fresh checkout of what would be delivered, after `setup`. */
export async function runClean(
  host: HostRun,
  criterion: Cleanly,
  suspicion: string | null,
): Promise<Attempts> {
  const checkout = await makeCheckout(host.workspace);
  try {
    const setup = await runSetup(host, criterion, checkout);
    if (setup !== null && !setup.last.isMet) return setup;
    const { last, reason, receipts } = await runAttempts(host, criterion, {
      suspicion,
      checkout,
    });
    return {
      last,
      reason: last.isMet ? reason : `in a fresh checkout it ${reason}`,
      receipts: [...(setup?.receipts ?? []), ...receipts],
    };
  } finally {
    await removeScratch(checkout);
  }
}

async function runSetup(
  host: HostRun,
  { criterionId, spec }: Cleanly,
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
