import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { compiled } from '../support/compiled.ts';
import type { GoalWorld } from '../support/goal-world.ts';

const entry = compiled('src/cli/main.ts');

/** A worker in a process of its own, so that it can die of SIGKILL. */
export function startWorkerProcess(world: GoalWorld): { kill(): Promise<void> } {
  const child = spawn(process.execPath, [entry, 'worker'], {
    env: { ...process.env, ...world.environment },
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return { kill };
}
