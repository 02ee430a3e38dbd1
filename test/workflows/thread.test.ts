import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRequest, reply, type Script, type ScriptedReply } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { worldCaller } from '../api/world-calls.ts';
import { claim, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import {
  compactionsOf,
  counting,
  isForNotes,
  NOTES,
  openCrowdedGoals,
  part,
  requestsOf,
  SMALL,
} from './compaction-world.ts';
import { waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Which colour?' });

/** Does the work of its goal, however long the conversation before it was. */
const afresh = (...steps: ScriptedReply[]): Script => {
  const works = counting((_request, step) => steps[step - 1] ?? ask);
  return (request) => (isForNotes(request) ? reply.text(NOTES) : works(request));
};

const scripts = {
  first: afresh(reply.text('The magic word is xyzzy.'), write, claim),
  next: afresh(write, claim),
  asks: () => ask,
  cut: afresh(reply.text('I look around.'), {
    calls: [{ tool: 'list_files', input: {} }],
    hang: 'after_text',
  }),
  long: afresh(
    ...[1, 2, 3].map((n) => reply.call('list_files', { glob: `none-${n}` }, part(n))),
    write,
    claim,
  ),
  short: afresh(ask),
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openCrowdedGoals(scripts, {
    environment: { GOALKEEPER_LEDGER_KEY: 'a-key-of-the-ledger-for-tests-only' },
  });
});
afterAll(() => goals.world.close());

const saidIn = (request: ChatRequest | undefined) =>
  (request?.messages ?? []).map(({ text }) => text).join('\n');
const firstOf = (goalId: string) => saidIn(requestsOf(goals, goalId)[0]);

/** The answer, or the problem, of `PUT …/goal`, as a role. */
async function put(threadId: string, name: string, more: object, role: 'admin' | 'agent') {
  const workspace = { path: await goals.world.workspace({}) };
  const body = { objective: `${name}: go`, workspace, criteria: [], ...more };
  return worldCaller(goals.world)(`PUT /v1/threads/${threadId}/goal`, { body, role });
}

test("THR-1 a person's next goal begins with the conversation of the thread, and proves itself alone", async () => {
  const before = await goals.run('first', { threadId: 'talk' });
  expect(before.status).toBe('complete');
  const goal = await goals.run('next', { threadId: 'talk' });
  expect(goal).toMatchObject({
    status: 'complete',
    continues: before.goalId,
    completion: { verification: 'verified' },
  });
  const said = firstOf(goal.goalId);
  expect(said).toContain('xyzzy');
  expect(said).toContain('which is over');
  expect(said.indexOf('xyzzy')).toBeLessThan(said.indexOf('which is over'));
  expect(said).toContain('<objective>\nnext: go');
  expect(said).not.toContain('<objective>\nfirst: go');
  // Its own turns come behind those of the goal before, and cost it nothing.
  const turns = await goals.turns(goal.goalId);
  expect(turns[0]?.turn).toBe((await goals.turns(before.goalId)).length + 1);
  expect(goal.usage.turns).toBe(turns.length);
  const third = await goals.run('asks', { threadId: 'talk' });
  expect(firstOf(third.goalId)).toContain('xyzzy');
  for (const { goalId } of [before, goal, third])
    expect(await goals.world.client.get(`/v1/goals/${goalId}/ledger/verify`)).toMatchObject({
      holds: true,
    });
});

test('THR-2 it begins with none where the caller says so, and for programs unless they say so', async () => {
  const first = await goals.run('first', { threadId: 'anew' });
  const anew = await goals.run('asks', { threadId: 'anew', conversation: 'new' });
  expect(anew.continues).toBeUndefined();
  expect(firstOf(anew.goalId)).not.toContain('xyzzy');

  const workspace = { name: first.workspace.name };
  const own = (await put('programs', 'asks', { workspace }, 'agent')).body as Goal;
  expect(own).toMatchObject({ status: 'active' });
  await goals.rest(own.goalId);
  for (const [conversation, continues] of [
    [undefined, undefined],
    ['continue', expect.stringMatching(/^g-/)],
  ] as const) {
    const { goalId } = (await goals.world.client.get<Goal>('/v1/threads/programs/goal')) as Goal;
    const slot = { workspace, conversation, replace: true, expectedGoalId: goalId };
    const { body } = await put('programs', 'asks', slot, 'agent');
    expect((await goals.rest(body.goalId)).continues).toEqual(continues);
  }
});

test('THR-3 a goal that replaces another in the middle of a turn leaves that turn behind', async () => {
  const threadId = 'cut';
  const old = await goals.start('cut', { threadId });
  await waitUntil(() => requestsOf(goals, old).length === 2);
  const slot = { replace: true, expectedGoalId: old };
  const { body } = await put(threadId, 'asks', slot, 'admin');
  const goal = await goals.rest(body.goalId);
  expect(goal.continues).toBe(old);
  const said = firstOf(goal.goalId);
  expect(said).toContain('I look around.');
  expect((await goals.turns(goal.goalId))[0]?.turn).toBe(2);
});

test('THR-4 a long conversation is made shorter before the first step, and told', async () => {
  const long = await goals.run('long', { threadId: 'long', model: SMALL });
  expect(long.status).toBe('complete');
  const goal = await goals.run('short', { threadId: 'long', model: SMALL });
  const [made] = await compactionsOf(goals, goal.goalId);
  expect(made).toMatchObject({ reason: 'continued', notesBy: 'model' });
  expect(made?.tokensAfter).toBeLessThan(made?.tokensBefore ?? 0);
  expect(firstOf(goal.goalId)).toContain('Read the notes of the project');
  expect(firstOf(goal.goalId)).not.toContain('part 1 line 0');
});
