import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryPort } from '../../src/stack/ports.ts';
import type { Service } from './file.ts';
import { HOSTS } from './host.ts';
import { PERSON, type Place } from './place.ts';

/** `GOALKEEPER_MAIN` names that of another tree, such as one whose packages are those of the image. */
export const MAIN =
  process.env.GOALKEEPER_MAIN ??
  fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** What an image does by itself, done by local programs. */
export interface Image {
  /** The whole command; `given` is the service's own. */
  argv(given: readonly string[]): Promise<readonly string[]>;
  /** Set by the image, or needed here beside what the service says. */
  environment(): Promise<Readonly<Record<string, string>>>;
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** @throws for an image that has no local program */
export function imageOf({ image, environment = {} }: Service, place: Place): Image {
  const [name] = image.split(':');
  if (name === 'goalkeeper') return goalkeeper(place);
  if (name === 'postgres') return postgres(place, environment);
  if (name === 'temporalio/server') return temporalServer();
  if (name === 'temporalio/admin-tools')
    return { argv: async (given) => given, environment: async () => ({}), user: null };
  throw new Error(`no local program for the image ${image}`);
}

const goalkeeper = (place: Place): Image => ({
  argv: async (given) => ['node', MAIN, ...given],
  environment: async () => ({
    HOME: place.path('/home/node'),
    GOALKEEPER_PORT: String(place.port(7420)),
    // Containers have host names of their own; here all is one host already.
    GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1',
  }),
  user: PERSON,
});

/** The server as its image starts it; each of its four parts listens on a port of its own. */
const temporalServer = (): Image => ({
  argv: async () => ['temporal-server', 'start'],
  environment: async () => {
    const ports: Record<string, string> = { FRONTEND_GRPC_PORT: '7233' };
    for (const part of ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER']) {
      ports[`${part}_MEMBERSHIP_PORT`] = String(await smallPort());
      ports[`${part}_GRPC_PORT`] ??= String(await smallPort());
    }
    ports.FRONTEND_HTTP_PORT = String(await smallPort());
    return { ...ports, BIND_ON_IP: '127.0.0.1', TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1' };
  },
  user: null,
});

/** Temporal keeps its members' ports in a column of 16 bits with a sign. */
async function smallPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await tryPort(port)) !== null) return port;
  }
}

/** Makes the cluster at its first start and runs what lies in docker-entrypoint-initdb.d. */
function postgres(place: Place, environment: Readonly<Record<string, string>>): Image {
  const data = place.path('/var/lib/postgresql/data');
  const user = ownerOfPostgres();
  const here = ['-c', 'listen_addresses=*', '-c', `unix_socket_directories=${data}`];
  return {
    async argv(given) {
      if (!existsSync(join(data, 'PG_VERSION'))) initialise(data, place, environment, user);
      return [...given, '-D', data, '-p', String(place.port(5432)), ...here];
    },
    environment: async () => ({ PGPORT: '5432' }),
    user,
  };
}

/** PostgreSQL refuses to run as root. */
export function ownerOfPostgres(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function initialise(
  data: string,
  place: Place,
  { POSTGRES_PASSWORD = '' }: Readonly<Record<string, string>>,
  user: { uid: number; gid: number } | null,
): void {
  mkdirSync(data, { recursive: true });
  const secret = join(place.root, 'postgres-password');
  const script = join(place.root, 'databases.sql');
  writeFileSync(secret, POSTGRES_PASSWORD, { mode: 0o600 });
  writeFileSync(script, readFileSync(place.path('/docker-entrypoint-initdb.d/databases.sql')));
  if (user !== null) {
    for (const path of [data, secret, script]) chownSync(path, user.uid, user.gid);
  }
  const run = (file: string, args: string[], input?: string) =>
    execFileSync(file, args, { cwd: data, stdio: 'pipe', input, ...user });
  const auth = ['--auth-host=scram-sha-256', '--auth-local=trust'];
  run('initdb', ['-D', data, '-U', 'postgres', `--pwfile=${secret}`, '--encoding=UTF8', ...auth]);
  appendFileSync(join(data, 'pg_hba.conf'), `host all all ${HOSTS} scram-sha-256\n`);
  const single = ['--single', '-D', data, '-j', 'postgres'];
  // The server without any other; each statement ends by a semicolon and an empty line there.
  const statements = readFileSync(script, 'utf8').replaceAll(/;\n/g, ';\n\n');
  run('postgres', single, statements);
}
