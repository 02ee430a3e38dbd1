import type { Anchor, AnchorFault, AnchorState } from '../../schema/anchor.ts';
import type { AnchorsPort, AnchorTarget, KeptAnchors } from '../contract/anchors.ts';
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
  state: () => readAnchorState(db, namesOf(targets)),
  async verify(given) {
    if (given !== null) return await verifyAnchors(db, keys, given);
    const { anchors, faults } = await readAll(targets, await readAnchorState(db, namesOf(targets)));
    const verdict = await verifyAnchors(db, keys, anchors);
    if (faults.length === 0) return verdict;
    const wayOut = verdict.wayOut ?? WAY_OUT;
    return { ...verdict, holds: false, faults: [...faults, ...verdict.faults], wayOut };
  },
});

const WAY_OUT =
  'Find out who changed the place, compare the database with a copy of its anchors (--anchor), and mend it or name another one.';

const namesOf = (targets: readonly AnchorTarget[]): string[] => targets.map(({ name }) => name);

/** What the places keep, and what is wrong with the places themselves. */
async function readAll(targets: readonly AnchorTarget[], { head, targets: states }: AnchorState) {
  const anchors: Anchor[] = [];
  const faults: AnchorFault[] = [];
  for (const { name, read } of targets) {
    if (read === null) continue;
    try {
      const kept = await read();
      anchors.push(...kept.anchors);
      const brought = states.find(({ target }) => target === name)?.size ?? 0;
      faults.push(...damages(name, kept), ...losses(name, kept, brought));
      if (brought === 0) faults.push(...firstMissing(name, kept, head));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const problem = `the anchors of ${name} can't be read: ${why}`;
      faults.push({ size: 0, fault: 'unreadable', problem });
    }
  }
  return { anchors, faults };
}

const damages = (name: string, { damaged }: KeptAnchors): AnchorFault[] =>
  damaged.map((line) => ({
    size: 0,
    fault: 'unreadable',
    problem: `line ${line} of ${name} holds no anchor: it was changed, or somebody else wrote it`,
  }));

/** Before the first head there is none to keep; behind it a place that has none vouches for nothing. */
function firstMissing(
  name: string,
  { anchors }: KeptAnchors,
  head: AnchorState['head'],
): AnchorFault[] {
  if (head === null || anchors.length > 0) return [];
  const problem = `${name} keeps no head yet, and one of size ${head.size} was made: "goalkeeper anchors" says what it waits for`;
  return [{ size: head.size, fault: 'lost', problem }];
}

/** The database knows what it brought there; one that was put back to an earlier day knows of less. */
function losses(name: string, { anchors }: KeptAnchors, brought: number): AnchorFault[] {
  const newest = anchors.reduce((most, { size }) => Math.max(most, size), 0);
  if (newest >= brought) return [];
  const problem = `${name} took the head of size ${brought} and keeps ${newest === 0 ? 'none' : `none beyond ${newest}`}`;
  return [{ size: brought, fault: 'lost', problem }];
}
