import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { Call } from '../../schema/turn.ts';
import { createClient } from '../../src/cli/client.ts';
import type { Page } from '../../src/contract/reads.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const run = (command: string) => reply.call('run_command', { command });
const sleeps = run('echo begun; touch begun.txt; sleep 600; touch ended.txt');
const DEADLY = 'echo deadly; sleep 600';
const scripts = {
  dies: sequence([run(DEADLY), write('answer.txt'), claim()]),
  sleeps: sequence([sleeps, run('test ! -e ended.txt'), write('answer.txt'), claim()]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts, { worker: false });
  await the.world.startWorker(diesUnderStops);
});
afterAll(() => the.world.close());

/** The attempt dies as the order comes, before it acts on it. */
function diesUnderStops(ports: TurnPorts): TurnPorts {
  const ordered = async () => {
    const rows = await the.world.database`
      SELECT 1 FROM call_stop s JOIN goal g USING (goal_id) WHERE g.objective LIKE 'dies%'`;
    return rows.count > 0;
  };
  return {
    ...ports,
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        writeFile: (file) => effects.writeFile(file),
        placeEntry: (order) => effects.placeEntry(order),
        close: () => effects.close(),
        async runCommand(order) {
          if (order.command !== DEADLY) return await effects.runCommand(order);
          await waitUntil(ordered);
          throw new EffectsLost('this attempt is over');
        },
      };
    },
  };
}

const running = (goalId: string) =>
  waitUntil(async () => {
    const path = `/v1/goals/${goalId}/calls?outcome=running&tool=run_command`;
    return (await the.world.client.get<Page<Call>>(path)).items[0];
  });
const settled = async (goalId: string) => {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items.filter(({ phase, tool }) => phase === 'settled' && tool === 'run_command');
};

test('STOP-1: a person ends one running command: it settles as ended by them, the model is told, and the same turn goes on', async () => {
  const { goalId, path: folder } = await the.open('sleeps', { criteria: [answerExists] });
  const { callId, turn } = await running(goalId);
  await waitUntil(() => existsSync(join(folder, 'begun.txt')));
  const path = `/v1/goals/${goalId}/calls/${callId}/stop`;
  const agent = createClient({ url: the.world.url, token: TOKENS.agent });
  expect((await problemOf(agent.send('POST', path, {}))).code).toBe('forbidden');

  const stop = await the.world.client.send<{ askedBy: string }>('POST', path, {});
  expect(
    await the.world.client.send('POST', path, {}).catch(({ problem }) => problem.code),
  ).toSatisfy((again: unknown) => again === 'invalid_transition' || typeof again === 'object');
  const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
  const [first, last] = await settled(goalId);
  expect(first).toMatchObject({
    ...{ callId, outcome: 'failed' },
    receipt: {
      stoppedBy: stop.askedBy,
      reason: `a person (${stop.askedBy}) stopped it before it ended; this proves nothing`,
    },
  });
  expect(last).toMatchObject({ turn, outcome: 'succeeded' });
  expect(goal.usage.own.turns).toBe(1);
  expect(the.wasTold(goalId, `a person (${stop.askedBy}) stopped it`)).toBe(true);
  expect(the.wasTold(goalId, 'begun')).toBe(true);
});

test('STOP-2: what does not run, never ran or is no command of a turn is refused with a type and its field', async () => {
  const { goalId } = await the.open('sleeps', { criteria: [answerExists] });
  const { callId } = await running(goalId);
  const stop = (id: string) =>
    the.world.client.send('POST', `/v1/goals/${goalId}/calls/${id}/stop`, {});
  expect(await problemOf(stop('t9.s9.1'))).toMatchObject({ code: 'not_found', field: 'callId' });
  const unknown = the.world.client.send('POST', `/v1/goals/g-none/calls/${callId}/stop`, {});
  expect(await problemOf(unknown)).toMatchObject({ code: 'not_found' });
  await stop(callId);
  await the.world.until(goalId, ({ status }) => status === 'complete');
  expect(await problemOf(stop(callId))).toMatchObject({
    ...{ code: 'invalid_transition', field: 'callId' },
  });
  const other = await the.world.database<{ call_id: string }[]>`
    SELECT call_id FROM ledger WHERE goal_id = ${goalId} AND phase = 'settled'`;
  for (const { call_id: id } of other)
    expect((await problemOf(stop(id))).code).toBe('invalid_transition');
});

test('STOP-3: an order outlives the attempt that ran the command: the end is unknown, told once, and says who ordered it', async () => {
  const { goalId } = await the.open('dies', { criteria: [answerExists] });
  const { callId } = await running(goalId);
  const path = `/v1/goals/${goalId}/calls/${callId}/stop`;
  const { askedBy } = await the.world.client.send<{ askedBy: string }>('POST', path, {});
  await the.world.until(goalId, ({ status }) => status === 'complete');
  const rows = (await settled(goalId)).filter((row) => row.callId === callId);
  expect(rows).toMatchObject([{ outcome: 'unknown', receipt: { stoppedBy: askedBy } }]);
  expect(rows[0]?.receipt?.reason).toContain('its end was not seen');
  expect(the.wasTold(goalId, `a person (${askedBy}) stopped it, and the process died`)).toBe(true);
});
