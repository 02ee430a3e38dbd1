import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { embeddedUsers } from '../../src/stack/embedded-users.ts';
import { ensurePassword } from '../../src/stack/postgres-cluster.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { type Mode, playClass } from './attempts.ts';
import { databaseFolder, openService, rest, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };

let service: Service;
let owner: Sql;
let writer: Sql;
let reader: Sql;
let ownerUrl: string;
let tables: string[];
/** A completed goal, and another. */
let goalId: string;
let otherId: string;
/** The file of anchors. */
let anchors: string;

beforeAll(async () => {
  anchors = join(mkdtempSync(join(tmpdir(), 'goalkeeper-anchors-')), 'heads');
  chmodSync(dirname(anchors), 0o777);
  service = await openService(MODE, { GOALKEEPER_ANCHORS: `file:${anchors}` });
  const port = readFileSync(join(databaseFolder(service.home), 'postmaster.pid'), 'utf8').split(
    '\n',
  )[3];
  ownerUrl = `postgresql://goalkeeper:${ensurePassword(service.home)}@127.0.0.1:${port}/goalkeeper`;
  const users = embeddedUsers(service.home, ownerUrl);
  const open = (url: string) => postgres(url, { max: 1, onnotice: () => {} });
  [owner, writer, reader] = [open(ownerUrl), open(users.writer), open(users.reader)];
  const rows = await owner<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  tables = rows.map(({ name }) => name);
  [goalId, otherId] = [await completed(), await completed()];
}, 300_000);
afterAll(async () => {
  await Promise.all([owner, writer, reader].map((sql) => sql?.end({ timeout: 1 })));
  await service.close();
  rmSync(dirname(anchors), { recursive: true, force: true });
});

/** A goal with calls, a decision, an approval by a person, and its completion. */
async function completed(): Promise<string> {
  const calls = [
    reply.call('write_file', { path: 'a.txt', content: 'x\n' }),
    reply.call('run_command', { command: 'echo one' }),
    reply.call('attempt_completion', { result: 'It is done.' }),
  ];
  const played = await service.play(calls, { criteria: [] });
  const { items } = (await service.call('GET /v1/approvals')).body;
  const approval = items.find((one: { goalId: string }) => one.goalId === played.goalId);
  const path = `POST /v1/goals/${played.goalId}/approvals/${approval?.approvalId}`;
  expect((await service.call(path, { body: { decision: 'approve' } })).status).toBe(200);
  const ended = await rest(service, played.goalId);
  expect(ended.status).toBe('complete');
  expect(await verdict(played.goalId)).toMatchObject({ holds: true });
  return played.goalId;
}

const verdict = async (id: string) =>
  (await service.call(`GET /v1/goals/${id}/ledger/verify`)).body;

const anchorFaults = async (): Promise<string[]> => {
  const { body } = await service.call('POST /v1/anchors/verify', { body: {} });
  return body.faults.map(({ fault }: { fault: string }) => fault);
};

/** A completed goal is anchored within seconds. */
const anchored = () =>
  waitUntil(async () => {
    const { head, targets } = (await service.call('GET /v1/anchors')).body;
    return head !== null && targets[0]?.size === head.size && targets[0].size;
  }, 60_000);

const DENIED =
  /permission denied|must be (owner|superuser|able)|append-only|refused|denied|not permitted|only roles|cannot|is kept until|does not exist/i;

async function denied(sql: Sql, ...statements: string[]): Promise<number> {
  for (const statement of statements) {
    const outcome = await sql
      .begin((tx) => tx.unsafe(statement))
      .then(
        (rows) => `done: ${rows.count}`,
        (error: Error) => error.message,
      );
    expect([statement, outcome]).toEqual([statement, expect.stringMatching(DENIED)]);
  }
  return statements.length;
}

/**
 * Changes the record with all rights, without triggers, and puts it back as it was. What the API
 * says meanwhile is read in between.
 */
