import type { Anchor, AnchorFault, AnchorLeaf, AnchorVerdict } from '../../../schema/anchor.ts';
import type { Database, Transaction } from '../client.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type Removal, readRemovals } from '../ledger/removals.ts';
import { append, emptyTree, rootOf, type Tree } from './merkle.ts';
import { continuationFault, hashLeaf, headFault, SECURITY_LOG } from './signed-head.ts';

const WAY_OUT =
  'The database is not the one that was anchored: find out who put it back or changed it, and ' +
  'restore the newest backup. Its goals must not go on as they are.';
const MOST_FAULTS = 200;

/** Compares heads that were kept outside with the database as it is. */
export async function verifyAnchors(
  db: Database,
  keys: LedgerKeys,
  given: readonly Anchor[],
): Promise<AnchorVerdict> {
  const anchors = [...given].sort((left, right) => left.size - right.size);
  const faults: AnchorFault[] = [];
  const valid = anchors.filter((anchor) => {
    const fault = headFault(anchor, keys);
    if (fault !== null) faults.push(fault);
    return fault === null;
  });
  for (const [index, later] of valid.entries()) {
    const earlier = valid[index - 1];
    const fault = earlier === undefined ? null : continuationFault(earlier, later);
    if (fault !== null) faults.push(fault);
  }
  const found = await db.begin('isolation level repeatable read read only', (tx) =>
    compare(tx, keys, valid),
  );
  faults.push(...(found as AnchorFault[]));
  const newest = anchors.at(-1);
  return {
    holds: faults.length === 0,
    anchors: anchors.length,
    size: newest?.size ?? 0,
    at: newest?.at ?? null,
    faults: faults.slice(0, MOST_FAULTS),
    ...(faults.length === 0 ? {} : { wayOut: WAY_OUT }),
  };
}

async function compare(
  tx: Transaction,
  keys: LedgerKeys,
  anchors: readonly Anchor[],
): Promise<AnchorFault[]> {
  const { faults, newest, size } = await compareTrees(tx, anchors);
  // What the database has lost is known from the anchors' own leaves.
  for (const anchor of anchors) {
    for (const [index, leaf] of anchor.leaves.entries()) {
      const number = anchor.from.size + index + 1;
      if (number > size) newest.set(leaf.subject, { leaf, anchor: anchor.size });
    }
  }
  return [...faults, ...(await compareHeads(tx, keys, newest))];
}

type Newest = Map<string, { readonly leaf: AnchorLeaf; readonly anchor: number }>;

/** Walks the leaves that the database has, and compares the root at each anchored size. */
async function compareTrees(tx: Transaction, anchors: readonly Anchor[]) {
  const faults: AnchorFault[] = [];
  const newest: Newest = new Map();
  const largest = anchors.at(-1)?.size ?? 0;
  let tree: Tree = emptyTree;
  let next = 0;
  for await (const leaves of pages(tx, largest)) {
    for (const { number, ...leaf } of leaves) {
      if (number !== tree.size + 1) break;
      tree = append(tree, hashLeaf(leaf));
      const anchored = anchors.find(({ size }) => size >= tree.size);
      newest.set(leaf.subject, { leaf, anchor: anchored?.size ?? largest });
      for (let anchor = anchors[next]; anchor?.size === tree.size; anchor = anchors[++next]) {
        if (rootOf(tree) === anchor.root) continue;
        const problem = `what the database says was anchored by ${anchor.at} is not what was`;
        faults.push({ size: anchor.size, fault: 'inconsistent', problem });
      }
    }
  }
  const lost = anchors.find(({ size }) => size > tree.size);
  if (lost !== undefined) {
    const problem = `the database is older than the anchor of ${lost.at}: it knows ${tree.size} of ${largest} anchored heads`;
    faults.push({ size: lost.size, fault: 'older', problem });
  }
  return { faults, newest, size: tree.size };
}

const PAGE = 5000;

type NumberedLeaf = AnchorLeaf & { readonly number: number };

