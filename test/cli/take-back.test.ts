import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { SentMessage } from '../../schema/sent-message.ts';
import { TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, write } from '../workflows/approval-world.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { start } from './command-line.ts';

const scripts = {
  sleeps: sequence([
    reply.call('run_command', { command: 'touch begun.txt; sleep 600; touch ended.txt' }),
    write('answer.txt'),
    claim(),
  ]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

/** The command line as this role has it. */
const as =
  (role: keyof typeof TOKENS) =>
  (...args: string[]) =>
    start(args, { GOALKEEPER_URL: the.world.url, GOALKEEPER_TOKEN: TOKENS[role] }).done;
const goalkeeper = as('operator');
const sent = async (goalId: string) =>
  (await the.world.client.get<{ items: SentMessage[] }>(`/v1/goals/${goalId}/messages`)).items;
const newest = async (goalId: string) => (await sent(goalId))[0]?.messageId ?? '';

/** A goal whose command runs until somebody ends it. */
async function asleep() {
  const { goalId, path } = await the.open('sleeps', { criteria: [answerExists] });
  await waitUntil(() => existsSync(join(path, 'begun.txt')));
  return { goalId, path };
}

test('TERM-104 the message that waits is taken back by a command, of several by its id, and each refusal names the way out', async () => {
  const { goalId } = await asleep();
  const none = await goalkeeper('take-back', goalId);
  expect([none.exitCode, none.err]).toEqual([3, expect.stringContaining('Say what holds')]);
  await goalkeeper('message', goalId, 'Paint it green.', '--steer');
  const only = await goalkeeper('take-back', goalId.slice(0, -2));
  expect([only.exitCode, only.out]).toEqual([0, expect.stringContaining('is taken back')]);
  for (const text of ['One.', 'Two.']) await goalkeeper('message', goalId, text, '--steer');
  const several = await goalkeeper('take-back', goalId);
  expect(several.exitCode).toBe(3);
  for (const part of ['Several messages wait', 'One.', 'Two.', 'Name one'])
    expect(several.err).toContain(part);
  const two = await newest(goalId);
  const json = await goalkeeper('take-back', goalId, two, '--json');
  expect([json.exitCode, (JSON.parse(json.out) as Goal).goalId]).toEqual([0, goalId]);
  const again = await goalkeeper('take-back', goalId, two, '--json');
  expect([again.exitCode, again.out]).toEqual([0, json.out]);
  expect((await sent(goalId)).map(({ state }) => state)).toEqual([
    ...['taken_back', 'waiting', 'taken_back'],
  ]);
  const unknown = await goalkeeper('take-back', goalId, '../m-1', '--json');
  expect(unknown.exitCode).toBe(3);
  expect(JSON.parse(unknown.out).error).toMatchObject({ code: 'not_found', field: 'messageId' });
  const one = await newestWaiting(goalId);
  await as('admin')('message', goalId, 'Mine.', '--steer');
  const others = await goalkeeper('take-back', goalId, await newest(goalId), '--json');
  expect(others.exitCode).toBe(3);
  expect(JSON.parse(others.out).error).toMatchObject({ code: 'forbidden', field: 'messageId' });
  const told = await goalkeeper('take-back', goalId, await newest(goalId));
  expect(told.err).toContain('Correct the field');
  const viewer = await as('viewer')('take-back', goalId, one);
  expect([viewer.exitCode, viewer.err]).toEqual([3, expect.stringContaining('operator or admin')]);
  await the.send(goalId, 'clear');
});

test('TERM-105 --now ends the running command, --steer waits for it, and what a turn has read is not taken back', async () => {
  const { goalId, path } = await asleep();
  const both = await goalkeeper('message', goalId, 'Stop.', '--steer', '--now');
  expect([both.exitCode, both.err]).toEqual([3, expect.stringContaining('Give one of the two')]);
  const told = await goalkeeper('take-back', goalId, await newest(goalId));
  expect(told.err).toContain('Correct the field');
  const viewer = await as('viewer')('message', goalId, 'Stop.', '--now');
  expect(viewer.exitCode).toBe(3);
  expect(await sent(goalId)).toEqual([]);
  const now = await goalkeeper('message', goalId, 'Leave the sleeping.', '--now', '--json');
  expect([now.exitCode, (JSON.parse(now.out) as Goal).goalId]).toEqual([0, goalId]);
  await waitUntil(async () => (await sent(goalId))[0]?.state === 'read');
  const late = await goalkeeper('take-back', goalId, await newest(goalId));
  expect([late.exitCode, late.err]).toEqual([1, expect.stringContaining('goalkeeper show')]);
  await the.world.until(goalId, ({ status }) => status !== 'active');
  expect(the.wasTold(goalId, 'Leave the sleeping.')).toBe(true);
  expect(existsSync(join(path, 'ended.txt'))).toBe(false);
});

const newestWaiting = async (goalId: string) =>
  (await sent(goalId)).find(({ state }) => state === 'waiting')?.messageId ?? '';
