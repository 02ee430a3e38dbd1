import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, connect as dial, type Server } from 'node:net';
import { join } from 'node:path';
import { makeFolder, PERSON } from './place.ts';

/** A machine of its own, as far as a process can tell: network, process numbers, name, home, scratch. */
export interface Host {
  readonly name: string;
  /** Where the host reaches what listens on this machine. */
  readonly gateway: string;
  /** The address that this machine sees it by. */
  readonly address: string;
  readonly home: string;
  readonly scratch: string;
  /** The command that runs another one there, as its first process. */
  enter(argv: readonly string[]): readonly string[];
  /** The command that runs another one in its network. */
  beside(argv: readonly string[]): readonly string[];
  /** A port of this machine that listens on its own loopback alone. */
  reach(port: number): Promise<void>;
  /** From now on no packet arrives, and nobody is told: a power cut, a pulled cable. */
  cut(): void;
  join(): void;
  remove(): void;
}

/** Addresses of all of them. */
export const HOSTS = '10.213.0.0/16';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** Two addresses, one at each end of a cable. @param number 1 to 200 */
export function openHost(name: string, number: number, root: string): Host {
  removeLeft();
  const space = `gk-${process.pid}-${number}`;
  const cable = `gk${process.pid}-${number}`;
  const [gateway, address] = [1, 2].map((end) => `10.213.${number}.${end}`) as [string, string];
  const folder = join(root, name);
  const [home, scratch] = ['home', 'tmp'].map((part) => join(folder, part)) as [string, string];
  makeFolder(folder, 'node');
  makeFolder(home, 'node');
  makeFolder(scratch, 'node');
  ip('netns', 'add', space);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  ip('addr', 'add', `${gateway}/30`, 'dev', cable);
  ip('link', 'set', cable, 'up');
  for (const device of ['lo', 'eth0']) ip('-n', space, 'link', 'set', device, 'up');
  ip('-n', space, 'addr', 'add', `${address}/30`, 'dev', 'eth0');
  const servers: Server[] = [];
  const beside = (argv: readonly string[]) => ['ip', 'netns', 'exec', space, ...argv];
  const asPerson =
    PERSON === null
      ? []
      : ['setpriv', `--reuid=${PERSON.uid}`, `--regid=${PERSON.gid}`, '--clear-groups'];
  return {
    ...{ name, gateway, address, home, scratch, beside },
    enter: (argv) =>
      beside([
        ...['unshare', '--uts', '--pid', '--fork', '--mount-proc'],
        ...['sh', '-c', 'hostname "$0"; exec "$@"', name, ...asPerson, ...argv],
      ]),
    async reach(port) {
      const server = createServer((incoming) => {
        const outgoing = dial(port, '127.0.0.1');
        for (const [one, other] of [
          [incoming, outgoing],
          [outgoing, incoming],
        ] as const) {
          one.on('error', () => {}).on('close', () => other.destroy());
          one.pipe(other);
        }
      });
      servers.push(server);
      await new Promise<void>((done) => server.listen(port, gateway, done));
      server.unref();
    },
    cut: () => void ip('link', 'set', cable, 'down'),
    join: () => void ip('link', 'set', cable, 'up'),
    remove() {
      for (const server of servers) server.close();
      // Sockets whose other end never answered keep the network, and with it the cable, for minutes.
      ip('link', 'del', cable);
      ip('netns', 'del', space);
    },
  };
}

/** Of runs that were killed: a second cable with the same address leads nowhere. */
function removeLeft(): void {
  for (const cable of readdirSync('/sys/class/net')) {
    const [, pid] = /^gk(\d+)-\d+$/.exec(cable) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) ip('link', 'del', cable);
  }
}
