import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sequence } from '../../../demo/script.ts';
import type { StartGoal } from '../../../schema/goal.ts';
import { openScriptedGoals, type ScriptedGoals } from '../../support/scripted-goals.ts';
import { problemOf } from '../../workflows/approval-world.ts';
import { claim, HELD_OUT, packed, RIGHT, SHOP, seal, sealInput, writeSum } from './shop.ts';

const visible = { kind: 'command' as const, command: 'node --test test/sum.test.js' };
const scope = { change: ['src/**'] };

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({ works: sequence([writeSum(RIGHT), claim]) }, { worker: false });
});
afterAll(() => goals.world.close());

const home = () => goals.world.environment.GOALKEEPER_HOME as string;

async function start(name: string, sealedId: string, more: Partial<StartGoal> = {}) {
  const workspace = { path: await goals.world.workspace(SHOP) };
  const criteria = [visible, { kind: 'sealed' as const, sealedId }];
  return await goals.start(name, { workspace, criteria, scope, ...more });
}

describe('what can not be sealed, or not be used, is refused with its field', () => {
  test.each([
    ['an unknown hint', { hint: 'all' }, 'criterion.hint'],
    ['a command that proves nothing', { command: 'echo fine' }, 'criterion.command'],
    ['a description of two lines', { description: 'a\nb' }, 'criterion.description'],
    ['no name', { name: '' }, 'criterion.name'],
    ['a path outside', { cwd: '../x' }, 'criterion.cwd'],
    ['one that is not sealed', { sealed: false }, 'criterion.sealed'],
    ['another kind', { kind: 'file', path: 'a' }, 'criterion.kind'],
  ])('SEAL-9 %s', async (_, change, field) => {
    const input = sealInput(await packed(HELD_OUT));
    const body = { ...input, criterion: { ...input.criterion, ...change } };
    const problem = await problemOf(goals.world.client.send('POST', '/v1/sealed', body));
    expect(problem).toMatchObject({ code: 'invalid_request', field });
  });

  test('SEAL-9 an archive that is none, and a review that hints', async () => {
    const { send } = goals.world.client;
    const input = sealInput(Buffer.from('no archive').toString('base64'));
    expect(await problemOf(send('POST', '/v1/sealed', input))).toMatchObject({ field: 'archive' });
    const told = { sealed: true, name: 'n', description: 'd' };
    const review = { kind: 'review', rubric: 'It is right.', hint: 'name', ...told };
    const refused = await problemOf(send('POST', '/v1/sealed', { criterion: review }));
    expect(refused).toMatchObject({ field: 'criterion.hint' });
  });

  test.each<[string, (sealedId: string) => Partial<StartGoal>, string]>([
    ['an id that nothing has', () => ({ criteria: [unknown] }), 'criteria.0.sealedId'],
    ['the same twice', (id) => ({ criteria: [visible, one(id), one(id)] }), 'criteria.2.sealedId'],
    ['a file that the goal may change', () => ({ scope: { change: ['test/**'] } }), 'criteria.1'],
    ['a goal without proof', () => ({ policy: { proof: 'workspace' } }), 'policy.proof'],
    [
      'a sealed command that is not sealed first',
      () => ({ criteria: [{ ...visible, sealed: true } as never] }),
      'criteria.0.sealed',
    ],
  ])('SEAL-9 a start with %s', async (_, change, field) => {
    const { sealedId } = await seal(goals.world);
    const problem = await problemOf(start('works', sealedId, change(sealedId)));
    expect(problem).toMatchObject({ code: 'invalid_request', field });
  });

  const one = (sealedId: string) => ({ kind: 'sealed' as const, sealedId });
  const unknown = one('sl-0000000000000000');
});

test('SEAL-5 the key stays the same as long as its file does', async () => {
  const { keyId } = await seal(goals.world);
  const kept = await readFile(join(home(), 'sealed.key'), 'utf8');
  expect((await seal(goals.world)).keyId).toBe(keyId);
  expect(await readFile(join(home(), 'sealed.key'), 'utf8')).toBe(kept);
});
