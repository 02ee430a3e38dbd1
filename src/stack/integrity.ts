import type { Sql, TransactionSql } from 'postgres';
import { answerCode, withConnection } from './one-connection.ts';
import { StackError } from './stack-error.ts';

/** A table or an index with what PostgreSQL finds wrong in it. */
interface Damage {
  readonly name: string;
  readonly problem: string;
}

interface Relation {
  readonly name: string;
  readonly isIndex: boolean;
  readonly blocks: number;
}

interface Place {
  readonly url: string;
  readonly home: string;
  readonly onProgress?: (message: string) => void;
}

/** Of each table the newest pages, 32 MB: what was written when the machine stopped. */
const NEWEST_BLOCKS = 4096;
/** An index is read whole, or not at all; 64 MB. */
const MOST_INDEX_BLOCKS = 8192;
/** data_corrupted and index_corrupted. */
const CORRUPTED = ['XX001', 'XX002'];

/**
 * The fast check after a stop that was not clean, by PostgreSQL's own amcheck: page checksums, rows
 * and the order of indexes. A damaged index is built anew from its table.
 * @throws StackError where a table is damaged, or an index can't be built
 */
export async function checkAfterUncleanStop({ url, home, onProgress }: Place): Promise<void> {
  await withConnection(url, async (sql) => {
    const { tables, indexes } = await findDamage(sql);
    if (tables.length > 0) throw damaged(tables, home);
    for (const index of indexes) {
      await rebuild(sql, index, home);
      onProgress?.(`${index.name} was damaged (${index.problem}) and is built anew`);
    }
  });
}

/** Pages without a checksum are damaged unseen. */
export async function warnWithoutChecksums({ url, home, onProgress }: Place): Promise<void> {
  const [row] = await withConnection(
    url,
    (sql) => sql<{ state: string }[]>`
    SELECT current_setting('data_checksums') AS state`,
  );
  if (row?.state === 'on') return;
  onProgress?.(
    `The database in ${home} has no page checksums, so a damaged disk may stay unseen: ` +
      'stop the service and run "pg_checksums --enable" of PostgreSQL 18 on it.',
  );
}

/** Ledgers that don't end where their journal and last decision say: at most ten goals. */
export async function findCutLedgers(url: string): Promise<string[]> {
  const rows = await withConnection(
    url,
    (sql) => sql<{ goalId: string }[]>`
    SELECT j.goal_id AS "goalId" FROM journal j
    LEFT JOIN LATERAL (
      SELECT ledger_seq AS seq, ledger_head AS hash FROM decision
      WHERE goal_id = j.goal_id ORDER BY turn DESC LIMIT 1) d ON true
    WHERE EXISTS (
        SELECT FROM (VALUES (j.ledger_seq, j.ledger_head), (d.seq, d.hash)) head (seq, hash)
        WHERE head.seq > 0 AND NOT EXISTS (
          SELECT FROM ledger l
          WHERE l.goal_id = j.goal_id AND l.seq = head.seq AND l.hash = head.hash))
      OR EXISTS (SELECT FROM ledger l WHERE l.goal_id = j.goal_id AND l.seq > j.ledger_seq)
    ORDER BY j.goal_id LIMIT 10`,
  );
  return rows.map(({ goalId }) => goalId);
}

async function findDamage(sql: Sql): Promise<{ tables: Damage[]; indexes: Damage[] }> {
  const found: { tables: Damage[]; indexes: Damage[] } = { tables: [], indexes: [] };
  await rolledBack(sql, async (tx) => {
    await tx.unsafe('CREATE SCHEMA integrity; CREATE EXTENSION amcheck SCHEMA integrity');
    for (const relation of await relationsOf(tx)) {
      const problem = await problemOf(tx, relation);
      const { name, isIndex } = relation;
      if (problem !== null) (isIndex ? found.indexes : found.tables).push({ name, problem });
    }
  });
  return found;
}

/** Leaves nothing behind, the extension included. */
async function rolledBack(sql: Sql, work: (tx: TransactionSql) => Promise<void>): Promise<void> {
  const done = new Error('rolled back');
  await sql
    .begin(async (tx) => {
      await work(tx);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}

/** Tables, PostgreSQL's own included, and their ordered indexes. */
const relationsOf = (tx: TransactionSql) => tx<Relation[]>`
  SELECT c.oid::regclass::text AS name, c.relkind = 'i' AS "isIndex",
    (pg_relation_size(c.oid) / current_setting('block_size')::int)::int AS blocks
  FROM pg_class c JOIN pg_am a ON a.oid = c.relam
  LEFT JOIN pg_index i ON i.indexrelid = c.oid
  WHERE c.relkind IN ('r', 't', 'm', 'i') AND a.amname IN ('heap', 'btree')
    AND c.relpersistence = 'p' AND coalesce(i.indisvalid, true)
  ORDER BY c.relkind = 'i', c.oid`;

async function problemOf(tx: TransactionSql, relation: Relation): Promise<string | null> {
  const { name, isIndex, blocks } = relation;
  if (blocks === 0 || (isIndex && blocks > MOST_INDEX_BLOCKS)) return null;
  try {
    const [found] = await tx.savepoint((one) =>
      isIndex
        ? one.unsafe<{ problem: string | null }[]>(
            'SELECT null AS problem FROM integrity.bt_index_check($1::regclass)',
            [name],
          )
        : one.unsafe<{ problem: string }[]>(
            `SELECT 'page ' || blkno || ': ' || msg AS problem
             FROM integrity.verify_heapam($1::regclass, on_error_stop => true, startblock => $2) LIMIT 1`,
            [name, Math.max(0, blocks - NEWEST_BLOCKS)],
          ),
    );
    return found?.problem ?? null;
  } catch (error) {
    if (CORRUPTED.includes(answerCode(error) ?? '')) return (error as Error).message;
    throw error;
  }
}

async function rebuild(sql: Sql, index: Damage, home: string): Promise<void> {
  try {
    await sql.unsafe(`REINDEX INDEX ${index.name}`);
  } catch (error) {
    throw damaged([{ ...index, problem: `${index.problem}; ${(error as Error).message}` }], home);
  }
}

function damaged(found: readonly Damage[], home: string): StackError {
  const named = found.map(({ name, problem }) => `${name} (${problem})`).join(', ');
  return new StackError(
    `After a stop that was not clean, the database in ${home} is damaged: ${named}`,
    'Put a backup in its place. Check the disk: PostgreSQL itself survives power cuts and kills.',
  );
}
