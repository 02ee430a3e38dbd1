import type { LedgerRow, Outcome, Receipt } from '../../schema/ledger.ts';

export function makeReceipt(
  seq: number,
  tool: string,
  receipt: Receipt,
  outcome: Outcome = 'succeeded',
): LedgerRow {
  return {
    seq,
    phase: 'settled',
    callId: `t1.s${seq}.0`,
    turn: 1,
    step: seq,
    token: 1,
    tool,
    effect: 'write',
    outcome,
    receipt,
    at: '2026-01-01T00:00:00.000Z',
    previous: '',
    hash: '',
  };
}

export const ranCommand = (seq: number, command: string, receipt: Receipt = {}): LedgerRow =>
  makeReceipt(seq, 'run_command', { command, exitCode: 0, ...receipt });

export const wroteFile = (seq: number, path: string): LedgerRow =>
  makeReceipt(seq, 'write_file', { writes: [path] });
