import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

/** Room for folders and settings, and none for the files of a workspace. */
const LEFT_BYTES = 200_000;
const FILE_BYTES = 600_000;

let disk: SmallDisk;
let world: GoalWorld;
beforeAll(async () => {
  if (!canMount) return;
  disk = mountSmallDisk(16);
  const script = sequence([
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is there.' }),
  ]);
  const home = join(disk.path, 'home');
  // Where there is no sandbox, commands run as somebody who has to get through.
  mkdirSync(home);
  chmodSync(home, 0o711);
  world = await openGoalWorld({ script, environment: { GOALKEEPER_HOME: home } });
});
afterAll(async () => {
  await world?.close();
  await disk?.remove();
});

test.skipIf(!canMount)(
  'REC-45 a goal whose original finds no space waits for some, and is proven as any other',
  async () => {
    await disk.fill(LEFT_BYTES);
    const { goalId } = await world.start({
      objective: 'Write the answer',
      criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
      workspace: {
        path: await world.workspace({ 'data.txt': randomBytes(FILE_BYTES / 2).toString('hex') }),
      },
    });
    await eventually(async () => {
      const attempts = await world.database`SELECT 1 FROM attempt WHERE goal_id = ${goalId}`;
      expect(attempts.count).toBeGreaterThan(2);
    });
    await disk.free();
    const goal = await world.until(goalId, ({ status }) => status !== 'active');
    expect([goal.status, goal.completion?.verification]).toEqual(['complete', 'verified']);
  },
);
