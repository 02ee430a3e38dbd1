import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const full = (): never => {
  throw new Error('ENOSPC: no space left on device');
};

/** The disk is full for `before.txt`, once, and as soon as `after.txt` is written. */
function onFullDisk(ports: TurnPorts): TurnPorts {
  let isFull = true;
  return {
    ...ports,
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        runCommand: (order) => effects.runCommand(order),
        placeEntry: (order) => effects.placeEntry(order),
        close: () => effects.close(),
        async writeFile(order) {
          if (order.path.endsWith('before.txt') && isFull) {
            isFull = false;
            full();
          }
          const done = await effects.writeFile(order);
          return order.path.endsWith('after.txt') ? full() : done;
        },
      };
    },
  };
}

let world: GoalWorld;
beforeAll(async () => {
  const script = sequence([
    reply.call('write_file', { path: 'before.txt', content: '1\n' }),
    reply.call('write_file', { path: 'before.txt', content: '1\n' }),
    reply.call('write_file', { path: 'after.txt', content: '2\n' }),
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'It is there.' }),
  ]);
  world = await openGoalWorld({ script, worker: false });
  await world.startWorker(onFullDisk);
});
afterAll(() => world.close());

test('REC-39 a write that breaks ends as its file tells: nothing was changed, or it is written', async () => {
  const { goalId } = await world.start({
    objective: 'Write the answer',
    criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
    workspace: { path: await world.workspace({}) },
  });
  await world.until(goalId, ({ status }) => status === 'complete');
  const { items } = await world.client.get<{ items: LedgerRow[] }>(
    `/v1/goals/${goalId}/ledger?limit=200&tool=write_file`,
  );
  const settled = items.filter(({ phase }) => phase === 'settled');
  expect(settled.map(({ outcome }) => outcome)).toEqual([
    'failed',
    'succeeded',
    'succeeded',
    'succeeded',
  ]);
  expect(settled[0]?.receipt?.reason).toMatch(/ENOSPC.*Nothing was changed/);
  expect(settled[2]?.receipt?.writes).toEqual(['after.txt']);
});
