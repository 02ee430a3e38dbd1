import { resolve } from 'node:path';
import type { CommandCriterion } from '../../schema/criteria.ts';
import type { LedgerRow, Receipt } from '../../schema/ledger.ts';
import type { TestReport } from '../goal/test-report.ts';
import { ABSURD_OUTPUT_BYTES } from '../tools/effects/command.ts';
import { reasonRanNothing } from '../tools/ran-nothing.ts';
import type { CommandRun } from '../tools/tool.ts';
import type { Attempt } from '../turn/attempt.ts';
import type { TurnPorts } from '../turn/ports-of-turn.ts';
import { resolveHere } from './basis/read.ts';
import { runReported } from './basis/report/instrument.ts';
import { couldNotStart, testCounts, whyNoTestRan } from './basis/report/verdict.ts';
import type { ResolvedCommand } from './basis/resolve.ts';

const DEFAULT_TIMEOUT_SECONDS = 600;
/** What the ledger row's tool message keeps; the whole output is stored by reference. */
const SHOWN_CHARACTERS = 4000;

export interface Check {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
  readonly origin: 'gate' | 'baseline';
  /** Ledger id of this run; each attempt has its own, so that an old outcome never speaks for it. */
  readonly callId: string;
  readonly turn: number;
}

export interface CheckRun {
  readonly isMet: boolean;
  readonly reason: string;
  /** It failed before it could check anything. */
  readonly couldNotRun: boolean;
  readonly exitCode: number | null;
  readonly report: TestReport | null;
  readonly row: LedgerRow;
}

/** Runs a criterion's command as the host, through the ledger like any other call. */
export async function runCheck(
  ports: TurnPorts,
  attempt: Attempt,
  workspace: string,
  check: Check,
  signal: AbortSignal,
): Promise<CheckRun> {
  const { spec, callId, turn } = check;
  const call = { callId, turn, step: 0, tool: `check.${check.origin}`, effect: 'read' as const };
  await ports.journal.startCall(attempt.fence, {
    ...call,
    arguments: { criterionId: check.criterionId, command: spec.command, cwd: spec.cwd ?? '.' },
  });
  const command = await resolveHere(workspace, spec);
  const { run, report } = await runReported(
    attempt.effects,
    {
      command: spec.command,
      cwd: resolve(workspace, spec.cwd ?? '.'),
      timeoutMs: (spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      maxOutputBytes: ABSURD_OUTPUT_BYTES,
      signal,
    },
    command,
  );
  const hasExited = run.ended === 'exited' && run.exitCode === (spec.expectExit ?? 0);
  const isPass = hasExited && run.exitCode === 0;
  const empty = isPass ? await whyNothingRan(spec, run, report, command) : null;
  const isMet = hasExited && empty === null;
  const reason = empty ?? reasonOf(run, spec);
  const row = await ports.journal.settleCall(attempt.fence, {
    ...call,
    outcome: isMet ? 'succeeded' : 'failed',
    receipt: { ...receiptOf(check, run, reason, empty), ...testCounts(report) },
    text: '',
    providerId: null,
    output: run.output,
    wrote: false,
  });
  // A retried activity meets the row of its first run: the ledger has the word.
  const isRecorded = row.outcome === 'succeeded';
  return {
    isMet: isRecorded,
    reason: withTail(row.receipt?.reason ?? reason, run, isRecorded),
    couldNotRun: !isMet && couldNotStart(run, report, command),
    exitCode: run.exitCode,
    report,
    row,
  };
}

/** The runner's own report has the word; without one, what it printed. */
async function whyNothingRan(
  spec: CommandCriterion,
  run: CommandRun,
  report: TestReport | null,
  command: ResolvedCommand,
): Promise<string | null> {
  if (report !== null) return whyNoTestRan(report, command);
  return (await reasonRanNothing(spec.command, run)) ?? whyNoTestRan(null, command);
}

function reasonOf(run: CommandRun, spec: CommandCriterion): string {
  if (run.ended === 'timeout') return `timed out after ${Math.round(run.durationMs / 1000)} s`;
  if (run.ended !== 'exited') return `was ended: ${run.ended}`;
  const expected = spec.expectExit ?? 0;
  const wanted = expected === 0 ? '' : `, ${expected} was expected`;
  return run.exitCode === null ? `ended by ${run.signal}` : `exited ${run.exitCode}${wanted}`;
}

function receiptOf(check: Check, run: CommandRun, reason: string, empty: string | null): Receipt {
  return {
    ...(run.exitCode === null ? {} : { exitCode: run.exitCode }),
    ...(run.signal === null ? {} : { signal: run.signal }),
    reason,
    ...(empty !== null && { ranNothing: empty }),
    command: check.spec.command,
    cwd: check.spec.cwd ?? '.',
    origin: check.origin,
    criterionId: check.criterionId,
    durationMs: Math.round(run.durationMs),
    outputBytes: run.output.byteLength,
  };
}

/** The end of a failed check's output tells the model more than its exit code. */
function withTail(reason: string, run: CommandRun, isMet: boolean): string {
  if (isMet) return reason;
  const tail = Buffer.from(run.output).toString('utf8').trimEnd().slice(-SHOWN_CHARACTERS);
  const lines = tail.split('\n').slice(-12).join('\n');
  return lines === '' ? reason : `${reason}; its output ends with:\n${lines.slice(-600)}`;
}
