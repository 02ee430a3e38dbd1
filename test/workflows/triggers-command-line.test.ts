import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { TriggerDelivery } from '../../schema/trigger.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';
import { start } from '../cli/command-line.ts';
import { type GoalWorld, openGoalWorld, TOKENS } from '../support/goal-world.ts';
import { waitUntil } from './helpers.ts';

const FILE = `
templates:
  mend:
    parameters: {title: {}, area: {default: core}}
    objective: "Mend {{title}} in {{area}}"
    mode: gather
    setup: ["npm ci"]
`;

let world: GoalWorld;
let path: string;
beforeAll(async () => {
  world = await openGoalWorld({ script: sequence([reply.call('ask_user', { question: '?' })]) });
  path = await world.workspace({ 'goalkeeper.yaml': FILE });
});
afterAll(() => world.close());

const trigger = (...args: string[]) =>
  start(['trigger', ...args], { GOALKEEPER_URL: world.url, GOALKEEPER_TOKEN: TOKENS.admin }).done;

test('TRIG-46 a trigger that starts goals by a template is made, tried, paused and deleted at the command line', async () => {
  const by = ['--template', 'mend', '--workspace', path, '--set', 'title=$.title'];
  const asked = await trigger('create', 'mends', ...by);
  expect(asked.exitCode).toBe(3);
  expect(asked.err).toMatch(/"npm ci"[\s\S]*Nobody accepted these terms\./);
  const made = await trigger('create', 'mends', ...by, '--accept-terms');
  expect(made.exitCode).toBe(0);
  // The secret alone is on stdout, for a script to keep.
  expect(made.out).toMatch(/^\S{16,}\n$/);
  const hook = /\/v1\/hooks\/trg-\w+/.exec(made.err)?.[0] ?? '';
  const payload = join(path, 'payload.json');
  await writeFile(payload, '{"title": "the date"}');
  const tried = await trigger('test', 'mends', '--payload', payload);
  expect([tried.exitCode, tried.out]).toEqual([
    0,
    expect.stringContaining('Mend the date in core'),
  ]);
  await writeFile(payload, '{}');
  expect((await trigger('test', 'mends', '--payload', payload)).exitCode).toBe(1);

  const deliver = async (body: string, id: string) => {
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(id, body, made.out.trim(), Date.now()),
    };
    const answer = await fetch(world.url + hook, { method: 'POST', headers, body });
    return (await answer.json()) as TriggerDelivery;
  };
  const id = randomUUID();
  const done = await waitUntil(async () => {
    const delivery = await deliver('{"title": "the time"}', id);
    return delivery.state === 'pending' ? null : delivery;
  });
  expect(done.state).toBe('done');
  expect((await world.get(done.outcome.goalId ?? '')).objective).toBe('Mend the time in core');
  expect((await trigger('show', 'mends')).out).toContain(id);

  expect((await trigger('pause', 'mends')).out).toContain('paused');
  expect((await deliver('{"title": "the place"}', randomUUID())).state).toBe('ignored');
  expect((await trigger('resume', 'mends')).exitCode).toBe(0);
  expect((await trigger('delete', 'mends')).out).toContain('deleted mends');
  expect((await trigger('list')).out).toContain('No triggers.');
  const unsigned = await fetch(world.url + hook, { method: 'POST', body: '{}' });
  expect(unsigned.status).toBe(401);
});

test('TRIG-46 a wrong definition is refused with the field and the way out', async () => {
  const wrong = await trigger('create', 'odd', '--brings', 'ci', '--set', 'all=$..id');
  expect([wrong.exitCode, wrong.err]).toEqual([3, expect.stringContaining('parameters.all')]);
  const two = await trigger('create', 'odd', '--brings', 'ci', '--message', 'g-1');
  expect([two.exitCode, two.err]).toEqual([3, expect.stringContaining('Give one of')]);
  const none = await trigger('create', 'odd', '--template', 'fix', '--workspace', path);
  expect([none.exitCode, none.err]).toEqual([3, expect.stringContaining('fix is not there')]);
});
