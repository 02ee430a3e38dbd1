import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Plan } from '../../schema/todo.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

let world: GoalWorld;
beforeAll(async () => {
  const script = sequence([
    reply.call('update_plan', { markdown: '# First thoughts' }),
    reply.call('update_plan', { markdown: '# Plan\n\n1. Look\n2. Write' }),
    reply.call('ask_user', { question: 'Is this the right plan?' }),
    reply.text('Good.'),
  ]);
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

test('a plan is stored, answered, and part of every later request, also in the next turn', async () => {
  const path = await world.workspace({});
  const { goalId } = await world.start({ objective: 'plan', workspace: { path }, criteria: [] });
  const asked = await world.until(goalId, ({ pause }) => pause?.reason === 'question');
  const { plan } = await world.client.get<{ plan: Plan | null }>(`/v1/goals/${goalId}/plan`);
  expect(plan).toMatchObject({ revision: 2, markdown: '# Plan\n\n1. Look\n2. Write' });
  await world.client.send('POST', `/v1/goals/${goalId}/answers`, {
    questionId: asked.pause?.questionId,
    text: 'Yes.',
  });
  await world.until(goalId, ({ usage }) => usage.steps > 3);
  const shown = world.model.requests.map(({ messages }) =>
    /<plan>([\s\S]*?)<\/plan>/.exec(messages.map(({ text }) => text).join('\n'))?.[1]?.trim(),
  );
  expect(shown[0]).toContain('none yet');
  expect(shown[1]).toBe('# First thoughts');
  expect(new Set(shown.slice(2))).toEqual(new Set(['# Plan\n\n1. Look\n2. Write']));
  expect(shown.length).toBeGreaterThan(3);
});
