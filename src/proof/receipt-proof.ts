import type { CommandCriterion, CriterionState } from '../../schema/criteria.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { ShellReader } from '../shell/read/script.ts';
import { findProof } from './evidence.ts';

export interface ReceiptProof {
  readonly state: CriterionState;
  readonly reason: string;
  /** The row that shows it; null unless met. */
  readonly seq: number | null;
}

type Spec = Pick<CommandCriterion, 'command' | 'cwd' | 'expectExit' | 'scope'>;

/**
 * Does one of the model's own runs show the command, with no later write in its scope? Only
 * `run_command` counts: what the host ran is another check's.
 */
export function proveByReceipt(
  { command, cwd = '.', scope, expectExit = 0 }: Spec,
  rows: readonly LedgerRow[],
  shell: ShellReader,
): ReceiptProof {
  const judged = rows.map((row) => withWantedExit(row, expectExit));
  const proof = findProof({ command, cwd, scope }, judged, shell);
  if (proof.kind === 'proves')
    return { state: 'met', reason: 'shown by a receipt', seq: proof.seq };
  const isKnown = proof.kind === 'stale' || proof.kind === 'narrowed';
  return { state: isKnown ? proof.kind : 'unmet', reason: proof.reason, seq: null };
}

/** The criterion says which exit is a success; what the model said that it expects doesn't count. */
function withWantedExit(row: LedgerRow, expectExit: number): LedgerRow {
  const hasEnded = row.outcome === 'succeeded' || row.outcome === 'failed';
  if (row.tool !== 'run_command' || !hasEnded || row.receipt === undefined) return row;
  const { expectFailure: _, ...receipt } = row.receipt;
  const outcome = receipt.exitCode === expectExit ? 'succeeded' : 'failed';
  const expected = expectExit === 0 ? {} : { expectFailure: true };
  return { ...row, outcome, receipt: { ...receipt, ...expected } };
}
