import type { Anchor, AnchorLeaf, AnchorState } from '../../../schema/anchor.ts';
import type { IsOwnHead } from '../../contract/anchors.ts';
import type { Database, Transaction } from '../client.ts';
import { withHeldLock } from '../held-lock.ts';
import type { LedgerKey } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';
import { appendAll, emptyTree, rootOf, type Tree } from './merkle.ts';
import { hashLeaf, SECURITY_LOG, signHead } from './signed-head.ts';

/** What anchoring does in the database, under a lock that one process has at a time. */
export interface AnchorStore {
  /**
   * @returns false when another process has the lock; `work` then didn't run
   */
  withLock(work: () => Promise<void>): Promise<boolean>;
  /**
   * Signs a head over all that changed since the last one, if the interval is over or a goal was
   * completed since. It is due for all targets.
   */
  makeHead(targets: readonly string[], intervalSeconds: number): Promise<boolean>;
  /** The oldest head that each target still waits for, if its time has come. */
  due(targets: readonly string[]): Promise<readonly { target: string; size: number }[]>;
  read(size: number): Promise<Anchor>;
  isOwn: IsOwnHead;
  delivered(delivery: { target: string; size: number }): Promise<void>;
  failed(delivery: { target: string; size: number }, error: string): Promise<void>;
}

const LOCK = 'goalkeeper anchors';
const LONGEST_PAUSE_SECONDS = 600;

export const createAnchorStore = (db: Database, key: LedgerKey): AnchorStore => ({
  withLock: (work) => withHeldLock(db, LOCK, work),

  makeHead: (targets, intervalSeconds) =>
    db.begin((tx) => makeHead(tx, key, targets, intervalSeconds)) as Promise<boolean>,

  due: (targets) => db<{ target: string; size: number }[]>`
    SELECT target, size FROM (
      SELECT DISTINCT ON (target) target, size, next_at FROM anchor_delivery
      WHERE delivered_at IS NULL AND target IN ${db([...targets])} ORDER BY target, size
    ) oldest WHERE next_at <= now()`,

  read: (size) => readAnchor(db, size),

  async isOwn({ size, root }) {
    return (await db`SELECT 1 FROM anchor WHERE size = ${size} AND root = ${root}`).count > 0;
  },

  async delivered({ target, size }) {
    await db`
      UPDATE anchor_delivery SET delivered_at = now(), last_error = NULL, attempts = attempts + 1
      WHERE target = ${target} AND size = ${size}`;
    // The newest one says where the target stands.
    await db`
      DELETE FROM anchor_delivery
      WHERE target = ${target} AND size < ${size} AND delivered_at IS NOT NULL`;
  },

  async failed({ target, size }, error) {
    await db`
      UPDATE anchor_delivery SET attempts = attempts + 1, last_error = ${error.slice(0, 500)},
        next_at = now() + make_interval(
          secs => least(${LONGEST_PAUSE_SECONDS}, 5 * power(2, least(attempts, 20))))
      WHERE target = ${target} AND size = ${size}`;
  },
});

type AnchorRow = Row<'anchor', 'size' | 'root' | 'at' | 'key_id' | 'signature'> & {
  readonly peaks: string[];
};

const columns = (sql: Database | Transaction) => sql`size, root, at, key_id, signature, peaks`;

async function makeHead(
  tx: Transaction,
  key: LedgerKey,
  targets: readonly string[],
  intervalSeconds: number,
): Promise<boolean> {
  const [last] = await tx<AnchorRow[]>`
    SELECT ${columns(tx)} FROM anchor ORDER BY size DESC LIMIT 1`;
  if (last !== undefined && !(await isDue(tx, last.at, intervalSeconds))) return false;
  const leaves = await readChanged(tx);
  if (leaves.length === 0) return false;
  const before: Tree = last === undefined ? emptyTree : { size: last.size, peaks: last.peaks };
  const grown = appendAll(before, leaves.map(hashLeaf));
  const head = { size: grown.size, root: rootOf(grown), at: new Date().toISOString() };
  await tx`
    INSERT INTO anchor_leaf (number, subject, seq, head, seals, seal_head)
    SELECT ${before.size}::bigint + n, subject, seq, head, seals, "sealHead"
    FROM jsonb_to_recordset(${tx.json(leaves.map((leaf, index) => ({ ...leaf, n: index + 1 })))})
      AS l(n int, subject text, seq bigint, head text, seals int, "sealHead" text)`;
  await tx`
    INSERT INTO anchor (size, root, at, key_id, signature, peaks)
    VALUES (${head.size}, ${head.root}, ${head.at}, ${key.keyId}, ${signHead(key, head)},
      ${tx.json([...grown.peaks])})`;
  for (const target of targets)
    await tx`INSERT INTO anchor_delivery (size, target) VALUES (${head.size}, ${target})`;
  return true;
}

