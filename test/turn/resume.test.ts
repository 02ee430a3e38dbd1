import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { EffectsLost } from '../../src/tools/effects/errors.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/results.ts';
import type { Tool } from '../../src/tools/tool.ts';
import type { TurnPorts } from '../../src/turn/ports-of-turn.ts';
import { builtInTools } from '../support/built-in-tools.ts';
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
        placeEntry: (order) => effects.placeEntry(order),
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

/** Of each goal by its objective: the attempts that die, and where. */
const DEATHS: Record<string, readonly ('before it ran' | 'under it')[]> = {
  unlucky: ['before it ran', 'before it ran', 'before it ran'],
  deadly: ['before it ran', 'under it', 'under it'],
};

let launches = 0;
let offered: readonly Tool[] = [
  defineTool({
    name: 'launch',
    description: 'Launches it.',
    effect: 'once',
    modes: ['agent'],
    schema: z.strictObject({}),
    async run() {
      launches += 1;
      // The application that had it starts again without it.
      offered = [];
      throw new EffectsLost('this attempt is over');
    },
  }),
];

function diesAroundReads(ports: TurnPorts): TurnPorts {
  const begun = new Map<string, number>();
  const die = (): never => {
    throw new EffectsLost('this attempt is over');
  };
  const registry = createRegistry(builtInTools, undefined, () => offered);
  const tools = {
    ...registry,
    find(name: string) {
      const tool = registry.find(name);
      if (tool === undefined || name !== 'read_file') return tool;
      return {
        ...tool,
        run: (...given: Parameters<typeof tool.run>) => {
          const isDeadly = JSON.stringify(given[0]).includes('deadly');
          return isDeadly ? die() : tool.run(...given);
        },
      };
    },
  };
  return {
    ...ports,
    tools,
    journal: {
      ...ports.journal,
      async commitStep(fence, step) {
        const stored = await ports.journal.commitStep(fence, step);
        return stored.hasBegun ? die() : stored;
      },
      async conversation(goalId) {
        const { objective } = await ports.journal.brief(goalId);
        const deaths = DEATHS[objective] ?? [];
        const attempt = begun.get(goalId) ?? 0;
        begun.set(goalId, attempt + 1);
        // The first attempt ends with the commit that begins the call.
        if (attempt > 0 && deaths[attempt] === 'before it ran') die();
        return ports.journal.conversation(goalId);
      },
    },
  };
}

const request = (script: Parameters<Script>[0]) => JSON.stringify(script.messages);
const calls: Script = (asked) => {
  if (asked.messages.some(({ role }) => role === 'tool')) {
    return reply.call('attempt_completion', { result: 'It was done.' });
  }
  if (request(asked).includes('vanishing')) return reply.call('launch', {});
  return reply.call('read_file', { path: request(asked).includes('deadly') ? 'deadly' : 'notes' });
};

describe('a call that its worker did not live to settle', () => {
  let world: GoalWorld;
  beforeAll(async () => {
    world = await openGoalWorld({ script: calls, worker: false });
    await world.startWorker(diesAroundReads);
  });
  afterAll(() => world.close());

  async function outcomeOf(objective: string) {
    const path = await world.workspace({ notes: '42', deadly: '43' });
    const criteria = [{ kind: 'file' as const, path: 'notes', exists: true as const }];
    const { goalId } = await world.start({ objective, criteria, workspace: { path } });
    const query = 'limit=200&tool=read_file';
    const settled = async () => {
      const rows = await world.client.get<{ items: LedgerRow[] }>(
        `/v1/goals/${goalId}/ledger?${query}`,
      );
      return rows.items.find(({ phase }) => phase === 'settled');
    };
    await expect.poll(settled).toBeDefined();
    const row = await settled();
    return { outcome: row?.outcome, reason: row?.receipt?.reason, token: row?.token };
  }

  test('M22 a `once` call whose tool is gone after the restart is told as unknown, and a person is asked', async () => {
    const { goalId } = await world.start({
      objective: 'vanishing',
      criteria: [],
      workspace: { path: await world.workspace({}) },
    });
    const goal = await world.until(goalId, ({ status }) => status === 'paused');
    expect(goal.pause?.reason).toBe('question');
    const query = `/v1/goals/${goalId}/ledger?limit=200&tool=launch`;
    const { items } = await world.client.get<{ items: LedgerRow[] }>(query);
    expect(items.map(({ effect, outcome }) => [effect, outcome])).toEqual([
      ['once', undefined],
      ['once', 'unknown'],
    ]);
    expect(launches).toBe(1);
    const approvals = await world.client.get<{ items: Approval[] }>('/v1/approvals');
    expect(approvals.items.filter((one) => one.goalId === goalId)).toMatchObject([
      { kind: 'unknown_effect' },
    ]);
  });

  test('is blamed, where it reads, only for attempts that died after they had run it', async () => {
    const [unlucky, deadly] = await Promise.all([outcomeOf('unlucky'), outcomeOf('deadly')]);
    expect(unlucky).toMatchObject({ outcome: 'succeeded', token: 4 });
    expect(deadly).toEqual({ outcome: 'failed', reason: 'killed its worker twice', token: 4 });
  });
});
