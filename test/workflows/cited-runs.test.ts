import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const sign = reply.call('complete_step', {
  step: '1',
  result: 'All tests pass.',
  evidence: [{ kind: 'verification', summary: 'green', command: 'node --test' }],
});

/** Each goal's objective begins with the name of its script. */
const scripts: Record<string, Script> = {
  masks: sequence([
    reply.call('todo_write', { todos: [{ content: 'Make it pass', status: 'in_progress' }] }),
    reply.call('run_command', { command: 'touch answer.txt; node --test || true' }),
    sign,
    reply.call('run_command', { command: 'cd "$PWD" && node --test 2>&1 | tail -n 5' }),
    sign,
    reply.call('attempt_completion', { result: 'The tests pass.' }),
  ]),
  skips: sequence([
    reply.call('write_file', {
      path: 'a.test.js',
      content: "require('node:test').skip('a', () => {});\n",
    }),
    reply.call('attempt_completion', { result: 'The tests pass.' }),
    reply.call('write_file', {
      path: 'b.test.js',
      content: "require('node:test')('b', () => {});\n",
    }),
    reply.call('attempt_completion', { result: 'The tests pass.' }),
  ]),
};

let world: GoalWorld;
beforeAll(async () => {
  const script: Script = (request) => {
    const name = objectiveOf(request).split(':')[0] ?? '';
    return (scripts[name] ?? sequence([reply.text('?')]))(request);
  };
  world = await openGoalWorld({ script });
});
afterAll(() => world.close());

const heard = (words: string) =>
  world.model.requests.some((request) => request.messages.some(({ text }) => text.includes(words)));

test('R38 R8 a masked run is refused with the call that would do, and the honest one is accepted', async () => {
  const path = await world.workspace({ 'a.test.js': "require('node:test')('a', () => {});\n" });
  const { goalId } = await world.start({
    objective: 'masks: go',
    workspace: { path },
    criteria: [{ kind: 'command', command: 'test -f answer.txt' }],
  });
  const goal = await world.until(goalId, ({ status }) => status !== 'active');
  expect(goal).toMatchObject({ status: 'complete', todos: { done: 1 } });
  expect(heard('run "node --test" as a command of its own with run_command')).toBe(true);
});

test('a check whose tests are all skipped is unmet, and met once one of them runs', async () => {
  const path = await world.workspace({ 'package.json': '{}' });
  const { goalId } = await world.start({
    objective: 'skips: go',
    workspace: { path },
    criteria: [{ kind: 'command', command: 'node --test' }],
  });
  const goal = await world.until(goalId, ({ status }) => status !== 'active');
  expect(heard('node:test skipped all 1 tests')).toBe(true);
  expect(goal.criteria[0]).toMatchObject({ state: 'met' });
  // Tests that the goal wrote itself prove nothing without a person.
  expect(goal.pause?.reason).toBe('unverified_claim');
});
