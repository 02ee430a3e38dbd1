import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { EffectsLost } from '../../src/tools/effects/errors.ts';
import type { TurnPorts } from '../../src/turn/ports-of-turn.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const COMMAND = 'echo ran >> effects.log';

/** Runs the command, loses its end, and dies once more before it can say so. */
function losesTheEnd(ports: TurnPorts): TurnPorts {
  let deaths = 0;
  const dieOnce = (at: number) => {
    if (deaths !== at) return;
    deaths += 1;
    throw new EffectsLost('this attempt is over');
  };
  return {
    ...ports,
    journal: {
      ...ports.journal,
      async settleCall(fence, end) {
        if (end.tool === 'run_command') dieOnce(1);
        return ports.journal.settleCall(fence, end);
      },
    },
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        writeFile: (file) => effects.writeFile(file),
        close: () => effects.close(),
        async runCommand(order) {
          const ran = await effects.runCommand(order);
          if (order.command === COMMAND) dieOnce(0);
          return ran;
        },
      };
    },
  };
}

describe('a command whose end nobody saw', () => {
  let world: GoalWorld;
  beforeAll(async () => {
    const script = sequence([
      reply.call('run_command', { command: COMMAND }),
      reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
      reply.call('attempt_completion', { result: 'It is there.' }),
    ]);
    world = await openGoalWorld({ script, worker: false });
    await world.startWorker(losesTheEnd);
  });
  afterAll(() => world.close());

  test('is told as unknown, also when the attempt after it died before it could say so', async () => {
    const path = await world.workspace({});
    const { goalId } = await world.start({
      objective: 'Write the answer',
      criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
      workspace: { path },
    });
    await world.until(goalId, ({ status }) => status === 'complete');
    const { items } = await world.client.get<{ items: LedgerRow[] }>(
      `/v1/goals/${goalId}/ledger?limit=200&tool=run_command`,
    );
    const settled = items.filter(({ phase }) => phase === 'settled');
    expect(settled.map(({ outcome }) => outcome)).toEqual(['unknown']);
    expect((settled[0]?.token ?? 0) - (items[0]?.token ?? 0)).toBeGreaterThanOrEqual(2);
    expect(await readFile(join(path, 'effects.log'), 'utf8')).toBe('ran\n');
    const attempts = await world.database<{ started_at: string }[]>`
      SELECT started_at FROM attempt WHERE goal_id = ${goalId} ORDER BY token`;
    const times = attempts.map(({ started_at }) => started_at);
    expect(times).toEqual([...new Set(times)].toSorted());
    const heard = world.model.requests.at(-1)?.messages.find(({ role }) => role === 'tool')?.text;
    expect(heard).toMatch(/^Outcome unknown: .*Look before you run it again/);
  });
});
