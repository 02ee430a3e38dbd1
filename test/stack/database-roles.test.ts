import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { grantRoles } from '../../src/stack/database-roles.ts';
import { assertMigrated, migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { emptyDatabase, freshDatabase } from '../support/servers.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const query = (url: string, statement: string): Promise<Record<string, unknown>[]> =>
  withConnection(url, async (sql) => [...(await sql.unsafe(statement))]);

async function fresh() {
  const database = await freshDatabase();
  closing.push(() => database.drop());
  return database;
}

const newUser = (url: string): string =>
  Object.assign(new URL(url), {
    username: `user_${randomBytes(6).toString('hex')}`,
    password: randomBytes(16).toString('hex'),
  }).href;

const nameOf = (url: string): string => new URL(url).username;

/** A database whose owner is no superuser and, as managed ones often have it, makes no users. */
async function managed() {
  const database = await emptyDatabase();
  const [owner, writer] = [newUser(database.url), newUser(database.url)];
  const { username, password, pathname } = new URL(owner);
  await query(
    database.url,
    `CREATE ROLE ${username} LOGIN PASSWORD '${password}';
    ALTER DATABASE ${pathname.slice(1)} OWNER TO ${username}`,
  );
  closing.push(async () => {
    await database.drop();
    const server = process.env.GOALKEEPER_TEST_DATABASE_URL ?? '';
    await query(server, `DROP ROLE IF EXISTS ${nameOf(writer)}; DROP ROLE ${username}`);
  });
  return { owner, writer, admin: database.url };
}

describe('the user that the service writes with', () => {
  test.each([
    ['is a superuser’s trick', 'ALTER TABLE ledger DISABLE TRIGGER ALL'],
    ['turns triggers off', 'SET session_replication_role = replica'],
    ['empties a table', 'TRUNCATE event'],
    ['makes a table', 'CREATE TABLE mine ()'],
    ['edits the ledger', "UPDATE ledger SET tool = 'x'"],
    ['takes a seal out', 'DELETE FROM seal'],
    ['edits a decision', "UPDATE decision SET sentence = 'Done.'"],
    ['takes an event out', 'DELETE FROM event'],
    ['changes what a person was asked', "UPDATE approval SET data = '{}'"],
    ['takes a goal out', 'DELETE FROM goal'],
    ['edits the migrations', 'DELETE FROM _prisma_migrations'],
  ])('REC-8 is refused when it %s', async (_, statement) => {
    const { url } = await fresh();
    await expect(query(url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('REC-9 may read and add to every table, and is neither superuser nor owner', async () => {
    const { url } = await fresh();
    await assertMigrated(url);
    expect(
      await query(
        url,
        `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS might,
          (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owns
        FROM pg_roles r WHERE rolname = current_user`,
      ),
    ).toEqual([{ might: false, owns: 0 }]);
  });

  test('REC-10 the reader writes nowhere', async () => {
    const { readerUrl } = await fresh();
    expect(await query(readerUrl, 'SELECT * FROM goal')).toEqual([]);
    const rights = await query(
      readerUrl,
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND (has_table_privilege(oid, 'INSERT') OR has_any_column_privilege(oid, 'UPDATE')
          OR has_table_privilege(oid, 'DELETE') OR has_table_privilege(oid, 'TRUNCATE'))`,
    );
    expect(rights).toEqual([]);
  });
});

describe('a database of one’s own', () => {
  test('REC-11 an owner that may make no users names the SQL to paste, and goes on after it', async () => {
    const { owner, writer, admin } = await managed();
    await migrate(owner);
    const users = { owner, writer, reader: null };
    const paste = `CREATE ROLE ${nameOf(writer)} LOGIN PASSWORD '…';`;
    await expect(grantRoles(users)).rejects.toThrow(paste);
    await query(admin, paste.replace('…', new URL(writer).password));
    await grantRoles(users);
    await grantRoles(users);
    await assertMigrated(writer);
    await expect(query(writer, 'TRUNCATE goal')).rejects.toThrow('permission denied');
  });

  test('REC-12 a database that was served by its owner gets its users where that may make them', async () => {
    const { owner, writer, admin } = await managed();
    await query(admin, `ALTER ROLE ${nameOf(owner)} CREATEROLE`);
    await migrate(owner);
    await grantRoles({ owner, writer, reader: null });
    await assertMigrated(writer);
  });

  test('REC-13 owner and superusers are refused as writers', async () => {
    const { ownerUrl } = await fresh();
    const asItself = { owner: ownerUrl, writer: ownerUrl, reader: null };
    await expect(grantRoles(asItself)).rejects.toThrow('is the owner');
    const mighty = newUser(ownerUrl);
    await query(ownerUrl, `CREATE ROLE ${nameOf(mighty)} SUPERUSER`);
    closing.push(() => query(ownerUrl, `DROP ROLE ${nameOf(mighty)}`));
    await expect(grantRoles({ ...asItself, writer: mighty })).rejects.toThrow('is a superuser');
  });
});
