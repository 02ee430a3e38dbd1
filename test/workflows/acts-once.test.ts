import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Schedule } from '../../schema/schedule.ts';
import type { MadeTrigger, TriggerDelivery } from '../../schema/trigger.ts';
import { type Database, openDatabase } from '../../src/store/client.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { eventually } from '../support/eventually.ts';
import { type GoalWorld, OWN, openGoalWorld } from '../support/goal-world.ts';

const ask = reply.call('ask_user', { question: 'Go on?' });
const script: Script = (request) =>
  objectiveOf(request).startsWith('stands')
    ? reply.call('continue_work', { delaySeconds: 300, reason: 'nothing to do yet' })
    : sequence([ask])(request);

let world: GoalWorld;
/** As the service's own user of the database. */
let writer: Database;
beforeAll(async () => {
  world = await openGoalWorld({ script });
  writer = openDatabase(world.environment.DATABASE_URL ?? '');
});
afterAll(async () => {
  await writer.end({ timeout: 5 });
  await world.close();
});

const startOf = async (objective: string) => ({
  ...{ ...OWN, objective, criteria: [] },
  workspace: { path: await world.workspace({ 'a.txt': 'a' }) },
});
const goalsOf = (objective: string) =>
  writer`SELECT goal_id FROM goal WHERE objective = ${objective}`;

async function made(action: object): Promise<MadeTrigger> {
  const trigger = { name: `t-${Math.random()}`, kind: 'standard', parameters: {}, action };
  return await world.client.send<MadeTrigger>('POST', '/v1/triggers', trigger);
}

async function deliver({ path, secret }: MadeTrigger, id: string): Promise<TriggerDelivery> {
  const body = '{"type":"done"}';
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(id, body, secret, Date.now()),
  };
  return await eventually(async () => {
    const answer = await fetch(world.url + path, { method: 'POST', headers, body });
    const delivery = (await answer.json()) as TriggerDelivery;
    if (delivery.state === 'pending') throw new Error('not yet');
    return delivery;
  });
}

describe('what the database forgot', () => {
  test('ROW-122 a due time that is opened again, without the request that it made, starts no second goal', async () => {
    const objective = 'asks: what is due';
    const schedule = await world.client.send<Schedule>('POST', '/v1/schedules', {
      ...{ name: 'due', when: { everySeconds: 86_400 }, start: await startOf(objective) },
    });
    const { scheduleId } = schedule;
    await world.client.send('POST', `/v1/schedules/${scheduleId}/run`, {});
    const untilState = (state: string) =>
      eventually(async () => {
        const runs = await writer`
          SELECT reason FROM schedule_run WHERE schedule_id = ${scheduleId} AND state = ${state}`;
        if (runs.count !== 1) throw new Error('not yet');
        return runs[0]?.reason;
      });
    await untilState('started');
    const [goal] = await goalsOf(objective);
    await writer`DELETE FROM request WHERE route = ${`SCHEDULE ${scheduleId}`}`;
    const again = writer`UPDATE schedule_run SET state = 'due', goal_id = NULL, settled_at = NULL
      WHERE schedule_id = ${scheduleId}`;
    await expect(again).rejects.toThrow('is settled');
    // As somebody who has the owner's rights, too.
    await world.database.begin(async (tx) => {
      await tx`SET LOCAL session_replication_role = replica`;
      await tx`UPDATE schedule_run SET state = 'due', goal_id = NULL, settled_at = NULL
        WHERE schedule_id = ${scheduleId}`;
    });
    expect(await untilState('refused')).toBe(`${goal?.goal_id} was begun for it before.`);
    expect(await goalsOf(objective)).toHaveLength(1);
  });

  test('ROW-126 a delivery whose row was taken away does nothing when it comes again', async () => {
    const objective = 'asks: what came';
    const trigger = await made({ kind: 'start', goal: await startOf(objective) });
    expect(await deliver(trigger, 'one')).toMatchObject({ state: 'done' });
    await writer`DELETE FROM trigger_delivery WHERE trigger_id = ${trigger.triggerId}`;
    await writer`DELETE FROM request WHERE route = 'POST /v1/goals'`;
    expect(await deliver(trigger, 'one')).toMatchObject({
      ...{ state: 'refused', outcome: { place: 'record' } },
    });
    expect(await goalsOf(objective)).toHaveLength(1);
  });

  test('ROW-126 a delivery that is claimed again while it acts says what it says once', async () => {
    const { goalId } = await world.start(await startOf('stands: and hears'));
    await world.until(goalId, ({ activity }) => activity.on === 'timer');
    const trigger = await made({ kind: 'message', goalId, text: 'Pay the bill.' });
    const sent = deliver(trigger, 'one').catch(() => undefined);
    const attempts = async () => {
      await writer`DELETE FROM request WHERE route LIKE ${`%${goalId}/messages`}`;
      const [row] = await writer<{ attempts: number; state: string }[]>`
        UPDATE trigger_delivery SET claimed_until = '2000-01-01', next_at = '2000-01-01'
        WHERE trigger_id = ${trigger.triggerId} RETURNING attempts, state`;
      return row === undefined || (row.state === 'pending' && row.attempts < 4);
    };
    while (await attempts());
    await sent;
    const said = await writer`SELECT 1 FROM inbox WHERE goal_id = ${goalId}`;
    expect(said).toHaveLength(1);
  });
});