async function* pages(tx: Transaction, largest: number) {
  for (let after: number | undefined = 0; after !== undefined && after < largest; ) {
    const rows: NumberedLeaf[] = await tx<NumberedLeaf[]>`
      SELECT number, subject, seq, head, seals, seal_head AS "sealHead" FROM anchor_leaf
      WHERE number > ${after} AND number <= ${largest} ORDER BY number LIMIT ${PAGE}`;
    yield rows;
    after = rows.length === PAGE ? rows.at(-1)?.number : undefined;
  }
}

interface Standing {
  readonly subject: string;
  readonly seq: number | null;
  readonly seals: number | null;
  readonly head: string | null;
  readonly sealHead: string | null;
}

/** The newest anchored head of each goal has to be part of the goal's chains as they are now. */
async function compareHeads(
  tx: Transaction,
  keys: LedgerKeys,
  newest: Newest,
): Promise<AnchorFault[]> {
  const all = [...newest.values()];
  const faults: AnchorFault[] = [];
  for (let from = 0; from < all.length; from += PAGE) {
    const part = all.slice(from, from + PAGE);
    const rows = await tx<Standing[]>`
      SELECT a.subject, coalesce(j.ledger_seq::bigint, h.number) AS seq, coalesce(j.seals, 0) AS seals,
        CASE WHEN a.seq = 0 THEN a.head ELSE coalesce(l.hash, s.hash) END AS head,
        CASE WHEN a.seals = 0 THEN a."sealHead" ELSE e.hash END AS "sealHead"
      FROM jsonb_to_recordset(${tx.json(part.map(({ leaf }) => leaf))})
        AS a(subject text, seq bigint, head text, seals int, "sealHead" text)
      LEFT JOIN journal j ON j.goal_id = a.subject
      LEFT JOIN security_head h ON a.subject = ${SECURITY_LOG}
      LEFT JOIN ledger l ON l.goal_id = a.subject AND l.seq = a.seq
      LEFT JOIN security_log s ON a.subject = ${SECURITY_LOG} AND s.number = a.seq
      LEFT JOIN seal e ON e.goal_id = a.subject AND e.number = a.seals`;
    const standing = new Map(rows.map((row) => [row.subject, row]));
    const gone = rows.filter(({ seq }) => seq === null).map(({ subject }) => subject);
    const removed = await readRemovals(tx, keys, gone);
    for (const { leaf, anchor } of part) {
      const fault = headOf(leaf, standing.get(leaf.subject), removed.get(leaf.subject));
      if (fault !== null) faults.push({ size: anchor, subject: leaf.subject, ...fault });
    }
  }
  return faults;
}

function headOf(
  leaf: AnchorLeaf,
  now: Standing | undefined,
  removed: Removal | undefined,
): Pick<AnchorFault, 'fault' | 'problem'> | null {
  const name = leaf.subject === SECURITY_LOG ? 'the security log' : `the goal ${leaf.subject}`;
  if (removed !== undefined && isHeadOf(removed, leaf)) return null;
  if (now === undefined || now.seq === null)
    return { fault: 'vanished', problem: `${name} is gone: it was anchored at row ${leaf.seq}` };
  if (now.seq < leaf.seq) {
    const problem = `${name} went back to row ${now.seq}: it was anchored at row ${leaf.seq}`;
    return { fault: 'went_back', problem };
  }
  if ((now.seals ?? 0) < leaf.seals) {
    const problem = `${name} went back to seal ${now.seals}: it was anchored at seal ${leaf.seals}`;
    return { fault: 'went_back', problem };
  }
  if (now.head === leaf.head && now.sealHead === leaf.sealHead) return null;
  const what = now.head === leaf.head ? `seal ${leaf.seals}` : `row ${leaf.seq}`;
  return { fault: 'replaced', problem: `${what} of ${name} is not the one that was anchored` };
}

/** Retention removed the goal as it was anchored, or when more of it was there than in these anchors. */
const isHeadOf = ({ head }: Removal, leaf: AnchorLeaf): boolean =>
  leaf.seq <= head.seq &&
  leaf.seals <= head.seals &&
  (leaf.seq < head.seq || leaf.head === head.head) &&
  (leaf.seals < head.seals || leaf.sealHead === head.sealHead);
