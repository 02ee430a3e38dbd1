import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/stack/ports.ts';
import { serviceUser } from '../../src/stack/service-user.ts';
import type { Need } from './needs.ts';
import { freshDatabase } from './servers.ts';

export const PGBOUNCER: Need = {
  what: 'no pgbouncer',
  isThere: spawnSync('pgbouncer', ['--version']).status === 0,
};

export interface Pooler {
  /** The same database through it. */
  readonly way: (url: string) => string;
  stop(): Promise<void>;
}

/** The lines of docs/operations.md for PgBouncer, as somebody pastes them. */
async function documented(): Promise<string> {
  const text = await readFile('docs/operations.md', 'utf8');
  const [, lines] = /```ini\n; pgbouncer\.ini\n([^`]+)```/.exec(text) ?? [];
  if (lines === undefined) throw new Error('docs/operations.md has no lines for pgbouncer.ini');
  return lines;
}

/** A PgBouncer before the run's PostgreSQL, for the service's users. */
export async function startPooler(settings: readonly string[] = []): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'goalkeeper-pooler-'));
  const database = await freshDatabase();
  await database.drop();
  const [writer, reader] = [new URL(database.url), new URL(database.readerUrl)];
  const port = await freePort(0);
  const users = [writer, reader].map(
    ({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`,
  );
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), users.join(''));
  writeFileSync(
    file,
    [
      ...['[databases]', `* = host=127.0.0.1 port=${writer.port}`, '[pgbouncer]'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
      ...['auth_type = scram-sha-256', `auth_file = ${join(folder, 'users.txt')}`],
      ...['max_client_conn = 500', await documented(), ...settings, ''],
    ].join('\n'),
  );
  // It refuses to run as root.
  const user = serviceUser();
  if (user)
    for (const at of [folder, join(folder, 'users.txt'), file]) chownSync(at, user.uid, user.gid);
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (piece) => {
      said += piece;
      if (said.includes('process up')) resolve();
    });
    ended.then(() => reject(new Error(said)), reject);
  });
  return {
    way(url) {
      const through = new URL(url);
      through.port = String(port);
      return through.href;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
