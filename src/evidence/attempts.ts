import type { CommandCriterion } from '../../schema/criteria.ts';
import { type HostCommand, type HostRun, runAsHost } from './host-run.ts';
import type { CheckRun } from './run-check.ts';

export interface Attempts {
  readonly last: CheckRun;
  readonly reason: string;
  /** Every run, also those that failed before one held. */
  readonly receipts: readonly number[];
}

/** A check that its caller calls flaky may be tried so often; each try stays on the record. */
export async function runAttempts(
  host: HostRun,
  criterion: { readonly criterionId: string; readonly spec: CommandCriterion },
  checkout?: string,
): Promise<Attempts> {
  const allowed = criterion.spec.attempts ?? 1;
  const runs: CheckRun[] = [];
  for (let number = 1; number <= allowed; number += 1) {
    const command: HostCommand = {
      ...criterion,
      ...(allowed === 1 ? {} : { label: `attempt${number}` }),
      ...(checkout === undefined ? {} : { checkout }),
    };
    const run = await runAsHost(host, command);
    runs.push(run);
    host.signal.throwIfAborted();
    if (run.isMet || run.couldNotRun) return sum(runs, allowed);
  }
  return sum(runs, allowed);
}

function sum(runs: readonly CheckRun[], allowed: number): Attempts {
  const last = runs.at(-1) as CheckRun;
  const receipts = runs.map(({ row }) => row.seq);
  if (allowed === 1) return { last, reason: last.reason, receipts };
  const all = runs.map(({ row }, index) => `${index + 1}. ${row.receipt?.reason ?? ''}`).join('; ');
  return { last, receipts, reason: `${runs.length} of ${allowed} attempts: ${all}` };
}
