import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Launcher, type ProgramOptions, type ProgramSaid } from './launcher.ts';

const runHere = promisify(execFile);

/**
 * Node starts a program by a fork, which copies the page tables of the whole process and has its
 * event loop wait for that (bench/RESULTS.md). A process of this size asks a launcher instead.
 */
const LARGE_BYTES = 160 * 1024 * 1024;

let launcher: Launcher | null = null;

/**
 * Runs a program and collects what it says: as `execFile`, whatever the size of this process.
 *
 * @throws ExecFileException with `stdout` and `stderr`
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramSaid> {
  if (launcher === null && process.memoryUsage.rss() < LARGE_BYTES)
    return await runHere(file, args, options);
  launcher ??= started();
  return await launcher.run(file, args, options);
}

function started(): Launcher {
  // It may be told more than once, also when the next one has begun.
  const own = new Launcher(() => {
    if (launcher === own) launcher = null;
  });
  return own;
}
