import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ProcessIdentity } from '../../contract/process-identity.ts';
import { identify } from '../../process/process-identity.ts';
import { firstInside, hasNamespaces, inNamespace } from '../../sandbox/namespace.ts';
import { scrubEnvironment } from './environment.ts';
import { EffectsLost } from './errors.ts';

export interface LaunchedHelper {
  readonly channel: ChildProcess;
  /** The process to end, so that the helper and all that it started end. */
  readonly identity: ProcessIdentity;
}

export interface LaunchOptions {
  readonly host: string;
  readonly canHaveNumbers?: () => Promise<boolean>;
  readonly isForSandboxes?: boolean;
}

/**
 * Starts the helper with process numbers of its own, or else as a mere session.
 *
 * @throws EffectsLost
 */
export async function launchHelper({
  host,
  canHaveNumbers = hasNamespaces,
  isForSandboxes = false,
}: LaunchOptions): Promise<LaunchedHelper> {
  const isInside = await canHaveNumbers();
  const command = commandOf('helper');
  const [file = '', ...args] = isInside ? inNamespace(command, { isForSandboxes }) : command;
  const channel = spawn(file, args, {
    // A session of its own, so that takeover finds all of it and no terminal's signal does.
    detached: true,
    stdio: [...CHANNEL, ...(isInside ? ['pipe' as const] : [])],
    serialization: 'advanced',
    env: scrubEnvironment(process.env),
  });
  // A failed start shows as a missing PID; without a listener the event would end the worker.
  channel.on('error', () => {});
  const pid = isInside ? await firstInside(channel) : channel.pid;
  const identity = pid === undefined ? null : identified(pid, host);
  if (identity !== null) return { channel, identity: { ...identity, isInit: isInside } };
  channel.kill('SIGKILL');
  throw new EffectsLost('the helper did not start');
}

const CHANNEL = ['ignore', 'ignore', 'ignore', 'ipc'] satisfies StdioOptions;

function identified(pid: number, host: string): ProcessIdentity | null {
  const identity = identify(pid);
  return identity === null ? null : { host, ...identity };
}

/**
 * How a process of the helper's kind starts. `GOALKEEPER_EFFECTS_HELPER` names a helper that is
 * compiled already, with the others beside it: tests and development.
 */
export function commandOf(name: 'helper' | 'proxy'): string[] {
  const given = process.env.GOALKEEPER_EFFECTS_HELPER;
  if (given) return [process.execPath, join(dirname(given), `${name}.cjs`)];
  const entry = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  if (extname(import.meta.url) === '.js') return [process.execPath, entry(`./${name}.cjs`)];
  return [process.execPath, '--import', typescriptLoader(), entry(`./${name}.ts`)];
}

function typescriptLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