async function isDue(tx: Transaction, lastAt: string, intervalSeconds: number): Promise<boolean> {
  const [{ isOver }] = await tx<[{ isOver: boolean }]>`
    SELECT ${lastAt}::timestamptz <= now() - make_interval(secs => ${intervalSeconds})
      OR EXISTS (SELECT 1 FROM goal WHERE status = 'complete' AND updated_at > ${lastAt})
      AS "isOver"`;
  return isOver;
}

/** Heads that no leaf has, of goals and of the security log. */
async function readChanged(tx: Transaction): Promise<AnchorLeaf[]> {
  return await tx<AnchorLeaf[]>`
    WITH now AS (
      SELECT goal_id AS subject, ledger_seq::bigint AS seq, ledger_head AS head, seals,
        seal_head AS "sealHead" FROM journal
      UNION ALL SELECT ${SECURITY_LOG}, number, hash, 0, NULL FROM security_head
    )
    SELECT now.* FROM now LEFT JOIN LATERAL (
      SELECT seq, head, seals, seal_head FROM anchor_leaf l WHERE l.subject = now.subject
      ORDER BY number DESC LIMIT 1) l ON true
    WHERE (now.seq, now.head, now.seals, now."sealHead")
      IS DISTINCT FROM (l.seq, l.head, l.seals, l.seal_head)
    ORDER BY now.subject`;
}

async function readAnchor(db: Database, size: number): Promise<Anchor> {
  const [row, before] = await db<AnchorRow[]>`
    SELECT ${columns(db)} FROM anchor WHERE size <= ${size} ORDER BY size DESC LIMIT 2`;
  if (row?.size !== size) throw new TypeError(`There is no anchor of size ${size}`);
  const from: Tree = before === undefined ? emptyTree : { size: before.size, peaks: before.peaks };
  const leaves = await db<AnchorLeaf[]>`
    SELECT subject, seq, head, seals, seal_head AS "sealHead" FROM anchor_leaf
    WHERE number > ${from.size} AND number <= ${size} ORDER BY number`;
  return {
    version: 1,
    size,
    root: row.root,
    at: row.at,
    keyId: row.key_id,
    signature: row.signature,
    from: { size: from.size, peaks: [...from.peaks] },
    leaves: [...leaves],
  };
}

type StateRow = Row<'anchor_delivery', 'target'> & {
  readonly size: number | null;
  readonly at: string | null;
  readonly waiting: number;
  readonly error: string | null;
};

export async function readAnchorState(
  db: Database,
  targets: readonly string[],
): Promise<AnchorState> {
  const [head] = await db<Row<'anchor', 'size' | 'root' | 'at'>[]>`
    SELECT size, root, at FROM anchor ORDER BY size DESC LIMIT 1`;
  const rows = await db<StateRow[]>`
    SELECT target, max(size) FILTER (WHERE delivered_at IS NOT NULL) AS size,
      max(delivered_at) AS at, count(*) FILTER (WHERE delivered_at IS NULL)::int AS waiting,
      max(last_error) FILTER (WHERE delivered_at IS NULL) AS error
    FROM anchor_delivery GROUP BY target`;
  const known = new Map(rows.map((row) => [row.target, row]));
  return {
    head: head ?? null,
    targets: targets.map((target) => {
      const { size = null, at = null, waiting = 0, error = null } = known.get(target) ?? {};
      return { target, size, at, waiting, error };
    }),
  };
}
