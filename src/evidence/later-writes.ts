import type { LedgerRow } from '../../schema/ledger.ts';
import { isMeantBy } from '../proof/evidence.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { takeFingerprint } from '../workspace/fingerprint.ts';
import type { GateRun } from './criterion-check.ts';
import { ownWritesIn } from './own-writes.ts';

/**
 * Files in scope that changed after a call settled, by any writer: writes of people and other goals
 * leave no row in this ledger. Writes of the host's own runs don't count.
 */
export async function changedAfter(
  { receipts, brief }: GateRun,
  run: LedgerRow,
  scope: readonly string[] = [''],
): Promise<string[]> {
  const settledAt = Date.parse(run.at);
  const own = ownWritesIn(receipts);
  const files = await takeFingerprint(brief.workspace.path, watchedPaths(brief.criteria));
  return [...files]
    .filter(([path, { ctimeMs }]) => ctimeMs > settledAt && !own.has(path))
    .map(([path]) => path)
    .filter((path) => scope.some((part) => isMeantBy(path, part)));
}
