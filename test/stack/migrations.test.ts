import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { migrationList, missingScript, openSchemaEngine } from '../../scripts/schema-engine.ts';
import { migrate, readMigrations } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { noKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { createReader } from '../../src/store/reads/reader.ts';
import { openStore } from '../../src/store/store.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/servers.ts';

const opened: TestDatabase[] = [];
const filters = { externalTables: [], externalEnums: [] };
const names = readMigrations().map((migration) => migration.name);

afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});

async function database(open: () => Promise<TestDatabase>): Promise<string> {
  const fresh = await open();
  opened.push(fresh);
  return fresh.ownerUrl;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  return withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);
}

test('an empty database gets every migration once', async () => {
  const url = await database(emptyDatabase);
  expect(await migrate(url)).toEqual(names);
  expect(await migrate(url)).toEqual([]);
});

test('three processes that migrate at once apply each migration once', async () => {
  const url = await database(emptyDatabase);
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat().toSorted()).toEqual(names);
});

test('the migrations make exactly what schema.prisma asks for', async () => {
  const engine = await openSchemaEngine(await database(emptyDatabase));
  expect(await missingScript(engine)).toBe('');
});

test("Prisma's own tools find nothing left to do, and nothing edited", async () => {
  const engine = await openSchemaEngine(await database(freshDatabase));
  const migrationsList = migrationList();
  const found = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters,
  });
  expect(found).toMatchObject({
    history: null,
    editedMigrationNames: [],
    failedMigrationNames: [],
  });
  expect((await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames).toEqual(
    [],
  );
});

test("a database that Prisma's engine migrated is taken as it is", async () => {
  const url = await database(emptyDatabase);
  const engine = await openSchemaEngine(url);
  await engine.applyMigrations({ migrationsList: migrationList(), filters });
  expect(await migrate(url)).toEqual([]);
});

test('a database of a newer version is refused, and says so', async () => {
  const url = await database(freshDatabase);
  await query(url, "UPDATE _prisma_migrations SET migration_name = '9999_later'");
  await expect(migrate(url)).rejects.toThrow(/9999_later.*newer/);
});

test('a migration that was edited after it ran is refused', async () => {
  const url = await database(freshDatabase);
  await query(url, "UPDATE _prisma_migrations SET checksum = 'other'");
  await expect(migrate(url)).rejects.toThrow('edited');
});

test('a migration that another tool left half done is refused', async () => {
  const url = await database(freshDatabase);
  await query(url, 'UPDATE _prisma_migrations SET finished_at = NULL');
  await expect(migrate(url)).rejects.toThrow('never finished');
});

