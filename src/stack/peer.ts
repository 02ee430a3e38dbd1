import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { endianness } from 'node:os';
import type { LocalProcess } from '../contract/process-identity.ts';
import { isRunning, listProcesses } from '../process/process-identity.ts';

/** One end of a connection by IPv4. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface Connection {
  readonly client: Endpoint;
  readonly server: Endpoint;
}

/** The kernel's record of the socket at the client's end. */
export interface ClientSocket {
  readonly inode: string;
  readonly uid: number;
}

/**
 * Admits a connection only when one of these processes holds the client's end at this moment. What
 * the kernel doesn't list, or lists without an owner (closed by now), is nobody's.
 */
export function isAdmitted(
  client: ClientSocket | null,
  socketsOfOwn: readonly ReadonlySet<string>[],
): boolean {
  if (client === null || client.inode === '0') return false;
  return socketsOfOwn.some((sockets) => sockets.has(client.inode));
}

/** @param table as /proc/net/tcp has it: proc_pid_net(5) */
export function clientSocketIn(table: string, { client, server }: Connection): ClientSocket | null {
  const ends = `${hexOf(client)} ${hexOf(server)}`;
  for (const line of table.split('\n')) {
    const [, local, remote, , , , , uid, , inode] = line.trim().split(/\s+/);
    if (`${local} ${remote}` === ends && uid !== undefined && inode !== undefined)
      return { uid: Number(uid), inode };
  }
  return null;
}

/** The kernel prints the address as a number in its own order of bytes. */
function hexOf({ address, port }: Endpoint): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  const ordered = endianness() === 'LE' ? bytes.reverse() : bytes;
  return `${ordered.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

export const clientSocketOf = (connection: Connection): ClientSocket | null =>
  clientSocketIn(readFileSync('/proc/net/tcp', 'utf8'), connection);

/** Of a process that is gone, or whose number another one has by now: none. */
export function socketsOf(process: LocalProcess): ReadonlySet<string> {
  const sockets = socketsOfPid(process.pid);
  return isRunning(process) ? sockets : new Set();
}

function socketsOfPid(pid: number): Set<string> {
  const sockets = new Set<string>();
  for (const name of namesIn(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${name}`))?.[1];
    if (inode !== undefined) sockets.add(inode);
  }
  return sockets;
}

/** The client in words for people, as far as this user may look: its number, program and user. */
export function describeClient(client: ClientSocket | null): string {
  if (client === null || client.inode === '0') return 'a process that is gone or hides its end';
  const holder = listProcesses().find(({ pid }) => socketsOfPid(pid).has(client.inode));
  const user = `uid ${client.uid}`;
  return holder ? `pid ${holder.pid} (${programOf(holder.pid)}, ${user})` : `a process of ${user}`;
}

/** Any process chooses its name, also with what a terminal obeys. */
function programOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
      .trim()
      .replaceAll(/[^\x20-\x7e]/g, '?');
  } catch {
    return 'gone by now';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
