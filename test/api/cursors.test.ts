import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { worldCaller } from './world-calls.ts';

let goals: ScriptedGoals;
let call: ReturnType<typeof worldCaller>;
let goalId: string;
beforeAll(async () => {
  goals = await openScriptedGoals({
    says: sequence([
      reply.call('list_files', { path: '.' }),
      reply.call('ask_user', { question: 'Is it right?' }),
    ]),
  });
  call = worldCaller(goals.world);
  ({ goalId } = await goals.run('says'));
});
afterAll(() => goals.world.close());

const LISTS = [
  ...['', 'oldest', 'updated', 'waiting', 'cost', 'limit'].map((sort) => [
    `goals${sort === '' ? '' : `?sort=${sort}`}`,
    3,
  ]),
  ['goals?group=actor', 3],
  ['search?q=list', 2],
  ...['turns', 'timeline', 'calls', 'ledger', 'history'].map((list) => [`goals/GOAL/${list}`, 1]),
  ['goals/GOAL/usage', 3],
  ['goals/GOAL/notifications', 2],
  ['security-log', 1],
] as [string, number][];

/** Each in every place of a cursor of its length. */
const PARTS: readonly unknown[] = [
  ...[null, true, [], {}, '', 'x', "' OR 1=1 --", '\u0000', '\ud800', '2026-02-31T00:00:00Z'],
  ...['2026-13-01 00:00:00+00', '99999-01-01 00:00:00+00', 'infinity', 'now', 'NaN', '1e9', '-1'],
  ...[-1, 1.5, 1e9, 2 ** 31, 2 ** 53, 1e308, '9'.repeat(100)],
];

test.each(LISTS)(
  'API-62: a forged cursor of /v1/%s is refused by its field, or leads to a page',
  async (list, length) => {
    const path = `/v1/${list.replace('GOAL', goalId)}`;
    const at = (position: unknown) => {
      const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
      return call(`GET ${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`, {
        role: 'admin',
      });
    };
    const wrong: unknown[] = [];
    for (const part of PARTS) {
      for (let place = 0; place < length; place += 1) {
        const position = Array.from({ length }, (_, index) => (index === place ? part : 1));
        const answer = await at(position);
        const isRight =
          answer.status === 200 || (answer.status === 400 && answer.body.field === 'cursor');
        if (!isRight) wrong.push([position, answer.status, answer.body]);
      }
    }
    for (const position of [[], {}, 'x', 7, null, Array(length + 1).fill(1)]) {
      const answer = await at(position);
      if (answer.status !== 400 || answer.body.field !== 'cursor')
        wrong.push([position, answer.status, answer.body]);
    }
    expect(wrong).toEqual([]);
  },
);