test('a script that fails leaves nothing behind', async () => {
  const url = await database(emptyDatabase);
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-migrations-'));
  mkdirSync(join(folder, '0001_broken'));
  writeFileSync(
    join(folder, '0001_broken', 'migration.sql'),
    'CREATE TABLE a (n int); SELECT 1/0;',
  );
  try {
    await expect(migrate(url, folder)).rejects.toThrow('0001_broken failed and was undone');
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(await query(url, "SELECT * FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

/** A database with a goal and its delegate, by the last version before the migrations were squashed. */
const BEFORE = readFileSync(new URL('fixtures/before-squash.sql', import.meta.url), 'utf8');
const OLD_GOAL = 'g-8723191e93ec2e8e';

async function oldDatabase(change = ''): Promise<string> {
  const url = await database(emptyDatabase);
  await query(url, `${BEFORE}; SET search_path = public; ${change}`);
  return url;
}

/** All that a schema consists of, as PostgreSQL itself writes it. */
const CATALOG = `
  SELECT 'column', table_name || '.' || column_name AS name, concat_ws(' ', ordinal_position,
    data_type, is_nullable, column_default, datetime_precision, numeric_precision, numeric_scale)
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'storage', attrelid::regclass || '.' || attname, attstorage::text
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND attnum > 0
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function', proname, pg_get_functiondef(oid)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'sequence', sequencename, concat_ws(' ', data_type, start_value, increment_by,
    pg_get_serial_sequence('public.inbox', 'seq')) FROM pg_sequences
  UNION ALL SELECT 'relation', relname, concat_ws(' ', relkind, relpersistence, reloptions::text)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ORDER BY 1, 2`;

test('a database from before the squash is taken over in one step, with its goals', async () => {
  const url = await oldDatabase();
  const applied = await Promise.all([migrate(url), migrate(url)]);
  expect(applied.flat().toSorted()).toEqual(names);
  expect(await migrate(url)).toEqual([]);
  const store = openStore(url, { connections: 2 });
  try {
    const goal = await createReader(store, noKeys).goal(OLD_GOAL);
    expect(goal).toMatchObject({ objective: 'one lookup: find', status: 'complete' });
    expect(await createLedgerVerifier(store.sql, noKeys).whole(OLD_GOAL)).toMatchObject({
      holds: true,
      rows: 10,
    });
  } finally {
    await store.close();
  }
});

test('a database from before the squash has the schema of a new one, to the last index', async () => {
  const [old, fresh] = [await oldDatabase(), await database(freshDatabase)];
  await migrate(old);
  expect(await query(old, CATALOG)).toEqual(await query(fresh, CATALOG));
});

test('what a number or a prefix said becomes a column of its own', async () => {
  const url = await oldDatabase(`
    INSERT INTO step (goal_id, turn, step, attempt, token, state, model, estimated_input,
        reserved_output, kind)
      VALUES ('g', 1, 1, 1, 1, 'committed', 'm', 1, 1, 'turn'),
        ('g', 1, 101000, 1, 1, 'committed', 'm', 1, 1, 'turn'),
        ('g', 1, 101001, 1, 1, 'committed', 'm', 1, 1, 'review'),
        ('g', 1, 1000000001, 1, 1, 'committed', 'm', 1, 1, 'turn');
    INSERT INTO attempt (goal_id, token, host, worker_id, helper_pid)
      VALUES ('check:7', 1, 'here', 'w1', 42), ('g', 1, 'here', 'w1', 43);
    INSERT INTO workspace (name, path, host, task_queue, marker, lease_goal_id, lease_epoch)
      VALUES ('a', '/a', 'here', 'q', 'x', 'check:7', 0), ('b', '/b', 'here', 'q', 'y', 'g', 3)`);
  await migrate(url);
  expect(await query(url, "SELECT kind, step FROM step WHERE goal_id = 'g' ORDER BY step")).toEqual(
    [
      { kind: 'turn', step: 1 },
      { kind: 'review', step: 101_000 },
      { kind: 'review', step: 101_001 },
      { kind: 'compaction', step: 1_000_000_001 },
    ],
  );
  const leases = `SELECT lease_goal_id, lease_check_id, lease_epoch FROM workspace
    WHERE name IN ('a', 'b') ORDER BY name`;
  expect(await query(url, leases)).toEqual([
    { lease_goal_id: null, lease_check_id: 'check:7', lease_epoch: null },
    { lease_goal_id: 'g', lease_check_id: null, lease_epoch: 3 },
  ]);
  expect(await query(url, 'SELECT check_id, helper_pid FROM check_run')).toEqual([
    { check_id: 'check:7', helper_pid: 42 },
  ]);
  expect(await query(url, "SELECT helper_pid FROM attempt WHERE goal_id LIKE 'check:%'")).toEqual(
    [],
  );
  const both = "UPDATE workspace SET lease_check_id = 'c' WHERE name = 'b'";
  await expect(query(url, both)).rejects.toThrow('workspace_one_holder');
});

test("Prisma's own tools accept a database that was taken over", async () => {
  const url = await oldDatabase();
  await migrate(url);
  const engine = await openSchemaEngine(url);
  const migrationsList = migrationList();
  const found = await engine.diagnoseMigrationHistory({
    migrationsList,
    optInToShadowDatabase: false,
    filters,
  });
  expect(found).toMatchObject({
    history: null,
    editedMigrationNames: [],
    failedMigrationNames: [],
  });
});

test.each([
  ['lacks some', "DELETE FROM _prisma_migrations WHERE migration_name > '0024'", /13 of the 20/],
  [
    'did not finish one',
    "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '0029_undo'",
    /19 of the 20/,
  ],
  [
    'has others beside',
    "UPDATE _prisma_migrations SET migration_name = '0031_later' WHERE migration_name = '0029_undo'",
    /19 of the 20.*and others/,
  ],
  [
    'has one that was edited',
    "UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = '0029_undo'",
    /19 of the 20.*and others/,
  ],
])(
  'a database from before the squash that %s is refused and stays as it is',
  async (_, change, says) => {
    const url = await oldDatabase(change);
    const history = 'SELECT * FROM _prisma_migrations ORDER BY migration_name';
    const before = await query(url, history);
    await expect(migrate(url)).rejects.toThrow(says);
    await expect(migrate(url)).rejects.toThrow(/last version before .* once .*, then this one/);
    expect(await query(url, history)).toEqual(before);
  },
);

const LEDGER_ROW = `INSERT INTO ledger
  (goal_id, seq, phase, call_id, turn, step, token, tool, effect, body, at, previous, hash)
  VALUES ('g', 1, 'started', 'c', 1, 1, 1, 'read_file', 'read', '{}', now(), '', 'h')`;

test.each([
  ["UPDATE ledger SET hash = 'x'", 'UPDATE refused'],
  ['DELETE FROM ledger', 'DELETE refused'],
  ['TRUNCATE ledger', 'TRUNCATE refused'],
])('the ledger refuses %s', async (sql, message) => {
  const url = await database(freshDatabase);
  await query(url, LEDGER_ROW);
  await expect(query(url, sql)).rejects.toThrow(message);
  expect(await query(url, 'SELECT hash FROM ledger')).toEqual([{ hash: 'h' }]);
});

function insertGoal(goalId: string, archivedAt: string, status = 'active'): string {
  return `INSERT INTO goal (goal_id, thread_id, objective, mode, model, workspace_name, status,
      snapshot, counters, activity, criteria, budget, policy, created_by, created_by_role, archived_at)
    VALUES ('${goalId}', 't', 'o', 'agent', 'm', 'w', '${status}',
      '{}', '{}', '{}', '[]', '{}', '{}', 'p', 'operator', ${archivedAt})`;
}

test('M24 a thread has one current goal, and any number of archived ones', async () => {
  const url = await database(freshDatabase);
  await query(url, insertGoal('g1', 'now()'));
  await query(url, insertGoal('g2', 'now()'));
  await query(url, insertGoal('g3', 'NULL'));
  await expect(query(url, insertGoal('g4', 'NULL'))).rejects.toThrow('goal_current_of_thread_key');
});

test('a status outside of the four is refused', async () => {
  const url = await database(freshDatabase);
  await expect(query(url, insertGoal('g1', 'NULL', 'done'))).rejects.toThrow('goal_status_check');
});

test('what checks rested on becomes changes beyond the scope, and criteria no longer say it', async () => {
  const url = await database(emptyDatabase);
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-migrations-'));
  for (const name of names.filter((one) => one < '0004')) {
    cpSync(join('schema/migrations', name), join(folder, name), { recursive: true });
  }
  await migrate(url, folder);
  rmSync(folder, { recursive: true });
  const diffs = JSON.stringify([
    { name: 'Makefile', kind: 'script', now: 'ff' },
    { name: 'test:a', kind: 'test_gone', now: null },
  ]);
  await query(
    url,
    `INSERT INTO basis_change (goal_id, turn, changes) VALUES ('g-1', 1, '${diffs}')`,
  );
  await migrate(url);
  expect(await query(url, 'SELECT changes, proof FROM proof_finding')).toEqual([
    {
      changes: [
        { name: 'Makefile', kind: 'beyond_scope', now: 'ff' },
        { name: 'test:a', kind: 'test_gone', now: null },
      ],
      proof: null,
    },
  ]);
});
