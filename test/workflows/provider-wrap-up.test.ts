import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, type ScriptedReply } from '../../demo/script.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import type { ScriptedGoals } from '../support/scripted-goals.ts';
import { turnsOf } from './helpers.ts';
import { openProviderGoals, timesAsked, usageOf } from './provider-world.ts';

const long = 'x'.repeat(240);

/** The only turn says something, its wrap-up meets the faults; whoever asks once more gets a text. */
const wrappingUpWith = (faults: readonly ScriptedReply[]): Script => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 ? reply.text('A start.') : (faults[asked - 2] ?? reply.text('A summary.'));
  };
};

const torn: ScriptedReply = { text: long, cutAfter: { characters: 96, how: 'socket' } };
const censored: ScriptedReply = { text: 'So', finishReason: 'content_filter' };
const limited = reply.error(429, undefined, { 'retry-after': '0' });

/** Dies once between the wrap-up's last call and the end of its slice. */
const dying = (ports: TurnPorts): TurnPorts => {
  let died = false;
  return {
    ...ports,
    journal: Object.assign(Object.create(ports.journal) as TurnPorts['journal'], {
      async addActiveTime(...told: Parameters<TurnPorts['journal']['addActiveTime']>) {
        const { goalId } = told[0];
        const { objective, limit } = await ports.journal.brief(goalId);
        if (!died && limit !== null && objective.startsWith('torn-and-killed')) {
          died = true;
          throw new Error('The worker dies here.');
        }
        await ports.journal.addActiveTime(...told);
      },
    }),
  };
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openProviderGoals(
    {
      torn: wrappingUpWith([torn]),
      censored: wrappingUpWith([censored]),
      'torn-and-killed': wrappingUpWith([torn]),
      limited: wrappingUpWith([limited]),
    },
    { wrapPorts: dying },
  );
});
afterAll(() => goals.world.close());

async function wrapUpOf(name: string) {
  const goal = await goals.run(name, { criteria: [], budget: { turns: 1 } });
  expect(goal.status).toBe('budget_limited');
  const kinds = (await turnsOf(goals.world, goal.goalId)).map(({ kind }) => kind);
  expect(kinds).toEqual(['start', 'wrap_up']);
  const { steps, usage, stepSums } = await usageOf(goals, goal.goalId);
  expect(usage.tokens).toBe(stepSums.tokens);
  expect(timesAsked(goals, goal.goalId)).toBe(steps.length);
  return steps.filter(({ turn }) => turn === 2);
}

test.each(['torn', 'censored', 'torn-and-killed'])(
  'M15 a wrap-up whose provider was paid and failed is not asked for again: %s',
  async (name) => {
    const steps = await wrapUpOf(name);
    expect(steps.map(({ state, inputTokens }) => [state, inputTokens > 0])).toEqual([
      ['failed', true],
    ]);
  },
);

test('M15 a wrap-up that was refused before anything was generated is asked for again', async () => {
  const steps = await wrapUpOf('limited');
  expect(steps.map(({ state, inputTokens }) => [state, inputTokens > 0])).toEqual([
    ['failed', false],
    ['committed', true],
  ]);
});
