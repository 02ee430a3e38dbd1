import type { CommandCriterion } from '../../schema/criteria.ts';
import { labelOfRepeat, PASSES_IN_A_ROW } from '../goal/flaky.ts';
import { type HostCommand, type HostRun, runAsHost } from './host-run.ts';
import type { CheckRun } from './run-check.ts';

export interface Attempts {
  readonly last: CheckRun;
  readonly reason: string;
  /** Every run, also those that failed before one held. */
  readonly receipts: readonly number[];
}

interface Runnable {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
}

export interface Conditions {
  /** Why a single pass would prove nothing. */
  readonly suspicion?: string | null;
  readonly checkout?: string;
}

/** One pass of several tries, or several passes in a row: each run stays on the record. */
export function runAttempts(
  host: HostRun,
  criterion: Runnable,
  { suspicion = null, checkout }: Conditions = {},
): Promise<Attempts> {
  const place = checkout === undefined ? {} : { checkout };
  return suspicion === null
    ? runUntilMet(host, { ...criterion, ...place })
    : runInARow(host, { ...criterion, ...place }, suspicion);
}

async function runInARow(
  host: HostRun,
  command: HostCommand,
  suspicion: string,
): Promise<Attempts> {
  const runs: CheckRun[] = [];
  do {
    const label = runs.length === 0 ? {} : { label: labelOfRepeat(runs.length + 1) };
    runs.push(await runAsHost(host, { ...command, ...label }));
    host.signal.throwIfAborted();
  } while (runs.at(-1)?.isMet === true && runs.length < PASSES_IN_A_ROW);
  const [first, ...others] = runs as [CheckRun, ...CheckRun[]];
  const receipts = runs.map(({ row }) => row.seq);
  if (others.length === 0) return { last: first, reason: first.reason, receipts };
  const last = runs.at(-1) as CheckRun;
  const demand = `${suspicion}, so it has to pass ${PASSES_IN_A_ROW} times in a row`;
  return { last, receipts, reason: `${demand}: ${listed(runs)}` };
}

/** A check that its caller calls flaky may be tried so often; each try stays on the record. */
async function runUntilMet(host: HostRun, criterion: HostCommand): Promise<Attempts> {
  const allowed = criterion.spec.attempts ?? 1;
  const runs: CheckRun[] = [];
  for (let number = 1; number <= allowed; number += 1) {
    const label = allowed === 1 ? {} : { label: `attempt${number}` };
    const run = await runAsHost(host, { ...criterion, ...label });
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
  return { last, receipts, reason: `${runs.length} of ${allowed} attempts: ${listed(runs)}` };
}

const listed = (runs: readonly CheckRun[]): string =>
  runs.map(({ row }, index) => `${index + 1}. ${row.receipt?.reason ?? ''}`).join('; ');
