import { type ChildProcess, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import postgres from 'postgres';
import { freePort } from '../../src/stack/ports.ts';
import type { ComposeFile } from './file.ts';
import { ownerOfPostgres } from './image.ts';
import type { Place } from './place.ts';
import { begin, end, isOver } from './process.ts';

/** A replica of the compose file's PostgreSQL, as whoever runs one for a year has it. */
export interface Replica {
  /** The same file, whose parts know of the replica. */
  readonly file: ComposeFile;
  /** Copies the primary, and makes each commit wait for the replica. */
  start(password: string): Promise<void>;
  /** The primary dies, and the replica takes its place. */
  failOver(primary: ChildProcess): Promise<void>;
  stop(): Promise<void>;
}

/** Goalkeeper's URLs name both hosts. Temporal knows one address, which moves as a virtual one does. */
export async function replicaOf(
  file: ComposeFile,
  place: Place,
  programs: string,
): Promise<Replica> {
  const port = await freePort(0);
  const address = await movingAddress(place.port(5432));
  const user = ownerOfPostgres();
  const folder = join(place.root, 'replica');
  let child: ChildProcess | null = null;
  const asAdmin = async (
    at: number,
    password: string,
    work: (sql: postgres.Sql) => Promise<unknown>,
  ) => {
    const sql = postgres({ host: '127.0.0.1', port: at, user: 'postgres', password, max: 1 });
    await work(sql).finally(() => sql.end());
  };
  let secret = '';
  return {
    file: { ...file, services: withBoth(file.services, port, address.port) },
    async start(password) {
      secret = password;
      const primary = place.port(5432);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (user !== null) chownSync(folder, user.uid, user.gid);
      const copy = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres', '-D', folder];
      execFileSync(join(programs, 'pg_basebackup'), [...copy, '-R', '-X', 'stream', '-c', 'fast'], {
        ...{ cwd: '/', stdio: 'pipe', ...user },
        env: { ...process.env, PGPASSWORD: password },
      });
      const settings = [
        'listen_addresses=*',
        `unix_socket_directories=${folder}`,
        'max_connections=300',
      ].flatMap((setting) => ['-c', setting]);
      child = begin({
        argv: [join(programs, 'postgres'), '-D', folder, '-p', String(port), ...settings],
        ...{ environment: { LANG: 'C.UTF-8' }, cwd: '/', user },
        log: join(place.root, 'logs', 'replica.log'),
      });
      await asAdmin(primary, password, async (sql) => {
        for (;;) {
          if (child !== null && isOver(child))
            throw new Error(`the replica ended with ${child.exitCode}: see logs/replica.log`);
          const streams = await sql`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`;
          if (streams.count > 0) break;
          await sql`SELECT pg_sleep(0.1)`;
        }
        await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
        await sql`SELECT pg_reload_conf()`;
      });
    },
    async failOver(primary) {
      await end(primary, 0);
      address.moveTo(null);
      await asAdmin(port, secret, async (sql) => {
        // It would wait for a replica of its own.
        await sql`SELECT pg_promote()`;
        await sql.unsafe('ALTER SYSTEM RESET synchronous_standby_names');
        await sql`SELECT pg_reload_conf()`;
      });
      address.moveTo(port);
    },
    async stop() {
      if (child !== null) await end(child, 10_000);
      address.close();
    },
  };
}

function withBoth(
  services: ComposeFile['services'],
  replica: number,
  moving: number,
): ComposeFile['services'] {
  const told = (name: string, value: string): string => {
    if (name === 'DB_PORT') return String(moving);
    if (!name.endsWith('DATABASE_URL')) return value;
    const hosts = value.replace('@postgres:5432/', `@postgres:5432,127.0.0.1:${replica}/`);
    return `${hosts}?target_session_attrs=read-write`;
  };
  return Object.fromEntries(
    Object.entries(services).map(([name, { environment = {}, ...service }]) => [
      name,
      {
        ...service,
        environment: Object.fromEntries(
          Object.entries(environment).map(([key, value]) => [key, told(key, String(value))]),
        ),
      },
    ]),
  );
}

interface MovingAddress {
  readonly port: number;
  /** Ends all connections; null: nobody is there. */
  moveTo(port: number | null): void;
  close(): void;
}

async function movingAddress(first: number): Promise<MovingAddress> {
  const port = await freePort(0);
  const open = new Set<Socket>();
  let target: number | null = first;
  const server = createServer((incoming) => {
    if (target === null) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
      socket.on('error', () => {});
    }
    incoming.pipe(outgoing).pipe(incoming);
  }).listen(port, '127.0.0.1');
  const endAll = () => open.forEach((socket) => void socket.destroy());
  return {
    port,
    moveTo(next) {
      target = next;
      endAll();
    },
    close() {
      server.close();
      endAll();
    },
  };
}
