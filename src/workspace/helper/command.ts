import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandLimits } from '../../../schema/command-limits.ts';
import type { CommandRun } from '../../contract/effects.ts';
import { listProcesses } from '../../process/process-identity.ts';
import {
  type CommandGroup,
  type GroupOrder,
  openCommandGroup,
} from '../../sandbox/groups/command-group.ts';
import { hostProgram } from '../../sandbox/program-path.ts';
import { FILTER_DESCRIPTOR } from '../../sandbox/seccomp.ts';
import { Capture } from './capture.ts';
import { LiveTail, type Piece } from './live-tail.ts';
import type { CommandOrder, Ran } from './protocol.ts';
import { SANDBOX_UNMADE, type WatchedBox, watchBox } from './watch-box.ts';
import { watchLimits } from './watch-limits.ts';

/** A command that prints more than this is ended; all before it is kept. */
export const ABSURD_OUTPUT_BYTES = 64 * 1024 * 1024;
const GRACE_MS = 500;
/** How long to wait for the rest of the output when a background process holds the pipe open. */
const DRAIN_MS = 100;
const STREAM_EVERY_MS = 100;

/** When memory runs out, the machine ends what runs here before it ends the service. */
const EXPENDABLE = 'echo 900 2>/dev/null > /proc/self/oom_score_adj; exec "$@"';
/** "0" is whoever writes it. What doesn't get into its group doesn't start. */
const NOT_ENTERED = 125;
const ENTER = `echo 0 > "$0/cgroup.procs" || exit ${NOT_ENTERED}; ${EXPENDABLE}`;

/** bash alone keeps both streams in one pipe, in order, without a change to the command's text. */
const LAUNCH = [
  'exec 2>/dev/null',
  // Commands must not inherit descriptors that the service's parent left open.
  `for fd in /proc/self/fd/*; do n=\${fd##*/}; [ "$n" -gt 2 ] && eval "exec $n>&-"; done`,
  'ulimit -c 0; ulimit -n "$2"; ulimit -f "$3"; [ "$4" = 0 ] || ulimit -u "$4"',
  // Between the soft and the hard limit a process can still report why it ends.
  'ulimit -H -t "$6"; ulimit -S -t "$5"',
  'exec bash -o pipefail -c "$1" 2>&1',
].join('\n');
const CPU_GRACE_SECONDS = 5;
/** Descriptor on which bwrap says how the command ended. */
const STATUS_DESCRIPTOR = 3;

type Ended = CommandRun['ended'];

export interface RunningCommand {
  readonly result: Promise<Ran>;
  cancel(): void;
}

export function startCommand(
  order: CommandOrder,
  env: Readonly<Record<string, string>>,
  onOutput: (piece: Piece) => void,
): RunningCommand {
  const begun = performance.now();
  const { limits } = order;
  const folders = [order.cwd, ...(order.writes ?? [])];
  const group = order.group && limits ? groupOf(order.group, limits) : null;
  const [file, args] = launch(order, group);
  const child = spawn(file, args, {
    cwd: order.cwd,
    env: { ...env, ...order.env },
    // A session of its own, so that a limit can end all of it without the helper.
    detached: true,
    // Who it becomes may not enter a group.
    ...(order.user && group === null && { uid: order.user.uid, gid: order.user.gid }),
    stdio: order.launcher
      ? ['ignore', 'pipe', 'pipe', 'pipe', 'pipe']
      : ['ignore', 'pipe', group === null ? 'ignore' : 'pipe'],
  });
  giveFilter(child.stdio[FILTER_DESCRIPTOR], order.filter);
  const box = order.launcher ? watchBox(child, STATUS_DESCRIPTOR) : null;
  const outside = box === null && group !== null ? watchEntry(child) : null;
  let ended: Ended = 'exited';
  let stopping: Promise<void> | null = null;
  const stop = (why: Ended) => {
    if (stopping !== null || child.exitCode !== null || child.signalCode !== null) return;
    ended = why;
    stopping = endGroup(child, box).finally(() => group?.kill());
  };
  const capture = new Capture(order.maxOutputBytes);
  const stream = order.isStreamed ? throttled(onOutput) : null;
  child.stdout?.on('data', (chunk: Buffer) => {
    capture.add(chunk);
    stream?.add(chunk);
    if (!order.printsFreely && capture.total > ABSURD_OUTPUT_BYTES) stop('output_limit');
  });
  const timer = setTimeout(() => stop('timeout'), order.timeoutMs);
  const isBoxed = box !== null;
  const watch = limits && watchLimits(child, { folders, limits, isBoxed, group }, stop);
  const result = exitOf(child).then(async (exit): Promise<Ran> => {
    clearTimeout(timer);
    watch?.end();
    await stopping;
    await box?.gone();
    // What the kernel ended may be over before anybody looked.
    if (ended === 'exited') ended = group?.excess() ?? ended;
    await group?.end();
    await drained(child);
    const problem = ended === 'exited' ? await (box ?? outside)?.problem(exit) : null;
    if (problem) throw new Error(problem);
    const output = Uint8Array.from(capture.bytes());
    stream?.flush();
    // Further output of background processes is read and dropped, so that they don't block.
    child.stdout?.removeAllListeners('data').resume();
    return { ...exit, ended, output, durationMs: Math.round(performance.now() - begun) };
  });
  return { result: result.finally(() => group?.end()), cancel: () => stop('cancelled') };
}

