import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { createApi } from '../api/calls.ts';
import { tokens } from '../api/memory-ports.ts';
import { compiled } from '../support/compiled.ts';

const entry = compiled('src/cli/main.ts');

export interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly pid: number;
  readonly done: Promise<Ran>;
  readonly interrupt: () => void;
  readonly hangUp: () => void;
  /** From now on nobody reads this one. */
  readonly leave: (stream: 'stdout' | 'stderr') => void;
  /** Resolves with all of stderr when it has shown the text. */
  readonly untilErr: (text: string) => Promise<string>;
}

/** The real command line in a process of its own. */
export function start(
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
  stdin?: string,
): Running {
  const child = spawn(process.execPath, [entry, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      GOALKEEPER_HOME: '/nonexistent/goalkeeper',
      ...environment,
    },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  child.stdin?.end(stdin);
  let out = '';
  let err = '';
  let onErr = () => {};
  // A sign that two pieces share is one sign.
  child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
    onErr();
  });
  const done = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, out, err }));
  });
  return {
    pid: child.pid ?? -1,
    done,
    interrupt: () => void child.kill('SIGINT'),
    hangUp: () => void child.kill('SIGHUP'),
    leave: (stream) => void child[stream].destroy(),
    untilErr: async (text) => {
      while (!err.includes(text)) await new Promise<void>((resolve) => (onErr = resolve));
      return err;
    },
  };
}

/** A service whose record is in memory, behind the real HTTP surface. */
export async function startService() {
  const api = createApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.server.server.address() as AddressInfo;
  const environment = {
    GOALKEEPER_URL: `http://127.0.0.1:${port}`,
    GOALKEEPER_TOKEN: tokens.operator,
  };
  return {
    ...api,
    environment,
    goalkeeper: (...args: string[]) => start(args, environment).done,
    start: (...args: string[]) => start(args, environment),
    close: () => api.server.close(),
  };
}
