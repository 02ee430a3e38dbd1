import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandLimits } from '../../schema/command-limits.ts';
import type { Isolation } from '../../schema/isolation.ts';
import { CommandsRefused } from '../contract/failures.ts';
import { identifyRunning, nameOfProcess } from '../process/process-identity.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { type CommandUser, commandUser, entryOf, handOver, passageMode } from './command-user.ts';
import { cleanFolders } from './goal-folders.ts';
import { endGroup, openCommandGroup } from './groups/command-group.ts';
import type { Groups } from './groups/groups.ts';
import { homeInside, type Machine, placesOf } from './machine.ts';
import { clearTheWay } from './mount-points.ts';
import { isWithin, type Mount, writable } from './mounts.ts';
import { inNamespace } from './namespace.ts';
import type { Protection } from './probe.ts';
import { hostProgram } from './program-path.ts';
import { assertSamePlaces } from './same-places.ts';
import { FILTER_DESCRIPTOR, seccompFilter } from './seccomp.ts';
import { stageOf } from './stage.ts';
import { userList } from './user-list.ts';
import { assertEnterable, whyRefused } from './without.ts';

/** A program that outlives commands and serves goals of several workspaces. */
export interface ServerGround {
  /** Letters, digits and `-`. It has a home folder by this name, kept from start to start. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** It may read it; its own home folder where absent. */
  readonly cwd?: string | undefined;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly network: 'none' | 'host';
}

/** How such a program is started: with a plain spawn, and input and output as it likes. */
export interface BoxedServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  /** Why it may serve no call any more, although it runs; null = it may. Absent: always. */
  readonly whyRefused?: () => Promise<string | null>;
}

export class ServerFolderRefused extends Error {
  constructor(folder: string) {
    super(`${folder} holds the service's own folder, or is part of it: no server gets to see it`);
    this.name = 'ServerFolderRefused';
  }
}

/**
 * The same box as a command's, around a program that has no workspace of its own: it sees the
 * folders that its settings name. Nobody tidies up after it, so it writes to no repository.
 * @throws CommandsRefused, ServerFolderRefused
 */
export async function boxServer(
  machine: Machine,
  { bwrap, hasOwnNetwork, isolation }: Protection,
  limits: CommandLimits,
  ground: ServerGround,
): Promise<BoxedServer> {
  const folder = join(machine.home, 'mcp', ground.name);
  // Without a box its user gets to its home through them.
  await mkdir(folder, { recursive: true, mode: passageMode() });
  const own = await cleanFolders(folder);
  const real = (paths: readonly string[]) => Promise.all(paths.map((path) => realpath(path)));
  const [writes, reads] = [await real(ground.writes), await real(ground.reads)];
  const [cwd] = await real(ground.cwd === undefined ? [] : [ground.cwd]);
  const shown = [...writes, ...(cwd === undefined ? [] : [cwd]), ...reads];
  assertApart(machine.home, shown);
  const user = await commandUser(writes[0] ?? cwd ?? own.home);
  await handOver(user, [own.home, own.temporary]);
  const group = machine.groups === null ? null : await serverGroup(machine.groups, ground, limits);
  if (bwrap === null) {
    const plain = await withoutBox(user, own.home, ground, cwd ?? own.home, limits);
    return { ...plain, ...entering(group, [plain.command, ...plain.args]) };
  }
  const home = homeInside(machine.hidden, shown);
  const isCut = hasOwnNetwork && ground.network === 'none';
  // Commands of goals may write around these.
  const named: Mount[] = [
    ...shown.map((at) => ({ kind: 'readable' as const, at })),
    ...writes.map((at) => writable(at)),
    ...(await repositoriesOf(writes)),
  ];
  const mounts: Mount[] = [
    ...(await placesOf(machine, shown, isCut)),
    ...machine.hidden.temporary.map((at) => writable(at, own.temporary)),
    writable(home, own.home),
    ...(await userList(machine.home, user, home)),
    ...named,
  ];
  await clearTheWay(mounts);
  const filter = join(folder, 'calls');
  await writeFile(filter, seccompFilter(false) ?? '', { mode: 0o600 });
  const inside = [
    ...assertSamePlaces(named),
    ...entryOf(user),
    ...limited(ground, limits, limits.tasks),
  ];
  const stage = stageOf(mounts, named);
  const isGrouped = group !== null;
  const box = { mounts: stage.mounts, hasOwnNetwork: isCut, user, isGrouped };
  const boxed = [
    ...stage.launcher,
    bwrap,
    ...bwrapArguments(box),
    '--chdir',
    cwd ?? home,
    '--',
    ...inside,
  ];
  const use = { isForSandboxes: true, info: null };
  return {
    ...entering(group, [
      ...[hostProgram('bash'), '-c', WITH_FILTER, 'bash', filter],
      ...inNamespace(boxed, use),
    ]),
    cwd: '/',
    env: { HOME: home, TMPDIR: '/tmp' },
    isolation: isolation === 'full' && isCut ? 'full' : 'partial',
  };
}

