import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, type ScriptedReply } from '../../demo/script.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

/** Called with the goal's id while the request of the turn's last step is out. */
let whileAsked: (goalId: string) => Promise<unknown>;

/** The goal is amended while its `late`th request is out, whose answer ends the turn. */
const amendedAt =
  (late: number, replies: readonly ScriptedReply[]): Script =>
  async (request) => {
    const asked = request.messages.filter(({ role }) => role === 'assistant').length;
    if (asked === late) await whileAsked(goalIdOf(request) ?? '');
    return replies[Math.min(asked, replies.length - 1)] as ScriptedReply;
  };

const sleep = reply.call('continue_work', { delaySeconds: 300, reason: 'later' });
const never = reply.call('wait_for', { file: 'never', timeoutSeconds: 600 });

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    sleeps: amendedAt(0, [sleep, write, claim, sleep]),
    waits: amendedAt(1, [write, never, claim]),
    claims: amendedAt(1, [write, claim, claim]),
    again: amendedAt(0, [sleep, sleep]),
  });
});
afterAll(() => goals.world.close());

const toldIn = (goalId: string, amended: string) =>
  goals.world.model.requests.filter(
    (request) => goalIdOf(request) === goalId && JSON.stringify(request).includes(amended),
  ).length;

test.each(['sleeps', 'waits', 'claims'])(
  'TRIG-44 an objective that is amended in the last step of a turn is read at once, where it %s',
  async (name) => {
    whileAsked = (goalId) => goals.amend(goalId, { objective: `${name}: the amended objective` });
    const goal = await goals.run(name);
    expect(goal.status).toBe('complete');
    expect(toldIn(goal.goalId, 'the amended objective')).toBeGreaterThan(0);
    const [first, second] = await goals.turns(goal.goalId);
    expect(first?.decision?.sentence).toContain('what the goal is asked for now comes first');
    expect(second?.kind).toBe('resume');
  },
);

test('TRIG-44 so are criteria, which the slice that runs does not read', async () => {
  const criteria = [{ kind: 'command', command: 'test -s answer.txt' }];
  whileAsked = (goalId) => goals.amend(goalId, { criteria });
  const goal = await goals.run('waits');
  expect([goal.status, goal.completion?.verification]).toEqual(['complete', 'verified']);
  expect(toldIn(goal.goalId, 'test -s answer.txt')).toBeGreaterThan(0);
});

test('TRIG-44 what was read keeps no goal awake, nor does a budget', async () => {
  whileAsked = (goalId) => goals.amend(goalId, { objective: 'again: the amended objective' });
  const goalId = await goals.start('again');
  await goals.world.until(goalId, ({ activity }) => activity.on === 'timer');
  expect(await goals.turns(goalId)).toHaveLength(2);
  whileAsked = (id) => goals.amend(id, { budget: { turns: 40 } });
  const other = await goals.start('again');
  await goals.world.until(other, ({ activity }) => activity.on === 'timer');
  expect(await goals.turns(other)).toHaveLength(1);
});
