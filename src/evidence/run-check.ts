import type { CommandCriterion } from '../../schema/criteria.ts';
import type { LedgerRow, ProofInputs, Receipt } from '../../schema/ledger.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Lent } from '../contract/effects.ts';
import type { TestReport } from '../contract/test-report.ts';
import type { RunWrites } from '../proof/concurrent-writes.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { type WorkspaceWatch, watchWorkspace } from '../workspace/watch.ts';
import { homeOfCheckout } from './checkout.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import { couldNotStart, testCounts } from './report/verdict.ts';
import {
  couldNotBegin,
  hasExited,
  type Manner,
  type Ran,
  reasonOf,
  runCommandOf,
} from './run-command-of.ts';
import type { ResolvedCommand } from './runners/resolve.ts';
import { whyNoPass } from './why-no-pass.ts';

/**
 * The part of the output that the ledger row's tool message keeps; the whole output is stored by
 * reference.
 */
const SHOWN_CHARACTERS = 4000;
/** Head and tail of a check's output; between them stands how much was left out. */
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Paths that a receipt names of what its run wrote. */
const MOST_OWN_WRITES = 500;
const MOST_DISARMED = 50;

export interface Check {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
  readonly origin: 'gate' | 'baseline' | 'dispute';
  /**
   * Ledger id of this run; each attempt has its own, so that an old outcome never speaks for it.
   */
  readonly callId: string;
  readonly turn: number;
  /**
   * The folder in which it runs instead of the workspace: a fresh checkout that nothing else writes
   * to.
   */
  readonly checkout?: string;
  /** The checkout stands in the workspace's place, with these folders of the workspace in it. */
  readonly lent?: readonly Lent[];
  /** Of a proof run: what it was given. */
  readonly proof?: ProofInputs;
  /** A home that it shares with other runs. */
  readonly home?: string;
  /** The passed plain run of a gate; this run asks for the names of its tests. */
  readonly plain?: Pick<CheckRun, 'output'>;
  /** Installs packages: it has the machine's network, and nothing of the goal's work. */
  readonly isSetup?: boolean;
  /** A run that is to fail: its runner waits for nothing that a failed test left open. */
  readonly endsAfterTests?: boolean;
  /** Watch of the gate over the workspace; a run on its own makes one itself. */
  readonly watch?: WorkspaceWatch;
}

export interface CheckRun {
  readonly isMet: boolean;
  readonly reason: string;
  /** It failed before it could check anything. */
  readonly couldNotRun: boolean;
  /** The host ended it: it took too long, or more than it may have. */
  readonly wasEnded: boolean;
  readonly exitCode: number | null;
  readonly report: TestReport | null;
  /** The resolved command; null when there was no place to run it. */
  readonly command: ResolvedCommand | null;
  readonly output: string;
  readonly row: LedgerRow;
}

/** Runs a criterion's command as the host, through the ledger like any other call. */
export async function runCheck(
  { journal }: { readonly journal: Pick<EvidencePorts['journal'], 'startCall' | 'settleCall'> },
  attempt: Attempt,
  workspace: string,
  check: Check,
  signal: AbortSignal,
): Promise<CheckRun> {
  const { spec, callId, turn } = check;
  const call = { callId, turn, step: 0, tool: toolOf(check), effect: 'read' as const };
  await journal.startCall(attempt.fence, {
    ...call,
    arguments: {
      criterionId: check.criterionId,
      command: spec.command,
      cwd: spec.cwd ?? '.',
      manner: mannerOf(check),
    },
  });
  const { ran, writes } = await runWatched(attempt, workspace, check, signal);
  const { run, report } = ran;
  const isOver = hasExited(ran, spec);
  const empty = isOver ? await whyNoPass(spec, ran, check.plain?.output) : null;
  const isMet = isOver && empty === null;
  const reason = empty ?? reasonOf(ran, spec);
  const row = await journal.settleCall(attempt.fence, {
    ...call,
    outcome: isMet ? 'succeeded' : 'failed',
    receipt: { ...receiptOf(check, ran, reason, { writes, empty }), ...testCounts(report) },
    text: '',
    providerId: null,
    output: run.output,
    wrote: false,
  });
  // A retried activity finds the row of its first run, which decides.
  const isRecorded = row.outcome === 'succeeded';
  const text = Buffer.from(run.output).toString('utf8');
  return {
    isMet: isRecorded,
    reason: withTail(row.receipt?.reason ?? reason, text, isRecorded),
    couldNotRun: !isMet && hasNotBegun(ran),
    wasEnded: run.ended !== 'exited',
    exitCode: run.exitCode,
    report,
    command: ran.command,
    output: text,
    row,
  };
}