async function found(statements: string, id = goalId): Promise<number> {
  const names = tables.map((name) => `"${name}"`);
  const off = (what: string) =>
    names.map((name) => `ALTER TABLE ${name} ${what} TRIGGER USER;`).join('');
  const copies = ['ledger', 'seal', 'decision', 'approval', 'journal', 'goal', 'output_chunk'];
  await owner.unsafe(
    copies
      .map(
        (name) => `DROP TABLE IF EXISTS kept_${name}; CREATE TABLE kept_${name} AS TABLE ${name};`,
      )
      .join(''),
  );
  await owner.unsafe(off('DISABLE'));
  let said: unknown;
  try {
    await owner.unsafe(`SET session_replication_role = replica; ${statements}`);
    said = await verdict(id);
  } finally {
    const back =
      copies
        .toReversed()
        .map((name) => `DELETE FROM ${name};`)
        .join('') +
      copies
        .map((name) => `INSERT INTO ${name} SELECT * FROM kept_${name}; DROP TABLE kept_${name};`)
        .join('');
    await owner.unsafe(
      `SET session_replication_role = replica; ${back} SET session_replication_role = DEFAULT;`,
    );
    await owner.unsafe(off('ENABLE'));
  }
  expect(said).toMatchObject({ holds: false });
  expect(await verdict(id)).toMatchObject({ holds: true });
  return 1;
}

const of = (seq: string) => `goal_id = '${goalId}' AND seq = ${seq}`;
const last = () => `(SELECT max(seq) FROM kept_ledger WHERE goal_id = '${goalId}')`;

