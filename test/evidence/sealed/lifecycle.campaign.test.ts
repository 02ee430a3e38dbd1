import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../../demo/script.ts';
import type { Goal, StartGoal } from '../../../schema/goal.ts';
import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { SealedOfGoal } from '../../../schema/sealed.ts';
import type { RunningWorker } from '../../../src/app/run-worker.ts';
import { SANDBOX } from '../../sandbox/support.ts';
import { eventually } from '../../support/eventually.ts';
import { testWith } from '../../support/needs.ts';
import { openScriptedGoals, type ScriptedGoals } from '../../support/scripted-goals.ts';
import { problemOf } from '../../workflows/approval-world.ts';
import { startWorkerProcess } from '../worker-process.ts';
import { claim, HELD_OUT, packed, RIGHT, SHOP, seal, sealInput, writeSum } from './shop.ts';

const visible = { kind: 'command' as const, command: 'node --test test/sum.test.js' };
const scope = { change: ['src/**'] };

/** Nothing sealed runs anywhere else. */
const judged = testWith(SANDBOX);

const writeTest = reply.call('write_file', {
  path: 'test/sum.test.js',
  content: "require('node:test').test('one and two', () => {});\n",
});

let goals: ScriptedGoals;
let worker: RunningWorker | null = null;
beforeAll(async () => {
  goals = await openScriptedGoals(
    {
      works: sequence([writeSum(RIGHT), claim]),
      asks: sequence([reply.call('ask_user', { question: 'Which one?' })]),
      'works-on-tests': sequence([writeSum(RIGHT), writeTest, claim]),
    },
    { worker: false },
  );
});
afterEach(async () => {
  worker?.stop();
  await worker?.done;
  worker = null;
});
afterAll(() => goals.world.close());

const home = () => goals.world.environment.GOALKEEPER_HOME as string;

async function start(name: string, sealedId: string, more: Partial<StartGoal> = {}) {
  const workspace = { path: await goals.world.workspace(SHOP) };
  const criteria = [visible, { kind: 'sealed' as const, sealedId }];
  return await goals.start(name, { workspace, criteria, scope, ...more });
}

