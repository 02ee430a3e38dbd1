import type { Lent } from '../contract/effects.ts';
import { labelOfRepeat, PASSES_IN_A_ROW } from '../proof/flaky.ts';
import { makeScratch, removeScratch } from '../workspace/scratch.ts';
import type { Attempts, Runnable } from './attempt-outcome.ts';
import { type HostCommand, type HostRun, runAsHost } from './host-run.ts';
import { askForNames, type Names } from './names.ts';
import type { CheckRun } from './run-check.ts';

export interface Conditions {
  /** Why a single pass would prove nothing. */
  readonly suspicion?: string | null;
  readonly checkout?: string;
  /** The checkout stands in the workspace's place, with these of its folders. */
  readonly lent?: readonly Lent[];
  /** Unset at the baseline, where a single run with reporters is enough. */
  readonly names?: Names;
}

/**
 * Runs a check until one of several tries passes, or until it passed several times in a row; each
 * run stays on the record.
 */
export async function runAttempts(
  host: HostRun,
  { criterionId, spec }: Runnable,
  { suspicion = null, checkout, lent, names }: Conditions = {},
): Promise<Attempts> {
  const place = {
    ...(checkout !== undefined && { checkout }),
    ...(lent !== undefined && { lent }),
  };
  const command = { criterionId, spec, ...place };
  const runAll = async (home?: string) => {
    const there = { ...command, ...(home !== undefined && { home }) };
    const runs =
      suspicion === null ? await runUntilMet(host, there) : await runInARow(host, there, suspicion);
    const isSettled = names === undefined || !runs.last.isMet;
    return isSettled ? runs : await askForNames(host, there, runs, names);
  };
  if (spec.attempts === undefined || checkout !== undefined) return await runAll();
  // A try may depend on leftovers of the previous one, so all tries share a home that is fresh for
  // this check.
  const home = await makeScratch('home');
  try {
    return await runAll(home);
  } finally {
    await removeScratch(home);
  }
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
  } while (runs.at(-1)?.isMet === true && runs.length < PASSES_IN_A_ROW);
  const [first, ...others] = runs as [CheckRun, ...CheckRun[]];
  const receipts = runs.map(({ row }) => row.seq);
  if (others.length === 0) return { last: first, reason: first.reason, receipts };
  const last = runs.at(-1) as CheckRun;
  const demand = `${suspicion}, so it has to pass ${PASSES_IN_A_ROW} times in a row`;
  const reason = `${demand}: ${listed(runs)}`;
  return { last, receipts, reason, ...(!last.isMet && { remedy: STEADY }) };
}

const STEADY =
  'claiming again is no remedy: find what differs from run to run and make the check pass every ' +
  'time, then call attempt_completion.';

/**
 * Repeats a check that its caller declared flaky, up to its number of tries; each try stays on the
 * record.
 */
async function runUntilMet(host: HostRun, criterion: HostCommand): Promise<Attempts> {
  const allowed = criterion.spec.attempts ?? 1;
  const runs: CheckRun[] = [];
  for (let number = 1; number <= allowed; number += 1) {
    const label = allowed === 1 ? {} : { label: `attempt${number}` };
    const run = await runAsHost(host, { ...criterion, ...label });
    runs.push(run);
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
