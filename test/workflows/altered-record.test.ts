import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { ChainVerdict } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

const environment = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' };
/** It holds before the work begins, so it proves nothing. */
const guard = { kind: 'command', command: 'test -f kept.txt' } as const;

const ask = reply.call('ask_user', { question: 'Which colour?' });
const scripts = {
  asks: sequence([ask, write, claim]),
  claims: sequence([write, claim]),
  honest: sequence([write, claim]),
  spends: sequence([write, claim]),
};

let goals: ScriptedGoals;
/** Goals whose gate finds the row changed: the attempts of each so far. */
const attempts = new Map<string, number>();

beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { environment, wrapPorts: alteringBeforeGate });
});
afterAll(() => goals.world.close());

/** As the service's own user of the database, which may write the goal's row. */
const provesNothingYet = (goalId: string) => goals.world.store.sql`
  UPDATE goal SET criteria = jsonb_set(criteria, '{0,baseline}', '"unmet"'),
    baseline = jsonb_set(baseline, '{states,c1}', '"unmet"') WHERE goal_id = ${goalId}`;

/** A budget would begin anew. */
const spentNothing = (goalId: string) => goals.world.store.sql`
  UPDATE journal SET input_tokens = 0, output_tokens = 0, cost_usd = 0, turns = 0, steps = 0,
    active_ms = 0 WHERE goal_id = ${goalId}`;

/** The second attempt of a goal that claims in its first turn is its gate's. */
function alteringBeforeGate(ports: TurnPorts): TurnPorts {
  return {
    ...ports,
    journal: {
      ...ports.journal,
      async raiseToken(taken) {
        const { sql } = goals.world.store;
        const [goal] = await sql<{ objective: string }[]>`
          SELECT objective FROM goal WHERE goal_id = ${taken.goalId}`;
        const count = (attempts.get(taken.goalId) ?? 0) + 1;
        attempts.set(taken.goalId, count);
        if (goal?.objective.startsWith('claims') && count === 2)
          await provesNothingYet(taken.goalId);
        if (goal?.objective.startsWith('spends') && count === 2) await spentNothing(taken.goalId);
        return await ports.journal.raiseToken(taken);
      },
    },
  };
}

const run = async (script: string) => {
  const { world } = goals;
  const workspace = { path: await world.workspace({ 'kept.txt': 'kept\n' }) };
  return await goals.run(script, { criteria: [guard], workspace });
};

const told = async (goalId: string) => {
  const { items } = await goals.world.client.get<{
    items: { what: string; subject: string | null; result: string }[];
  }>('/v1/security-log?what=record_refused');
  return items.filter(({ subject }) => subject === goalId);
};

const verdictOf = (goalId: string) =>
  goals.world.client.get<ChainVerdict>(`/v1/goals/${goalId}/ledger/verify`);

describe('a goal whose baseline somebody changed in the database', () => {
  test('ROW-31 does no work by it: the next turn pauses it, and the security log tells', async () => {
    const asked = await run('asks');
    expect(asked.pause).toMatchObject({ reason: 'question' });
    await provesNothingYet(asked.goalId);
    await goals.send(asked.goalId, 'resume');
    const goal = await goals.world.until(
      asked.goalId,
      ({ pause }) => pause?.reason === 'record_altered',
    );
    expect(goal.pause?.message).toContain('somebody changed the database');
    expect(goal.completion).toBeUndefined();
    expect(await told(asked.goalId)).toEqual([
      expect.objectContaining({ what: 'record_refused', result: 'refused' }),
    ]);
    expect(await verdictOf(asked.goalId)).toMatchObject({
      holds: false,
      fault: 'edited',
      record: { kind: 'ground' },
    });
  });

  test('ROW-32 proves nothing by it: the gate refuses to judge, and the goal is paused', async () => {
    const goal = await run('claims');
    expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'record_altered' } });
    expect(goal.completion).toBeUndefined();
    expect(await told(goal.goalId)).toHaveLength(1);
    expect(await verdictOf(goal.goalId)).toMatchObject({ fault: 'edited' });
  });

  test('ROW-66 what it used is lowered: its next turn or its gate pauses it, and it spends no more', async () => {
    const asked = await run('asks');
    expect(asked.usage.steps).toBeGreaterThan(0);
    expect(await verdictOf(asked.goalId)).toMatchObject({ holds: true });
    await spentNothing(asked.goalId);
    await goals.send(asked.goalId, 'resume');
    await goals.world.until(asked.goalId, ({ pause }) => pause?.reason === 'record_altered');
    const judged = await run('spends');
    for (const { goalId } of [asked, judged]) {
      const goal = await goals.world.until(goalId, ({ status }) => status === 'paused');
      expect(goal.pause).toMatchObject({
        reason: 'record_altered',
        message: expect.stringContaining('(usage)'),
      });
      expect(goal.completion).toBeUndefined();
      expect(goal.usage.steps).toBe(0);
      expect(await told(goalId)).toHaveLength(1);
      expect(await verdictOf(goalId)).toMatchObject({
        fault: 'edited',
        record: { kind: 'usage' },
      });
    }
  });

  test('ROW-33 one that nobody changed is supported at most, and holds', async () => {
    const goal = await run('honest');
    expect(goal.completion ?? goal.pause).not.toMatchObject({ verification: 'verified' });
    expect(await told(goal.goalId)).toEqual([]);
    expect(await verdictOf(goal.goalId)).toMatchObject({ holds: true });
  });
});
