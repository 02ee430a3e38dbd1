import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

export interface Command {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** Takes all that it says. */
  readonly log: string;
}

export const begin = ({ argv, environment, cwd, user, log }: Command): ChildProcess => {
  const [file = '', ...args] = argv;
  const out = openSync(log, 'a');
  return spawn(file, args, {
    cwd,
    env: environment,
    // Of its own, so that Ctrl-C reaches this script alone, which ends all in order.
    detached: true,
    stdio: ['ignore', out, out],
    ...user,
  });
};

export const isOver = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

export async function finished(child: ChildProcess): Promise<number> {
  if (!isOver(child)) await once(child, 'exit');
  return child.exitCode ?? 128;
}

/** SIGTERM, and SIGKILL after the grace (at once without one), as Compose ends a container. */
export async function end(child: ChildProcess, graceMs: number, isInHost = false): Promise<void> {
  if (isOver(child)) return;
  const gone = once(child, 'exit');
  // A host ends with its first process; the one that began it waits for that.
  const told = (isInHost ? firstProcess(child) : null) ?? child.pid ?? 0;
  process.kill(told, graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
  const late = () => isOver(child) || process.kill(told, 'SIGKILL');
  const timer = graceMs > 0 ? setTimeout(late, graceMs) : undefined;
  await gone;
  clearTimeout(timer);
}

/** Of a host, whose end ends all others there; `child` waits for it. */
export function firstProcess({ pid }: ChildProcess): number | null {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return first ? Number(first) : null;
}
