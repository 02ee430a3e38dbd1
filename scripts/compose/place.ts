import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/stack/ports.ts';
import type { ComposeFile, Service } from './file.ts';

/** The ports that services have in their containers; a worker's second health port is behind the first. */
const PORTS = [5432, 7233, 7420, 7430] as const;

/** Where a container's paths, ports and host names lie on this machine. */
export interface Place {
  readonly root: string;
  port(inside: (typeof PORTS)[number]): number;
  /** A path of a container. */
  path(inside: string): string;
  /** A word of a command, with ports, paths and addresses of here. */
  text(inside: string): string;
  /** The value of a setting, which may be a host's name alone. */
  setting(name: string, inside: string): string;
}

export const PERSON = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : null;

export async function placeOf(file: ComposeFile, root: string): Promise<Place> {
  const ports = new Map<number, number>();
  for (const port of PORTS) ports.set(port, await freePort(0));
  const health = await twoFree();
  ports.set(7430, health).set(7431, health + 1);
  const targets = [...new Set(Object.values(file.services).flatMap(targetsOf))];
  const names = Object.keys(file.services).join('|');
  const path = (inside: string) => join(root, inside);
  const text = (inside: string) =>
    targets
      .reduce(moveTo(root), inside)
      .replace(new RegExp(`(?<=@|^)(${names})(?=:\\d)`, 'g'), '127.0.0.1')
      .replace(/(?<![\w.])(5432|7233|7420|7430|7431)(?!\w)/g, (port) =>
        String(ports.get(Number(port)) ?? port),
      );
  return {
    root,
    path,
    port: (inside) => ports.get(inside) ?? inside,
    text,
    setting: (name, inside) =>
      /_(HOST|SEEDS)$/.test(name) && Object.hasOwn(file.services, inside)
        ? '127.0.0.1'
        : text(inside),
  };
}

const moveTo =
  (root: string) =>
  (text: string, target: string): string =>
    text.replaceAll(new RegExp(`(?<![\\w/])${target}(?![\\w])`, 'g'), join(root, target));

async function twoFree(): Promise<number> {
  for (;;) {
    const port = await freePort(0);
    if ((await freePort(port + 1)) === port + 1) return port;
  }
}

const targetsOf = ({ volumes = [], configs = [] }: Service): string[] => [
  ...volumes.map((volume) => volume.split(':')[1] ?? ''),
  ...configs.map(({ target }) => target),
];

/** Makes the folders of volumes and the files of configs. */
export function furnish(file: ComposeFile, place: Place): void {
  for (const { volumes = [], configs = [], user } of Object.values(file.services)) {
    for (const volume of volumes) makeFolder(place.path(volume.split(':')[1] ?? ''), user);
    for (const { source, target } of configs) {
      mkdirSync(dirname(place.path(target)), { recursive: true });
      writeFileSync(place.path(target), file.configs[source]?.content ?? '');
    }
  }
}

export function makeFolder(path: string, user: string | undefined): void {
  mkdirSync(path, { recursive: true });
  if (user !== undefined && PERSON !== null) chownSync(path, PERSON.uid, PERSON.gid);
  chmodSync(path, 0o755);
}
