import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { ChainVerdict } from '../../schema/ledger.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from './helpers.ts';

const environment = { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' };
const plan = reply.call('attempt_completion', { result: '# Plan\n\n1. Write answer.txt' });

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({ plans: sequence([plan]) }, { environment });
});
afterAll(() => goals.world.close());

/** As the service's own user of the database. */
const attack = (statement: string) => goals.world.store.sql.unsafe(statement);

const told = async (goalId: string) => {
  const { items } = await goals.world.client.get<{ items: { subject: string | null }[] }>(
    '/v1/security-log?what=record_refused',
  );
  return items.filter(({ subject }) => subject === goalId).length;
};

const verdictOf = (goalId: string) =>
  goals.world.client.get<ChainVerdict>(`/v1/goals/${goalId}/ledger/verify`);

const EDITS: readonly (readonly [string, string, string])[] = [
  [
    'what it is judged by',
    'ground',
    `UPDATE goal SET baseline = jsonb_set(baseline, '{states,c1}', '"met"')`,
  ],
  ['what it is asked for', 'terms', `UPDATE goal SET objective = 'external: something else'`],
  ['what it used', 'usage', 'UPDATE journal SET turns = 0, active_ms = active_ms + 1'],
];

test.each(EDITS)(
  'ROW-81 a session ends its turn after somebody changed %s: nothing is judged, the goal is paused',
  async (_, kind, edit) => {
    const goalId = await goals.start('external', { driver: 'external' });
    const { workspace } = await goals.world.until(
      goalId,
      ({ activity }) => activity.on === 'session',
    );
    await writeFile(join(workspace.path, 'answer.txt'), '42\n');
    expect(await verdictOf(goalId)).toMatchObject({ holds: true });
    await attack(`${edit} WHERE goal_id = '${goalId}'`);
    await goals.send(goalId, 'turn-end', { sessionId: 's', turn: 1, text: 'Done.' });
    const goal = await goals.rest(goalId);
    expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'record_altered' } });
    expect(goal.completion).toBeUndefined();
    expect(await told(goalId)).toBe(1);
    expect(await verdictOf(goalId)).toMatchObject({ holds: false, record: { kind } });
  },
);

test.each([
  ['what it is asked for', `UPDATE goal SET objective = 'plans: something else'`],
  ['what it used', 'UPDATE journal SET input_tokens = 0, output_tokens = 0, cost_usd = 0'],
])(
  'ROW-82 a plan is approved after somebody changed %s: it is refused, and no goal carries it out',
  async (_, edit) => {
    const { goalId, threadId } = await goals.run('plans', { mode: 'plan', criteria: [] });
    const { items } = await goals.world.client.get<{ items: Approval[] }>(
      `/v1/approvals?goalId=${goalId}`,
    );
    const [asked] = items;
    expect(asked).toMatchObject({ kind: 'plan', state: 'open' });
    await attack(`${edit} WHERE goal_id = '${goalId}'`);
    const approve = () =>
      goals.world.client.send('POST', `/v1/goals/${goalId}/approvals/${asked?.approvalId}`, {
        decision: 'approve',
      });
    expect(await problemOf(approve())).toMatchObject({
      code: 'invalid_transition',
      detail: expect.stringContaining('changed the database'),
    });
    const inThread = await goals.world.database`
    SELECT goal_id FROM goal WHERE thread_id = ${threadId}`;
    expect(inThread).toEqual([{ goal_id: goalId }]);
    const [approval] = await goals.world.database`
    SELECT state FROM approval WHERE approval_id = ${asked?.approvalId ?? ''}`;
    expect(approval).toEqual({ state: 'open' });
  },
);