function groupOf(order: GroupOrder, limits: CommandLimits): CommandGroup {
  try {
    return openCommandGroup(order, limits);
  } catch (error) {
    throw new Error(`${SANDBOX_UNMADE}: no control group (${(error as Error).message})`);
  }
}

function launch(
  { command, cwd, cwdInside = cwd, launcher, entry = [], limits, user, group: asked }: CommandOrder,
  group: CommandGroup | null,
): [string, string[]] {
  const isCounted = asked?.controllers.includes('pids') === true;
  // This limit counts all processes of a user, and only in a sandbox is that the command alone.
  const tasks = launcher === undefined || isCounted ? 0 : (limits?.tasks ?? 0);
  const values = [
    limits?.openFiles ?? 'unlimited',
    limits === undefined ? 'unlimited' : limits.fileMb * 1024,
    tasks,
    limits?.cpuSeconds ?? 'unlimited',
    limits === undefined ? 'unlimited' : limits.cpuSeconds + CPU_GRACE_SECONDS,
  ].map(String);
  const shell = ['bash', '-c', LAUNCH, 'bash', command, ...values];
  const status = ['--json-status-fd', String(STATUS_DESCRIPTOR), '--chdir', cwdInside];
  const begun = [...entry, ...shell];
  const boxed = launcher === undefined ? begun : [...launcher, ...status, '--', ...begun];
  if (group === null) return [hostProgram('bash'), ['-c', EXPENDABLE, 'bash', ...boxed]];
  return [
    hostProgram('bash'),
    ['-c', ENTER, group.folder, ...(user ? becoming(user) : []), ...boxed],
  ];
}

const becoming = ({ uid, gid }: NonNullable<CommandOrder['user']>): string[] => [
  ...[hostProgram('setpriv'), '--reuid', String(uid), '--regid', String(gid)],
  ...['--clear-groups', '--'],
];

/** Without a sandbox: nothing but what stands before the command writes to its errors. */
function watchEntry(child: ChildProcess): Pick<WatchedBox, 'problem'> {
  const said = child.stderr ? text(child.stderr).catch(() => '') : Promise.resolve('');
  return {
    async problem({ exitCode }) {
      if (exitCode !== NOT_ENTERED) return null;
      const why = (await said).trim().slice(0, 500);
      return why === '' ? null : `${SANDBOX_UNMADE}: ${why}`;
    },
  };
}

function giveFilter(
  descriptor: ChildProcess['stdio'][number] | undefined,
  filter: Uint8Array | undefined,
): void {
  if (!descriptor || !('end' in descriptor)) return;
  descriptor.on('error', () => {});
  descriptor.end(filter);
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

async function drained(child: ChildProcess): Promise<void> {
  const { stdout } = child;
  if (stdout === null || stdout.closed) return;
  const timer = new AbortController();
  const closed = new Promise<void>((resolve) => stdout.once('close', () => resolve()));
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { signal: timer.signal })]);
  timer.abort();
}

/** TERM, then KILL; returns when no process of the group is left, or none that can be ended. */
async function endGroup(child: ChildProcess, box: WatchedBox | null): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  if (box === null) signalGroup(group, 'SIGTERM');
  else box.terminate();
  await groupGone(group, GRACE_MS);
  signalGroup(group, 'SIGKILL');
  await groupGone(group, 4 * GRACE_MS);
}

async function groupGone(group: number, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (hasLiving(group) && performance.now() < deadline) await sleep(10);
}

/** The kernel also counts the dead that nobody has reaped; they don't hold a command open. */
function hasLiving(group: number): boolean {
  return isThere(group) && listProcesses().some((entry) => entry.group === group);
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The whole group has ended already.
  }
}

function throttled(send: (piece: Piece) => void): { add(chunk: Buffer): void; flush(): void } {
  const tail = new LiveTail();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const piece = tail.take();
    if (piece !== null) send(piece);
  };
  const add = (chunk: Buffer) => {
    tail.add(chunk);
    timer ??= setTimeout(flush, STREAM_EVERY_MS);
  };
  return { add, flush };
}
