import { realpath } from 'node:fs/promises';
import type { Groups } from './groups/groups.ts';
import { closedSettings, type HiddenPlaces, isHidden } from './hidden-places.ts';
import { isWithin, type Mount } from './mounts.ts';
import { socketsInReach } from './sockets.ts';

/** What each sandbox of a worker shows of the machine. */
export interface Machine {
  /** The service's own folder. */
  readonly home: string;
  readonly hidden: HiddenPlaces;
  readonly tools: readonly Mount[];
  /** What listed domains may lead to although it is not public. */
  readonly addresses: readonly string[];
  /** Where each command and server gets a control group of its own; null = nowhere. */
  readonly groups: Groups | null;
}

/** @param own folders that the sandbox shows as they are, with what lies in them */
export async function placesOf(
  { home, hidden, tools }: Machine,
  own: readonly string[],
  isCut: boolean,
): Promise<Mount[]> {
  const isOwn = (path: string) => own.some((folder) => isWithin(folder, path));
  const closed = closedSettings();
  const sockets = socketsInReach().filter((path) => !isHidden(hidden, path) && !isOwn(path));
  return [
    ...[...hidden.folders, ...closed.folders].map((at) => ({ kind: 'hidden' as const, at })),
    ...hidden.kept.map((at) => ({ kind: 'readable' as const, at })),
    ...[...closed.files, ...sockets].map((at) => ({ kind: 'masked' as const, at })),
    ...tools.filter(({ at }) => !isOwn(at) && !isWithin(home, at)),
    ...(isCut ? [] : await nameServers(hidden)),
  ];
}

/** With the machine's network, names are looked up as the machine does. */
async function nameServers(hidden: HiddenPlaces): Promise<Mount[]> {
  const file = await realpath('/etc/resolv.conf').catch(() => null);
  return file !== null && isHidden(hidden, file) ? [{ kind: 'readable', at: file }] : [];
}

/** If the workspace is the person's home itself, programs get another folder as their home. */
export function homeInside({ home }: HiddenPlaces, own: readonly string[]): string {
  return home === null || own.includes(home) ? '/tmp/.home' : home;
}
