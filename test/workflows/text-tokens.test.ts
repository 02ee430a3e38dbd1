import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

const scripts: Record<string, Script> = {
  waits: sequence([
    write,
    reply.text('CI is running.\n\nCONTINUE_WORK:1'),
    reply.text('It is green.\nDONE'),
  ]),
  claims: sequence([reply.text('I am sure of it.\nDONE'), write, reply.text('DONE')]),
  off: sequence([reply.text('Soon.\nCONTINUE_WORK:1'), write, reply.text('Here it is.\nDONE')]),
  hands: sequence([
    reply.text('Over to you.\nCONTINUE_DELEGATE: find: the answer'),
    write,
    reply.text('DONE'),
  ]),
  find: sequence([reply.text('The answer is 42.')]),
  cut: sequence([{ text: 'Soon.\nCONTINUE_WORK:1', finishReason: 'length' }, write]),
};

const quick: StartGoal['policy'] = {
  continuation: { delayMinSeconds: 1, truncatedTurns: 1, toolFreeTurns: 2 },
};

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

const run = async (name: string, textTokens = true) => {
  const goal = await goals.run(name, { textTokens, policy: quick });
  const turns = await goals.turns(goal.goalId);
  const said = turns.flatMap(({ messages }) =>
    messages.filter(({ voice }) => voice === 'model').map(({ text }) => text),
  );
  return { goal, said };
};
const lastRequest = (goalId: string): string =>
  goals.world.model.requests
    .filter((request) => goalIdOf(request) === goalId)
    .at(-1)
    ?.messages.map(({ role, text }) => `${role}: ${text}`)
    .join('\n') ?? '';

describe('a goal whose model has no tool calling for elections', () => {
  test('O4 O11 O37 waits and claims by tokens, which people never see and the model does', async () => {
    const { goal, said } = await run('waits');
    expect(goal).toMatchObject({ status: 'complete', textTokens: true });
    expect(goal.completion?.result).toBe('It is green.');
    expect(await goals.story(goal.goalId)).toEqual(['start: 7 wait', 'wake: 4 complete']);
    expect(said.filter((text) => text !== '')).toEqual(['CI is running.', 'It is green.']);
    const heard = lastRequest(goal.goalId);
    expect(heard).toContain('assistant: CI is running.\nCONTINUE_WORK:1');
    expect(heard).toContain('The host wakes you in 1 s.');
    expect(heard).toContain('You can end an answer with one of these tokens');
  });

  test('O37 DONE is a claim like any other: the gate refuses it and says what is missing', async () => {
    const { goal, said } = await run('claims');
    expect((await goals.story(goal.goalId))[0]).toBe('start: 4 refuse');
    expect(goal.status).toBe('complete');
    expect(said[0]).toBe('I am sure of it.');
    expect(lastRequest(goal.goalId)).toContain('Refused. What is missing:');
  });

  test('O12 does nothing of it unless asked: the text stays, nothing is scheduled', async () => {
    const { goal, said } = await run('off', false);
    expect(said[0]).toBe('Soon.\nCONTINUE_WORK:1');
    const elections = await goals.world.database`
      SELECT 1 FROM election WHERE goal_id = ${goal.goalId}`;
    expect(elections.count).toBe(0);
    expect((await goals.story(goal.goalId))[0]).toMatch(/^start: (8|11) /);
    expect(goal.textTokens).toBeUndefined();
  });

  test('O5 O20 a task is handed over by its token, and its result wakes the goal', async () => {
    const { goal, said } = await run('hands');
    expect(goal.status).toBe('complete');
    expect(said[0]).toBe('Over to you.');
    expect(await goals.story(goal.goalId)).toEqual(['start: 7 wait', 'wake: 4 complete']);
    expect(lastRequest(goal.goalId)).toContain('The answer is 42.');
    expect(goal.chain).toBeUndefined();
  });

  test('O13 a text that was cut off schedules nothing', async () => {
    const { goal } = await run('cut');
    expect((await goals.story(goal.goalId))[0]).toMatch(/^start: 9 /);
  });
});
