import type { LedgerRow } from '../../schema/ledger.ts';

/** Counts for the rules inside a turn; rebuilt from the ledger when a slice resumes. */
export interface Tally {
  toolCalls: number;
  receipts: number;
  errorsInRow: number;
  wrote: boolean;
  /** Writes that failed and were not made good on the same path. */
  readonly failedWrites: Set<string>;
  /** Commands whose newest run failed. */
  readonly failedCommands: Set<string>;
  /** Number of repeats of a call with the same result. */
  readonly repeats: Map<string, number>;
  /** Delegates that the turn asked for. */
  delegates: number;
  /** The last call, when it was a lifecycle call that failed by its form or was denied. */
  lastMalformed: string | null;
  malformedInRow: number;
}

export function emptyTally(): Tally {
  return {
    toolCalls: 0,
    receipts: 0,
    errorsInRow: 0,
    wrote: false,
    failedWrites: new Set(),
    failedCommands: new Set(),
    repeats: new Map(),
    delegates: 0,
    lastMalformed: null,
    malformedInRow: 0,
  };
}

export interface Tallied {
  readonly tool: string;
  /** Arguments as text, so that the same call is recognised. */
  readonly input: string;
  readonly outcome: NonNullable<LedgerRow['outcome']>;
  readonly receipt: NonNullable<LedgerRow['receipt']>;
  readonly isLifecycle: boolean;
  /** The tool plans its write, so that the call is about one file. */
  readonly isPlanned: boolean;
}

/** @returns how often this very call has now had this very result in the turn */
export function tallyCall(tally: Tally, call: Tallied): number {
  tally.toolCalls += 1;
  tallyOutcome(tally, call);
  tallyTargets(tally, call);
  tallyForm(tally, call);
  if (call.tool === 'delegate' && call.outcome === 'succeeded') tally.delegates += 1;
  const key = `${call.tool}\n${call.input}\n${call.receipt.outputSha256 ?? ''}`;
  const times = (tally.repeats.get(key) ?? 0) + 1;
  tally.repeats.set(key, times);
  return times;
}

/** What a person stopped, refused calls and calls with an unknown end neither extend nor reset the error streak (C11). */
function tallyOutcome(tally: Tally, { outcome, receipt }: Tallied): void {
  if (outcome === 'failed' && receipt.stoppedBy === undefined) tally.errorsInRow += 1;
  if (outcome !== 'succeeded') return;
  tally.errorsInRow = 0;
  tally.receipts += 1;
}

function tallyTargets(tally: Tally, { isPlanned, outcome, receipt, input }: Tallied): void {
  if ((receipt.writes?.length ?? 0) > 0) tally.wrote = true;
  const isFailed = outcome === 'failed';
  if (receipt.command !== undefined) {
    if (isFailed) tally.failedCommands.add(receipt.command);
    else tally.failedCommands.delete(receipt.command);
    return;
  }
  if (!isPlanned) return;
  const path = receipt.writes?.[0] ?? pathIn(input);
  if (isFailed) tally.failedWrites.add(path);
  else if (outcome === 'succeeded') tally.failedWrites.delete(path);
}

/**
 * A claim is refused inside a turn only when the goal's mode forbids it; the gate's verdict ends
 * the turn.
 */
function tallyForm(tally: Tally, { isLifecycle, outcome, tool, input }: Tallied): void {
  const isDenied = outcome === 'refused' && tool === 'attempt_completion';
  const isBlocked = isDenied || (isLifecycle && outcome === 'failed');
  const key = isBlocked ? `${tool}\n${input}` : null;
  tally.malformedInRow = key !== null && key === tally.lastMalformed ? tally.malformedInRow + 1 : 1;
  if (key === null) tally.malformedInRow = 0;
  tally.lastMalformed = key;
}

function pathIn(input: string): string {
  try {
    const { path } = JSON.parse(input) as { path?: unknown };
    return typeof path === 'string' ? path.replace(/^\.\//, '') : '';
  } catch {
    return '';
  }
}
