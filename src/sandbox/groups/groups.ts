import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownGroup } from './own-group.ts';

/** What the kernel limits of a group; the space of a disk is none of it. */
export type Controller = 'memory' | 'pids';

/** Where each command gets a control group of its own. */
export interface Groups {
  /** Of all commands; only groups of one command each are in it. */
  readonly folder: string;
  readonly controllers: readonly Controller[];
}

/** Both memory and processes of commands. */
export const isHeldByKernel = (groups: Groups | null): boolean =>
  groups?.controllers.length === CONTROLLERS.length;

/** What there is, or why commands get no groups, in words for people. */
export type GroupsHere = Groups | { readonly why: string };

/** The service's own processes have to leave the group whose subgroups get limits. */
const SERVICE = 'goalkeeper-service';
const COMMANDS = 'goalkeeper-commands';
const CONTROLLERS: readonly Controller[] = ['memory', 'pids'];
const MOST_ROUNDS = 20;

/** Files of the kernel that say where this process stands; tests give others. */
export interface GroupFiles {
  readonly groups: string;
  readonly mounts: string;
}

const KERNEL: GroupFiles = { groups: '/proc/self/cgroup', mounts: '/proc/self/mountinfo' };

/** What this process could divide. */
interface Divisible {
  /** Of the service with its commands. */
  readonly top: string;
  readonly controllers: readonly Controller[];
  /** The root of all groups, which may hold processes beside its subgroups. */
  readonly isMachines: boolean;
}

/**
 * Makes the group of the commands, where the kernel and whoever started this process allow it. The
 * group of this process has to be its own: nobody else is in it, or it is the top of a container.
 * It moves its own processes into a leaf first. Call it before anything else is started: a process
 * that is started inherits the leaf.
 */
export function openGroups(files: GroupFiles = KERNEL): GroupsHere {
  try {
    const found = lookAtGroups(files);
    return 'why' in found ? found : divide(found);
  } catch (error) {
    return { why: `its control group can't be divided (${(error as Error).message})` };
  }
}

/** Changes nothing. */
export function lookAtGroups(files: GroupFiles = KERNEL): Divisible | { readonly why: string } {
  const own = ownGroup(read(files.groups), read(files.mounts));
  if (own === null) return { why: 'this machine shows no control groups of version 2' };
  const isMoved = basename(own.folder) === SERVICE;
  const top = isMoved ? dirname(own.folder) : own.folder;
  const offered = words(join(top, 'cgroup.controllers'));
  const controllers = CONTROLLERS.filter((name) => offered.includes(name));
  if (controllers.length === 0) return { why: `${top} has neither memory nor pids to limit` };
  const written = [top, join(top, 'cgroup.procs'), join(top, 'cgroup.subtree_control')];
  const closed = written.find((path) => !isWritable(path));
  if (closed !== undefined) return { why: `${closed} can't be written: it is not delegated` };
  // The root of all groups alone has no type.
  const isMachines = !existsSync(join(top, 'cgroup.type'));
  if (isMachines || isMoved || own.isTop) return { top, controllers, isMachines };
  const others = words(join(top, 'cgroup.procs')).filter((pid) => Number(pid) !== process.pid);
  if (others.length === 0) return { top, controllers, isMachines };
  return { why: `other processes are in its control group (${others.slice(0, 5).join(', ')})` };
}

function divide({ top, controllers, isMachines }: Divisible): GroupsHere {
  const folder = join(top, COMMANDS);
  if (!isMachines) empty(top, join(top, SERVICE));
  enable(top, controllers);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'cgroup.kill'))) return { why: 'the kernel is older than 5.14' };
  enable(folder, controllers);
  return { folder, controllers };
}

/** Processes may start others meanwhile, so one round may not be enough. */
function empty(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const pids = words(join(from, 'cgroup.procs'));
    if (pids.length === 0) return;
    for (const pid of pids) move(pid, to);
  }
}

function move(pid: string, to: string): void {
  try {
    writeFileSync(join(to, 'cgroup.procs'), pid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function enable(folder: string, controllers: readonly Controller[]): void {
  const file = join(folder, 'cgroup.subtree_control');
  const enabled = words(file);
  const missing = controllers.filter((name) => !enabled.includes(name));
  if (missing.length > 0) writeFileSync(file, missing.map((name) => `+${name}`).join(' '));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

const words = (path: string): string[] => read(path).split(/\s+/).filter(Boolean);
