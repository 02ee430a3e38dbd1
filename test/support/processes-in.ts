import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Processes that work in this folder and whose command line has these words, in any namespace. */
export async function processesIn(folder: string, words: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [cwd, line] = await Promise.all([
        readlink(join('/proc', pid, 'cwd')).catch(() => ''),
        readFile(join('/proc', pid, 'cmdline'), 'utf8').catch(() => ''),
      ]);
      return cwd === folder && line.includes(words) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** @returns how many there were */
export async function killProcessesIn(folder: string, words: string): Promise<number> {
  const found = await processesIn(folder, words);
  for (const pid of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
  return found.length;
}
