import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runProgram } from '../src/process/run-program.ts';
import { median } from './statistics.ts';

/**
 * What a call of git costs a process of each size, by a fork of its own and by its launcher:
 * `npx tsx bench/run-program.ts`.
 */
const HELD_MB = [0, 100, 100, 200] as const;
const CALLS = 60;
const direct = promisify(execFile);

const held: Buffer[] = [];
for (const megabytes of HELD_MB) {
  for (let index = 0; index < megabytes; index += 1) held.push(Buffer.alloc(1024 * 1024, 1));
  const size = Math.round(process.memoryUsage.rss() / 1e6);
  const [here, launched] = [await costOf(direct), await costOf(runProgram)];
  console.log(`${size} MB: ${here}; ${launched} as it is`);
}

async function costOf(run: (file: string, args: string[], options: object) => Promise<unknown>) {
  const [waits, blocks]: [number[], number[]] = [[], []];
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) {
    const begun = performance.now();
    const answer = run('git', ['rev-parse', '--is-inside-work-tree'], {});
    blocks.push(performance.now() - begun);
    await answer;
    waits.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(before);
  const own = (user + system) / CALLS / 1000;
  return `${median(waits).toFixed(1)} ms, ${median(blocks).toFixed(1)} of them the loop stands, own processor ${own.toFixed(1)} ms`;
}
