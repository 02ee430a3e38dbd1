import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assistantMessages, goalIdOf, objectiveOf, reply, type Script } from '../../demo/script.ts';
import { PERSON } from '../compose/place.ts';

/** One goal's work: a sum that is wrong, and a trace of each time that its command ran. */
export interface Work {
  readonly workspace: string;
  readonly folder: string;
  readonly number: number;
  /** It waits for a file before it works. */
  readonly isWaiting: boolean;
}

const THINKING_MS = 200;
export const FILE_TO_WAIT_FOR = 'ready';

export function prepare({ folder, number }: Work): void {
  const files = {
    [`sum-${number}.mjs`]: 'export const sum = (a, b) => a - b;\n',
    [`check-${number}.mjs`]: `import { strict as assert } from 'node:assert';
import { sum } from './sum-${number}.mjs';
assert.equal(sum(20, 22), 42);
`,
  };
  for (const [name, content] of Object.entries(files)) writeOwn(join(folder, name), content);
}

export function writeOwn(path: string, content: string): void {
  writeFileSync(path, content);
  if (PERSON !== null) chownSync(path, PERSON.uid, PERSON.gid);
}

export const wantedOf = ({ workspace, number, isWaiting }: Work) => ({
  objective: `Make sum ${number} right.${isWaiting ? ' Wait first.' : ''}`,
  criteria: [{ kind: 'command', command: `node check-${number}.mjs` }],
  scope: { change: [`sum-${number}.mjs`, `effect-${number}.log`] },
  workspace: { name: workspace },
});

/** How often the command of a goal ran. */
export function tracesOf({ folder, number }: Work): number {
  const path = join(folder, `effect-${number}.log`);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
}

export interface Asked {
  /** How often the model was asked for a goal. */
  times(goalId: string): number;
  readonly script: Script;
}

/** The model of all goals. @param onWritten awaited before a goal claims to be done */
export function askedModel(onWritten: (goalId: string) => Promise<void>): Asked {
  const asked = new Map<string, number>();
  return {
    times: (goalId) => asked.get(goalId) ?? 0,
    async script(request) {
      const goalId = goalIdOf(request) ?? '';
      asked.set(goalId, (asked.get(goalId) ?? 0) + 1);
      const objective = objectiveOf(request);
      const [, number = ''] = /sum (\d+)/.exec(objective) ?? [];
      await sleep(THINKING_MS);
      const steps = [
        ...(objective.includes('Wait') ? [reply.call('wait_for', { file: FILE_TO_WAIT_FOR })] : []),
        reply.call('run_command', { command: `echo done >> effect-${number}.log; sleep 0.3` }),
        reply.call('write_file', {
          path: `sum-${number}.mjs`,
          content: 'export const sum = (a, b) => a + b;\n',
        }),
      ];
      const next = steps[assistantMessages(request)];
      if (next !== undefined) return next;
      await onWritten(goalId);
      return reply.call('attempt_completion', { result: 'The sum is right.' });
    },
  };
}
