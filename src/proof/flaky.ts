import type { CommandCriterion } from '../../schema/criteria.ts';
import type { LedgerRow } from '../../schema/ledger.ts';

/** The demand on a check that failed and then passed although nothing had changed. */
export const PASSES_IN_A_ROW = 3;

interface Criterion {
  readonly criterionId: string;
  readonly spec: CommandCriterion;
}

/** Ends the ledger id of each run after the first one. */
export const labelOfRepeat = (number: number): string => `again${number}`;

/** After a failure between passes, a single pass of the check is no proof any more. */
export function wasUnsteady(criterion: Criterion, rows: readonly LedgerRow[]): boolean {
  return rows.some(
    (row) => isOfHost(criterion, row) && row.outcome === 'failed' && /\.again\d+$/.test(row.callId),
  );
}

/** The newest run of this very check that failed, by the host or by the model. */
export function newestFailure(
  criterion: Criterion,
  rows: readonly LedgerRow[],
): LedgerRow | undefined {
  return rows.findLast((row) => {
    if (isOfHost(criterion, row)) return row.outcome === 'failed' && hasEnded(row);
    return isOfModel(criterion, row) && row.receipt?.exitCode !== (criterion.spec.expectExit ?? 0);
  });
}

/** Looks back and proof runs have other files, so they say nothing of the present ones. */
function isOfHost(criterion: Criterion, row: LedgerRow): boolean {
  const isRun = row.receipt?.criterionId === criterion.criterionId && row.phase === 'settled';
  const isElsewhere = row.tool === 'check.proof' || row.callId.startsWith('lookback.');
  return isRun && isSameCommand(criterion.spec, row) && !isElsewhere;
}

/** For a check in a fresh checkout, a run in the workspace is another check. */
function isOfModel({ spec }: Criterion, row: LedgerRow): boolean {
  if (row.tool !== 'run_command' || spec.check === 'clean') return false;
  return isSameCommand(spec, row) && row.receipt?.exitCode !== undefined;
}

function isSameCommand({ command, cwd = '.' }: CommandCriterion, { receipt }: LedgerRow): boolean {
  return receipt?.command?.trim() === command.trim() && (receipt.cwd ?? '.') === cwd;
}

/** A check that a pause or shutdown ended has not failed. */
const hasEnded = ({ receipt }: LedgerRow): boolean =>
  !receipt?.reason?.startsWith('was ended: cancelled');