/** One for each server of this worker; what an earlier start of it left is ended. */
async function serverGroup(
  { folder, controllers }: Groups,
  { name }: ServerGround,
  limits: CommandLimits,
): Promise<string> {
  const own = join(folder, `${nameOfProcess(identifyRunning(process.pid))}-mcp-${name}`);
  await endGroup(own);
  return openCommandGroup({ folder: own, controllers }, limits).folder;
}

const ENTER = 'echo 0 > "$0/cgroup.procs" || exit 125; exec "$@"';

function entering(group: string | null, [file = '', ...args]: readonly string[]) {
  if (group === null) return { command: file, args };
  return { command: hostProgram('bash'), args: ['-c', ENTER, group, file, ...args] };
}

async function withoutBox(
  user: CommandUser,
  home: string,
  ground: ServerGround,
  cwd: string,
  limits: CommandLimits,
): Promise<BoxedServer> {
  if (user.kind === 'rightless') throw new CommandsRefused(whyRefused(ground.cwd ?? home));
  if (user.kind === 'owner') await Promise.all([home, cwd].map((at) => assertEnterable(at, user)));
  const own = entryOf(user).flatMap((part) => (part === '--' ? ['--no-new-privs', part] : [part]));
  const [command = 'bash', ...args] = [...own, ...limited(ground, limits, 0)];
  return { command, args, cwd, env: { HOME: home, TMPDIR: '/tmp' }, isolation: 'none' };
}

async function repositoriesOf(folders: readonly string[]): Promise<Mount[]> {
  const inner = folders.map((folder) => join(folder, '.git'));
  const there = await Promise.all(inner.map((at) => lstat(at).catch(() => null)));
  return inner
    .filter((_, index) => there[index]?.isSymbolicLink() === false)
    .map((at) => ({ kind: 'readable', at }));
}

function assertApart(serviceHome: string, shown: readonly string[]): void {
  const touching = shown.find((at) => isWithin(at, serviceHome) || isWithin(serviceHome, at));
  if (touching !== undefined) throw new ServerFolderRefused(touching);
}

/** bwrap reads the filter of calls there; when memory runs out, the machine ends this first. */
const WITH_FILTER = `exec ${FILTER_DESCRIPTOR}<"$1"; shift; echo 900 2>/dev/null > /proc/self/oom_score_adj; exec "$@"`;

/** Descriptors that the service's parent left open are closed; processor time has no limit. */
const LIMITED = [
  `for fd in /proc/self/fd/*; do n=\${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-" 2>/dev/null; done`,
  'ulimit -c 0; ulimit -n "$1"; ulimit -f "$2"; [ "$3" = 0 ] || ulimit -u "$3"; shift 3',
  'exec "$@"',
].join('\n');

const limited = ({ command, args }: ServerGround, limits: CommandLimits, tasks: number) => [
  ...['bash', '-c', LIMITED, 'bash', String(limits.openFiles), String(limits.fileMb * 1024)],
  ...[String(tasks), command, ...args],
];
