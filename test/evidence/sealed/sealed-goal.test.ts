import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goalIdOf, reply, type Script, sequence } from '../../../demo/script.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import { SANDBOX } from '../../sandbox/support.ts';
import { describeWith } from '../../support/needs.ts';
import { openScriptedGoals, type ScriptedGoals } from '../../support/scripted-goals.ts';
import { claim, HARD_CODED, RIGHT, SECRETS, SHOP, seal, writeSum } from './shop.ts';

const scope = { change: ['src/**'] };
const visible = { kind: 'command' as const, command: 'node --test test/sum.test.js' };

const learns = sequence([writeSum(HARD_CODED), claim, writeSum(RIGHT), claim]);

/** What is sealed is asked twice: the hard-coded sum fails. */
const review: Script = ({ messages }) =>
  reply.text(
    JSON.stringify(
      messages.some(({ text }) => text.includes('a + b'))
        ? { verdict: 'pass', findings: [] }
        : { verdict: 'fail', findings: ['zqxfound: it is hard-coded'] },
    ),
  );

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    learns,
    reviewed: (request) => (request.tools.length > 0 ? learns(request) : review(request)),
  });
});
afterAll(() => goals.world.close());

async function run(name: string, sealedId: string): Promise<Goal> {
  const workspace = { path: await goals.world.workspace(SHOP) };
  const criteria = [visible, { kind: 'sealed' as const, sealedId }];
  return await goals.run(name, { workspace, criteria, scope });
}

const promptsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

const sealedOf = (goalId: string) =>
  goals.world.client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`);

describeWith(SANDBOX, 'a sealed criterion', () => {
  test('SEAL-1 SEAL-2 work that only the visible tests ask for is not verified; right work is; nothing sealed is left on the disk, and nothing in the workspace', async () => {
    const { sealedId } = await seal(goals.world);
    const goal = await run('learns', sealedId);
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const [own] = (await sealedOf(goal.goalId)).items;
    expect(own?.runs.map(({ origin, state }) => `${origin} ${state}`)).toEqual([
      'baseline unmet',
      'gate unmet',
      'gate met',
    ]);
    expect(JSON.stringify(own?.runs)).toContain('zqxprinted');
    const prompts = JSON.stringify(promptsOf(goal.goalId).map(({ messages }) => messages));
    expect(prompts).toContain('held-out cases');
    expect(prompts).toContain('what the host checks does not hold');
    for (const secret of SECRETS) expect(prompts).not.toContain(secret);
    const home = goals.world.environment.GOALKEEPER_HOME as string;
    const rooms = await readdir(join(home, 'proofs', goal.goalId)).catch(() => []);
    expect(rooms.filter((name) => name.startsWith('sealed-'))).toEqual([]);
    expect(existsSync(join(goal.workspace.path, 'test/zqxheldout.test.js'))).toBe(false);
  });

  test('SEAL-4 a sealed review tells neither its rubric nor what the reviewer found', {
    tags: 'campaign',
  }, async () => {
    const sealed = await goals.world.client.send<{ sealedId: string }>('POST', '/v1/sealed', {
      criterion: {
        ...{ kind: 'review', sealed: true, name: 'a second look', description: 'It is general.' },
        rubric: 'zqxcontent: it sums any numbers.',
      },
    });
    const goal = await run('reviewed', sealed.sealedId);
    expect(goal.completion?.verification).toBe('verified');
    const prompts = promptsOf(goal.goalId).map(({ messages }) => messages);
    expect(JSON.stringify(prompts)).toContain('a second look');
    expect(JSON.stringify(prompts)).not.toMatch(/zqx/);
    expect(JSON.stringify(await sealedOf(goal.goalId))).toMatch(/zqxfound/);
    const tables = ['ledger', 'event', 'step', 'output_chunk', 'decision', 'goal', 'turn'];
    for (const table of tables) {
      const rows = await goals.world.database.unsafe(`SELECT t::text AS row FROM "${table}" t`);
      const own = rows.filter(({ row }) => String(row).includes(goal.goalId));
      expect(JSON.stringify(own)).not.toMatch(/zqx/);
    }
  });

  test.each([
    ['name', 'zqxcase of large numbers', '3 == 42'],
    ['message', '3 == 42', 'zqxprinted'],
  ] as const)('SEAL-3 the hint %s tells %s, and not %s', async (hint, told, untold) => {
    const { sealedId } = await seal(goals.world, { hint });
    const goal = await run('learns', sealedId);
    expect(goal.completion?.verification).toBe('verified');
    const prompts = JSON.stringify(promptsOf(goal.goalId).map(({ messages }) => messages));
    expect(prompts).toContain(told);
    expect(prompts).not.toContain(untold);
    expect(prompts).not.toMatch(/zqxcontent|zqxheldout/);
  });
});
