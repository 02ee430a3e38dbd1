import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../app/config.ts';
import { readRunState } from '../../stack/run-file.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { processTerminal } from '../terminal.ts';
import type { UpOptions } from '../up-options.ts';
import { whyNoModel } from '../why-no-model.ts';

const LOOK_EVERY_MS = 200;

/**
 * `up` in a session of its own, which no terminal's end reaches. Returns when it serves, or with
 * what it said when it could not.
 */
export async function upDetached(options: UpOptions): Promise<ExitCode> {
  const config = loadConfig();
  const { home } = config;
  const terminal = processTerminal();
  const lacks = await whyNoModel(config);
  if (lacks !== null) terminal.err(terminal.paint.you(lacks));
  const log = join(home, 'up.log');
  const out = openSync(log, 'a', 0o600);
  const from = readFileSync(log).length;
  const [, entry = ''] = process.argv;
  const child = spawn(
    process.execPath,
    [...process.execArgv, entry, 'up', ...argumentsOf(options)],
    {
      detached: true,
      stdio: ['ignore', out, out],
    },
  );
  closeSync(out);
  const exited = once(child, 'exit').then(([code]) => (code as number | null) ?? EXIT.incomplete);
  let code: number | null = null;
  void exited.then((value) => {
    code = value;
  });
  while (code === null && readRunState(home)?.pid !== child.pid) await sleep(LOOK_EVERY_MS);
  while (code === null && readRunState(home)?.apiUrl == null) await sleep(LOOK_EVERY_MS);
  child.unref();
  const url = readRunState(home)?.apiUrl ?? null;
  const isServed = url !== null && (code === null || code === EXIT.complete);
  if (!isServed) {
    terminal.err(readFileSync(log).subarray(from).toString().trim());
    return (code ?? EXIT.incomplete) as ExitCode;
  }
  terminal.out(options.json === true ? JSON.stringify({ url, home, pid: child.pid }) : url);
  for (const warning of readRunState(home)?.warnings ?? [])
    terminal.err(terminal.paint.bad(warning));
  terminal.err('it runs; "goalkeeper open" signs you in, "goalkeeper down" stops it');
  return EXIT.complete;
}

function argumentsOf({ workspace = [], workers }: UpOptions): string[] {
  const count = workers === undefined ? [] : ['--workers', String(workers)];
  return [...workspace.flatMap((entry) => ['--workspace', entry]), ...count];
}