playClass('record', MODE, {
  'ROW-1': () =>
    denied(
      writer,
      `UPDATE ledger SET outcome = 'ok'`,
      `UPDATE ledger SET body = '{}' WHERE ${of('1')}`,
    ),
  'ROW-2': () => denied(writer, 'DELETE FROM ledger', `DELETE FROM ledger WHERE ${of('1')}`),
  'ROW-3': () => denied(writer, ...tables.map((name) => `TRUNCATE "${name}" CASCADE`)),
  'ROW-4': () =>
    denied(
      writer,
      ...tables.flatMap((name) => [
        `ALTER TABLE "${name}" DISABLE TRIGGER ALL`,
        `DROP TABLE "${name}" CASCADE`,
        `ALTER TABLE "${name}" ADD COLUMN x int`,
      ]),
      'SET session_replication_role = replica',
    ),
  'ROW-5': () =>
    denied(
      writer,
      'SET ROLE goalkeeper',
      'SET SESSION AUTHORIZATION goalkeeper',
      'CREATE ROLE eve SUPERUSER',
      'ALTER ROLE goalkeeper_writer SUPERUSER',
      `ALTER ROLE goalkeeper PASSWORD 'x'`,
      'GRANT goalkeeper TO goalkeeper_writer',
      'CREATE DATABASE eve',
      'ALTER DATABASE goalkeeper SET x.y = 1',
    ),
  'ROW-6': () =>
    denied(
      writer,
      `COPY ledger TO PROGRAM 'cat'`,
      `COPY ledger FROM '/etc/passwd'`,
      `SELECT pg_read_file('/etc/passwd')`,
      `SELECT lo_import('/etc/passwd')`,
      'CREATE EXTENSION dblink',
      `SELECT pg_ls_dir('/')`,
      `SELECT pg_read_binary_file('/etc/passwd')`,
      `CREATE FUNCTION x() RETURNS int LANGUAGE c AS '/lib/libc.so.6', 'system'`,
      `ALTER SYSTEM SET log_statement = 'all'`,
      'SELECT pg_reload_conf()',
    ),
  'ROW-7': () =>
    denied(
      writer,
      `CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql AS 'SELECT $1'`,
      'CREATE TABLE public.goal_order_two (x int)',
      'CREATE SCHEMA eve',
      `CREATE TRIGGER x BEFORE INSERT ON ledger EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      `CREATE RULE x AS ON INSERT TO ledger DO INSTEAD NOTHING`,
      'CREATE VIEW public.x AS SELECT 1',
    ),
  'ROW-8': () =>
    denied(
      reader,
      ...tables.flatMap((name) => [
        `DELETE FROM "${name}"`,
        `TRUNCATE "${name}" CASCADE`,
        `INSERT INTO "${name}" SELECT * FROM "${name}"`,
        `LOCK TABLE "${name}" IN ACCESS EXCLUSIVE MODE`,
      ]),
    ),
  'ROW-9': async () => {
    const made = await service.call('POST /v1/tokens', {
      body: { name: 'read-me', role: 'agent' },
    });
    let seen = 0;
    for (const name of tables) {
      const rows = await reader.unsafe(`SELECT t::text AS row FROM "${name}" t`).catch(() => []);
      const text = rows.map(({ row }) => row).join('\n');
      for (const token of [made.body.token, ...Object.values(TOKENS)])
        expect(text).not.toContain(token);
      seen += 1;
    }
    return seen;
  },
  'ROW-10': () =>
    denied(
      writer,
      `UPDATE decision SET sentence = 'x'`,
      'DELETE FROM decision',
      `UPDATE event SET data = '{}'`,
      'DELETE FROM event',
      'UPDATE seal SET number = 9',
      'DELETE FROM seal',
      `UPDATE goal_order SET role = 'admin'`,
      'DELETE FROM goal_order',
      'DELETE FROM approval',
      'DELETE FROM goal',
      `UPDATE approval SET kind = 'tool'`,
    ),
  'ROW-11': async () => {
    const log = 'security_log';
    return denied(writer, `DELETE FROM ${log}`, `UPDATE ${log} SET who = 'x'`, `TRUNCATE ${log}`);
  },
  'ROW-12': async () => {
    const log = 'security_log';
    return denied(owner, `DELETE FROM ${log}`, `UPDATE ${log} SET who = 'x'`, `TRUNCATE ${log}`);
  },
  'ROW-13': async () => {
    const users = [
      'goalkeeper',
      'goalkeeper_writer',
      'goalkeeper_reader',
      'postgres',
      'root',
      'nobody',
    ];
    for (const name of users) {
      for (const password of ['', 'wrong', name]) {
        const url = Object.assign(new URL(ownerUrl), { username: name, password }).href;
        const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
        const outcome = await sql`SELECT 1`.then(
          () => 'in',
          () => 'refused',
        );
        await sql.end({ timeout: 1 });
        expect([name, password, outcome]).toEqual([name, password, 'refused']);
      }
    }
    return users.length * 3;
  },
  'ROW-14': () => found(`UPDATE ledger SET outcome = 'failed' WHERE ${of('2')}`),
  'ROW-15': () => found(`DELETE FROM ledger WHERE ${of('2')}`),
  'ROW-16': () =>
    found(`DELETE FROM ledger WHERE ${of(last())};
      UPDATE journal SET ledger_seq = ledger_seq - 1, ledger_head = (SELECT hash FROM ledger WHERE goal_id = '${goalId}' ORDER BY seq DESC LIMIT 1) WHERE goal_id = '${goalId}'`),
  'ROW-17': () =>
    found(`DELETE FROM ledger WHERE goal_id = '${goalId}'; DELETE FROM seal WHERE goal_id = '${goalId}'; DELETE FROM decision WHERE goal_id = '${goalId}';
      UPDATE journal SET ledger_seq = 0, ledger_head = encode(sha256(goal_id::bytea), 'hex'), ledger_seal = NULL, seals = 0, seal_head = NULL, seal_end = NULL WHERE goal_id = '${goalId}'`),
  'ROW-18': () =>
    found(
      `UPDATE ledger SET seq = 9999 WHERE ${of('1')}; UPDATE ledger SET seq = 1 WHERE ${of('2')}; UPDATE ledger SET seq = 2 WHERE ${of('9999')}`,
    ),
  'ROW-19': () => {
    const forged = createHash('sha256').update('forged').digest('hex');
    return found(`UPDATE ledger SET outcome = 'failed', hash = '${forged}' WHERE ${of(last())};
      UPDATE journal SET ledger_head = '${forged}' WHERE goal_id = '${goalId}';
      UPDATE decision SET ledger_head = '${forged}' WHERE goal_id = '${goalId}'`);
  },
  'ROW-20': async () => {
    const columns = await owner<
      { name: string }[]
    >`SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'ledger'`;
    const list = columns.map(({ name }) =>
      name === 'seq'
        ? 'seq + 1'
        : name === 'previous'
          ? 'hash'
          : name === 'call_id'
            ? `call_id || '-more'`
            : name,
    );
    const names = columns.map(({ name }) => name).join(', ');
    return found(
      `INSERT INTO ledger (${names}) SELECT ${list.join(', ')} FROM kept_ledger WHERE ${of(last())}`,
    );
  },
  'ROW-21': () => found(`UPDATE approval SET decided_by = 'eve' WHERE goal_id = '${goalId}'`),
  'ROW-22': () => found(`UPDATE decision SET sentence = 'Done.' WHERE goal_id = '${goalId}'`),
  'ROW-23': () =>
    found(
      `UPDATE goal SET completion = jsonb_set(completion, '{result}', '"x"') WHERE goal_id = '${goalId}'`,
    ),
  'ROW-24': () =>
    found(
      `DELETE FROM seal WHERE goal_id = '${goalId}'; UPDATE seal SET goal_id = '${goalId}' WHERE goal_id = '${otherId}'`,
    ),
  'ROW-25': () => found(`UPDATE output_chunk SET content = 'two' WHERE ref LIKE '${goalId}/%'`),
  'ROW-26': () => found(`DELETE FROM seal WHERE goal_id = '${goalId}'`),
  'ROW-27': async () => {
    // The record of yesterday is a record that holds: nothing outside of the database knows better.
    const before = await verdict(goalId);
    expect(before).not.toMatchObject({ holds: true });
    return 1;
  },
  'ROW-28': async () => {
    const log = 'security_log';
    await owner.unsafe(`ALTER TABLE ${log} DISABLE TRIGGER USER`);
    await owner.unsafe(`DELETE FROM ${log} WHERE ctid = (SELECT max(ctid) FROM ${log})`);
    await owner.unsafe(`ALTER TABLE ${log} ENABLE TRIGGER USER`);
    const { status, body } = await service.call('GET /v1/security-log/verify');
    expect([status, body.holds]).toEqual([200, false]);
    return 1;
  },
  'ROW-29': async () => {
    await anchored();
    expect(await anchorFaults()).toEqual([]);
    const whole = readFileSync(anchors, 'utf8');
    const lines = whole.trim().split('\n');
    const spoilt = [
      ['', 'lost'],
      [whole.slice(0, -40), 'lost'],
      [whole.replace('"version":1', '"version":2'), lines.length > 1 ? 'unreadable' : 'lost'],
      [`no anchor\n${whole}`, 'unreadable'],
    ] as const;
    try {
      for (const [text, fault] of spoilt) {
        writeFileSync(anchors, text);
        expect([fault, await anchorFaults()]).toEqual([fault, expect.arrayContaining([fault])]);
      }
    } finally {
      writeFileSync(anchors, whole);
    }
    expect(await anchorFaults()).toEqual([]);
    return spoilt.length;
  },
  'ROW-31': async () => 'played by test/workflows/altered-record.test.ts',
  'ROW-32': async () => 'played by test/workflows/altered-record.test.ts',
  'ROW-34': async () => 'played by test/store/goal-columns.test.ts',
  'ROW-36': async () => 'played by test/store/goal-columns.test.ts',
  'ROW-37': async () => 'played by test/store/rights.test.ts',
  'ROW-38': async () => 'played by test/workflows/proof-bundle.long.test.ts',
  'ROW-41': async () => 'played by test/store/workspace-seal.test.ts',
  'ROW-43': async () => 'played by test/store/workspace-seal.test.ts',
  'ROW-47': async () => 'played by test/workflows/sealed-workspace.test.ts',
  'ROW-30': async () => {
    await anchored();
    const whole = readFileSync(anchors, 'utf8');
    const last = JSON.parse(whole.trim().split('\n').at(-1) ?? '') as { size: number };
    const ahead = { ...last, size: last.size + 1000 };
    writeFileSync(anchors, `${whole}${JSON.stringify(ahead)}\n`);
    try {
      await completed();
      const error = await waitUntil(async () => {
        const { targets } = (await service.call('GET /v1/anchors')).body;
        return targets[0]?.error as string | null;
      }, 60_000);
      expect(error).toContain('another database');
      expect(await anchorFaults()).toContain('forged');
    } finally {
      writeFileSync(anchors, whole);
    }
    return 1;
  },
});
