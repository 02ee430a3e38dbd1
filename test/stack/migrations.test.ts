import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { migrationList, missingScript, openSchemaEngine } from '../../scripts/schema-engine.ts';
import { migrate, readMigrations } from '../../src/stack/migrations.ts';
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
  return fresh.url;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
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