/** A proof run is told apart: its failure is no failure of the check on the same files. */
const toolOf = ({ origin, lent, isSetup }: Check): string =>
  isSetup
    ? 'check.setup'
    : lent !== undefined && origin === 'gate'
      ? 'check.proof'
      : `check.${origin}`;

async function runWatched(
  attempt: Attempt,
  workspace: string,
  check: Check,
  signal: AbortSignal,
): Promise<{ ran: Ran; writes: RunWrites }> {
  const { spec, checkout, home, lent } = check;
  const place = {
    root: checkout ?? workspace,
    maxOutputBytes: MOST_OUTPUT_BYTES,
    signal,
    ...(home !== undefined && { home }),
    // The check needs what the checkout's setup installed in its home.
    ...(checkout !== undefined && { home: homeOfCheckout(checkout), isClean: true }),
    ...(lent !== undefined && { isInPlace: true, lent }),
    ...(check.isSetup && { network: 'host' as const }),
    ...(check.endsAfterTests && { endsAfterTests: true }),
  };
  const act = () => runCommandOf(attempt.effects, spec, place, mannerOf(check));
  // Changes in the workspace during a checkout's run aren't that run's writes.
  if (checkout !== undefined) return { ran: await act(), writes: { paths: [], created: [] } };
  const watch = check.watch ?? (await watchWorkspace(workspace, watchedPaths([check])));
  const { result, writes } = await watch.during(act);
  return { ran: result, writes };
}

/** A baseline runs with reporters: no code was written yet that could detect them. */
const mannerOf = ({ origin, plain, isSetup }: Check): Manner =>
  isSetup || (origin !== 'baseline' && plain === undefined) ? 'plain' : 'with reporters';

const hasNotBegun = (ran: Ran): boolean =>
  ran.command === null || couldNotBegin(ran.run) || couldNotStart(ran, ran.command);

interface Seen {
  readonly writes: RunWrites;
  /** Why the run tested nothing although it exited as expected. */
  readonly empty: string | null;
}

function receiptOf(check: Check, { run }: Ran, reason: string, { writes, empty }: Seen): Receipt {
  return {
    ...(run.exitCode === null ? {} : { exitCode: run.exitCode }),
    ...(run.signal === null ? {} : { signal: run.signal }),
    reason,
    ...(empty !== null && { ranNothing: empty }),
    command: check.spec.command,
    cwd: check.spec.cwd ?? '.',
    origin: check.origin,
    criterionId: check.criterionId,
    ...(check.proof && { proof: check.proof }),
    durationMs: Math.round(run.durationMs),
    outputBytes: run.output.byteLength,
    // A setup has the network, and runs nothing of the goal's.
    ...((!check.isSetup || run.isolation === 'none') && { isolation: run.isolation }),
    ...(run.disarmed && { disarmed: run.disarmed.slice(0, MOST_DISARMED) }),
    ...(run.undecided && { undecided: run.undecided.slice(0, MOST_DISARMED) }),
    ...(run.reached?.length && { reached: [...run.reached] }),
    ...(writes.paths.length === 0 ? {} : { ownWrites: writes.paths.slice(0, MOST_OWN_WRITES) }),
  };
}

/** The end of a failed check's output tells the model more than its exit code. */
function withTail(reason: string, output: string, isMet: boolean): string {
  if (isMet) return reason;
  const tail = output.trimEnd().slice(-SHOWN_CHARACTERS);
  const lines = tail.split('\n').slice(-12).join('\n');
  return lines === '' ? reason : `${reason}\nIts output ends with:\n${lines.slice(-600)}`;
}
