import type { TransactionSql } from 'postgres';
import { MigrationError } from './migration-error.ts';

const BESIDE = 'goalkeeper_as_it_should_be';

/**
 * Has the database all that this script makes? It is run beside, and both are compared as
 * PostgreSQL itself describes them; a history of migrations alone may be untrue.
 * @throws MigrationError
 */
export async function assertSameSchema(tx: TransactionSql, script: string): Promise<void> {
  const [here] = await tx<[{ schema: string; path: string }]>`
    SELECT current_schema() AS schema, current_setting('search_path') AS path`;
  await tx.unsafe(`CREATE SCHEMA ${BESIDE}`);
  await tx`SELECT set_config('search_path', ${BESIDE}, true)`;
  await tx.unsafe(script);
  const wanted = await partsOf(tx, BESIDE);
  await tx.unsafe(`DROP SCHEMA ${BESIDE} CASCADE`);
  await tx`SELECT set_config('search_path', ${here.path}, true)`;
  const found = new Set(await partsOf(tx, here.schema));
  const missing = wanted.filter((part) => !found.has(part));
  if (missing.length === 0) return;
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  throw new MigrationError(
    `The database's migrations are known, but it is not what they made; it lacks ` +
      `${missing.slice(0, 3).join('; ')}${more}. Restore a backup, or give Goalkeeper another one.`,
  );
}

/** Columns, constraints, indexes, triggers and functions, without the name of their schema. */
async function partsOf(tx: TransactionSql, schema: string): Promise<string[]> {
  const rows = await tx<{ part: string }[]>`
    SELECT concat_ws(' ', 'column', table_name || '.' || column_name, data_type, is_nullable,
        column_default) AS part
      FROM information_schema.columns WHERE table_schema = ${schema}
        AND table_name <> '_prisma_migrations'
    UNION ALL SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname,
        pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = ${schema}::regnamespace AND contype <> 'n'
        AND conrelid <> coalesce(to_regclass(${`${quoted(schema)}._prisma_migrations`})::oid, 0)
    UNION ALL SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes
      WHERE schemaname = ${schema} AND tablename <> '_prisma_migrations'
    UNION ALL SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid))
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND c.relnamespace = ${schema}::regnamespace
    UNION ALL SELECT concat_ws(' ', 'function', proname, md5(prosrc)) FROM pg_proc
      WHERE pronamespace = ${schema}::regnamespace
    ORDER BY 1`;
  return rows.map(({ part }) =>
    part.replaceAll(`${quoted(schema)}.`, '').replaceAll(`${schema}.`, ''),
  );
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
