import type { LedgerRow } from '../../schema/ledger.ts';
import { newestFailure, wasUnsteady } from '../proof/flaky.ts';
import type { CriterionOf, GateRun } from './criterion-check.ts';
import { changedAfter } from './later-writes.ts';

/**
 * Suspects a check that failed and passes without a change since: its pass is luck until it is
 * repeated. With `attempts`, the criterion itself defines what a failure means.
 *
 * @returns the reason; null when there is no suspicion
 */
export async function suspect(
  gate: GateRun,
  criterion: CriterionOf<'command'>,
): Promise<string | null> {
  if (criterion.spec.attempts !== undefined) return null;
  const rows = gate.receipts;
  const failure = newestFailure(criterion, rows);
  if (failure === undefined) return null;
  if (wasUnsteady(criterion, rows)) return 'it failed between two passes before';
  const later = await changedAfter(gate, failure);
  return later.length === 0 ? `it failed on the same files before (${nameRun(failure)})` : null;
}

function nameRun({ turn, seq, receipt }: LedgerRow): string {
  const end = receipt?.exitCode === undefined ? 'no exit' : `exit ${receipt.exitCode}`;
  return `receipt ${seq} of turn ${turn}, ${end}`;
}
