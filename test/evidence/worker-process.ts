import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { compiled } from '../support/compiled.ts';
import type { GoalWorld } from '../support/goal-world.ts';

const entry = compiled('src/cli/main.ts');
const LAST_WORDS = 4000;

/** A worker in a process of its own, so that it can die of SIGKILL. One that ends by itself tells why. */
export function startWorkerProcess(world: GoalWorld): { kill(): Promise<void> } {
  const child = spawn(process.execPath, [entry, 'worker'], {
    env: { ...process.env, ...world.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-LAST_WORDS);
    });
  }
  let isKilled = false;
  const gone = once(child, 'exit').then(([code, signal]) => {
    if (isKilled) return;
    process.stderr.write(`A worker ended by itself (${code ?? signal}). It said: ${said}\n`);
  });
  const kill = async () => {
    isKilled = true;
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return { kill };
}