const sealedOf = async (goalId: string) =>
  (await goals.world.client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`)).items[0];

judged(
  'SEAL-10 a lost key is a typed refusal, and a goal whose key is lost later is never passed',
  async () => {
    const sealed = await seal(goals.world);
    const goalId = await start('works', sealed.sealedId);
    const key = join(home(), 'sealed.key');
    await rename(key, `${key}.away`);
    const refused = await problemOf(start('works', sealed.sealedId));
    expect(refused).toMatchObject({ code: 'invalid_request', field: 'criteria.1.sealedId' });
    expect(refused.detail).toContain(sealed.keyId);
    worker = await goals.world.startWorker();
    const paused = await goals.rest(goalId);
    expect(paused.status).toBe('paused');
    expect(paused.criteria[1]).toMatchObject({ state: 'unmet', baseline: 'not_run' });
    expect(paused.criteria[1]?.reason).toBe('the host could not check it');
    // Runs meanwhile were sealed with another key, which the home made for them.
    await rm(key, { force: true });
    await rename(`${key}.away`, key);
    await goals.send(goalId, 'resume');
    const done = await goals.rest(goalId);
    expect(done.completion?.verification).toBe('verified');
    expect(done.criteria[1]).toMatchObject({ state: 'met' });
  },
);

judged('SEAL-11 what is sealed judges work that may change its own tests', async () => {
  worker = await goals.world.startWorker();
  const { sealedId } = await seal(goals.world);
  const own = { scope: { change: ['src/**', 'test/sum.test.js'] } };
  const proofOf = async (goal: Goal) =>
    (await goals.world.client.get<{ proof: GoalProof }>(`/v1/goals/${goal.goalId}/gate`)).proof;
  const goal = await goals.rest(await start('works-on-tests', sealedId, own));
  expect(goal.completion?.verification).toBe('verified');
  expect((await proofOf(goal)).criteria.map(({ criterionId }) => criterionId)).toContain('c2');
});

judged('SEAL-12 the content is erased when the last goal that needs it is over', async () => {
  worker = await goals.world.startWorker();
  const { sealedId, sha256 } = await seal(goals.world);
  const goalId = await start('works', sealedId);
  await goals.rest(goalId);
  const erased = await eventually(async () => {
    const item = await sealedOf(goalId);
    if (item?.sealed.criterion !== null) throw new Error('it is still there');
    return item;
  });
  expect(erased.sealed).toMatchObject({ sha256, files: [], problem: /erased/ });
  expect(erased.runs).toHaveLength(2);
  const again = await problemOf(start('works', sealedId));
  expect(again).toMatchObject({ field: 'criteria.1.sealedId', detail: /seal it again/ });
});

judged(
  'SEAL-13 an amendment keeps what is sealed, or takes another one that begins anew',
  async () => {
    worker = await goals.world.startWorker();
    const first = await seal(goals.world);
    const goalId = await start('asks', first.sealedId);
    const before = await goals.rest(goalId);
    const specs = before.criteria.map(({ spec }) => spec);
    const kept = await goals.amend(goalId, { criteria: [...specs, { ...visible, name: 'again' }] });
    expect(kept.criteria.map(({ criterionId }) => criterionId)).toEqual(['c1', 'c2', 'c3']);
    const { sealedId } = await seal(goals.world, { name: 'other cases' });
    // Whatever a caller says of it, the host's own words count.
    const lie = { kind: 'sealed', sealedId, name: 'x', hint: 'message', checks: 'review' };
    const changed = await goals.amend(goalId, { criteria: [visible, lie] });
    expect(changed.criteria[1]).toMatchObject({
      criterionId: 'c4',
      spec: { name: 'other cases', hint: 'none', checks: 'command' },
    });
  },
);

judged(
  'SEAL-14 a worker that is killed in a sealed run leaves nothing of it when another goes on',
  async () => {
    const slow = {
      'test/zqxheldout.test.js': `${HELD_OUT['test/zqxheldout.test.js']}
test('takes its time', () => new Promise((resolve) => setTimeout(resolve, 3000)));
`,
    };
    const input = sealInput(await packed(slow));
    const { sealedId } = await goals.world.client.send<{ sealedId: string }>(
      ...(['POST', '/v1/sealed', input] as const),
    );
    const first = startWorkerProcess(goals.world);
    const goalId = await start('works', sealedId);
    const left = await eventually(async () => {
      const found = await sealedFiles(goalId);
      if (found.length === 0) throw new Error('no sealed file is laid out yet');
      return found;
    });
    await first.kill();
    expect(left[0]).toMatch(/zqxheldout/);
    expect(await sealedFiles(goalId)).not.toEqual([]);
    worker = await goals.world.startWorker();
    expect(await sealedFiles(goalId)).toEqual([]);
    const goal = await goals.rest(goalId);
    expect(goal.completion?.verification).toBe('verified');
    expect(await sealedFiles(goalId)).toEqual([]);
  },
);

async function sealedFiles(goalId: string): Promise<string[]> {
  const folder = join(home(), 'proofs', goalId);
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /zqxheldout/.test(name));
}

test('SEAL-15 without a sandbox nothing sealed runs: refused at the start, and at the run', async () => {
  const open = await openScriptedGoals(
    { works: sequence([writeSum(RIGHT), claim]) },
    { worker: false, environment: { GOALKEEPER_SANDBOX: 'off' } },
  );
  try {
    const { sealedId } = await seal(open.world);
    const workspace = { path: await open.world.workspace(SHOP) };
    const criteria = [visible, { kind: 'sealed' as const, sealedId }];
    // No worker lives yet, so nobody knows.
    const goalId = await open.start('works', { workspace, criteria, scope });
    await open.world.startWorker();
    const goal = await open.rest(goalId);
    expect(goal).toMatchObject({ status: 'paused', criteria: [{}, { baseline: 'not_run' }] });
    const shown = await open.world.client.get<SealedOfGoal>(`/v1/goals/${goalId}/sealed`);
    expect(shown.items[0]?.runs.at(-1)).toMatchObject({ state: 'not_run', reason: /sandbox/ });
    const refused = await problemOf(open.start('works', { criteria, scope }));
    expect(refused).toMatchObject({ code: 'unsupported', field: 'criteria.1' });
    const files = await readdir(join(open.world.environment.GOALKEEPER_HOME as string, 'proofs'), {
      recursive: true,
    });
    expect(files.filter((name) => /zqx/.test(name))).toEqual([]);
  } finally {
    await open.world.close();
  }
});
