import type { Anchor, AnchorFault } from '../../schema/anchor.ts';
import type { AnchorsPort, AnchorTarget } from '../contract/anchors.ts';
import { readAnchorState } from '../store/anchors/anchors.ts';
import { verifyAnchors } from '../store/anchors/verify-anchors.ts';
import type { Database } from '../store/client.ts';
import type { LedgerKeys } from '../store/ledger/ledger-keys.ts';

/** What the API says of anchors, from the places that it can read. */
export const createAnchors = (
  db: Database,
  keys: LedgerKeys,
  targets: readonly AnchorTarget[],
): AnchorsPort => ({
  state: () => readAnchorState(db, [...targets.map(({ name }) => name)]),
  async verify(given) {
    if (given !== null) return await verifyAnchors(db, keys, given);
    const { anchors, unreadable } = await readAll(targets);
    const verdict = await verifyAnchors(db, keys, anchors);
    if (unreadable.length === 0) return verdict;
    const wayOut = verdict.wayOut ?? 'Mend the place, or give its anchors with --anchor.';
    return { ...verdict, holds: false, faults: [...unreadable, ...verdict.faults], wayOut };
  },
});

async function readAll(targets: readonly AnchorTarget[]) {
  const anchors: Anchor[] = [];
  const unreadable: AnchorFault[] = [];
  for (const { name, read } of targets) {
    if (read === null) continue;
    try {
      anchors.push(...(await read()));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const problem = `the anchors of ${name} can't be read: ${why}`;
      unreadable.push({ size: 0, fault: 'unreadable', problem });
    }
  }
  return { anchors, unreadable };
}
