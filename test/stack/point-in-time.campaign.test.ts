import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { wholeSight } from '../../src/policy/sight.ts';
import { migrate } from '../../src/stack/migrations.ts';
import { withConnection } from '../../src/stack/one-connection.ts';
import { freePort } from '../../src/stack/ports.ts';
import { serviceUser } from '../../src/stack/service-user.ts';
import { createIntake } from '../../src/store/intake/intake.ts';
import { beginSealing } from '../../src/store/ledger/begin-sealing.ts';
import { ledgerKeys } from '../../src/store/ledger/ledger-keys.ts';
import { createLedgerVerifier } from '../../src/store/ledger/ledger-verify.ts';
import { openStore } from '../../src/store/store.ts';
import { newGoal, request, WORKSPACE } from '../store/record-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { memoryFolder } from '../support/memory-folder.ts';
import { testWith } from '../support/needs.ts';

/** A PostgreSQL of one's own, with the programs that the embedded one lacks. */
const DEBIAN = '/usr/lib/postgresql';
const newest = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .filter((name) => existsSync(join(DEBIAN, name, 'bin', 'pg_basebackup')))
  .sort((one, other) => Number(one) - Number(other))
  .at(-1);
const bin = (name: string): string => join(DEBIAN, newest ?? '', 'bin', name);

const user = serviceUser();
const as = { cwd: '/', ...user };
let root: string;
const servers: (() => Promise<void>)[] = [];
beforeAll(() => {
  root = memoryFolder('goalkeeper-pitr-');
  chmodSync(root, 0o755);
  if (user) chownSync(root, user.uid, user.gid);
});
afterAll(async () => {
  for (const stop of servers.splice(0)) await stop();
  rmSync(root, { recursive: true, force: true });
});

async function serve(data: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort(0);
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(bin('postgres'), ['-D', data, ...args], { ...as, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  servers.push(stop);
  const url = `postgresql://keeper@127.0.0.1:${port}/postgres`;
  await eventually(async () => {
    const rows = await withConnection(url, (sql) => sql`SELECT pg_is_in_recovery() AS is`);
    if (rows[0]?.is !== false) throw new Error('it recovers');
  });
  return { url, stop };
}

testWith({ what: 'no PostgreSQL of the system', isThere: newest !== undefined })(
  'KEEP-25 a PostgreSQL of one’s own is put back to a moment, by a base backup and the archive of its log',
  async () => {
    const [data, archive, base] = ['data', 'archive', 'base'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    execFileSync(bin('initdb'), ['-D', data, '-U', 'keeper', '-A', 'trust', '-E', 'UTF8'], as);
    mkdirSync(archive);
    if (user) chownSync(archive, user.uid, user.gid);
    appendFileSync(
      join(data, 'postgresql.conf'),
      `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
    );
    const keys = ledgerKeys(['a key that nobody guesses']);
    const first = await serve(data);
    await migrate(first.url);
    const store = openStore(first.url);
    await beginSealing(store.sql, keys);
    const intake = createIntake(store, { ledgerKeys: keys });
    await intake.registerWorkspace({
      ...{ name: WORKSPACE, path: '/tree', host: 'here', marker: 'marker' },
    });
    const begin = async (): Promise<string> => {
      const goal = newGoal();
      const slot = { expectedGoalId: undefined, replace: false, sight: wholeSight };
      await intake.startGoal(request(), goal, slot);
      return goal.goalId;
    };
    const before = await begin();
    execFileSync(bin('pg_basebackup'), ['-D', base, '-d', first.url, '-c', 'fast'], as);
    const kept = await begin();
    const [moment] = await store.sql<[{ at: string }]>`SELECT clock_timestamp()::text AS at`;
    const lost = await begin();
    await store.sql`SELECT pg_switch_wal()`;
    await store.close();
    await first.stop();

    appendFileSync(
      join(base, 'postgresql.conf'),
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment.at}'\n` +
        "recovery_target_action = 'promote'\n",
    );
    writeFileSync(join(base, 'recovery.signal'), '');
    if (user) chownSync(join(base, 'recovery.signal'), user.uid, user.gid);
    const second = await serve(base);
    expect(await migrate(second.url)).toEqual([]);
    const restored = openStore(second.url);
    const rows = await restored.sql`SELECT goal_id FROM goal ORDER BY created_at`;
    expect(rows.map(({ goal_id: id }) => id)).toEqual([before, kept]);
    expect(rows.map(({ goal_id: id }) => id)).not.toContain(lost);
    for (const goalId of [before, kept])
      expect(await createLedgerVerifier(restored.sql, keys).whole(goalId)).toMatchObject({
        holds: true,
      });
    await restored.close();
  },
);
