import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { EffectsLost } from '../../src/workspace/helper/errors.ts';
import { answerExists, claim, openApprovalWorld, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const run = (command: string) => reply.call('run_command', { command });
const once = 'rm -rf old && echo ran >> runs.txt';
const long = 'touch begun; until [ -f go ]; do sleep 0.05; done';
const finish = [write('answer.txt'), claim()];

const scripts = {
  removes: sequence([run(once), ...finish]),
  goesOn: sequence([run(long), run('touch forbidden'), ...finish]),
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
/** Called when the approved command has run; the attempt dies of it, once. */
let afterRun: (() => Promise<unknown>) | null = null;

function wrapPorts(ports: TurnPorts): TurnPorts {
  return {
    ...ports,
    startEffects(...given) {
      const effects = ports.startEffects(...given);
      return {
        writeFile: (file) => effects.writeFile(file),
        placeEntry: (order) => effects.placeEntry(order),
        close: () => effects.close(),
        async runCommand(order) {
          const ran = await effects.runCommand(order);
          const then = order.command === once ? afterRun : null;
          if (then === null) return ran;
          afterRun = null;
          await then();
          throw new EffectsLost('this attempt is over');
        },
      };
    },
  };
}

beforeAll(async () => {
  the = await openApprovalWorld(scripts, { worker: false });
  await the.world.startWorker(wrapPorts);
});
afterAll(() => the.world.close());

const criteria = [answerExists];
const completes = (goalId: string) =>
  the.world.until(goalId, ({ status }) => status === 'complete');
const runsIn = async (path: string) =>
  (await readFile(join(path, 'runs.txt'), 'utf8').catch(() => '')).split('\n').length - 1;
const forbid = (goalId: string, command: string) =>
  the.world.client.send<Goal>('PATCH', `/v1/goals/${goalId}`, {
    policy: { tools: [{ tool: 'run_command', command, decision: 'deny' }] },
  });

async function outcomesOf(goalId: string) {
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  return items
    .filter(({ phase, tool }) => phase === 'settled' && tool === 'run_command')
    .map(({ outcome }) => outcome);
}

/** Approves the call, and does this before any turn can begin with it. */
async function approvedThen(what: (goalId: string) => Promise<unknown>) {
  const { goalId, path } = await the.open('removes', { criteria }, { 'old/file.txt': 'x\n' });
  const approval = await the.asked(goalId);
  await the.world.database.begin(async (tx) => {
    await tx`LOCK TABLE attempt IN ACCESS EXCLUSIVE MODE`;
    await the.decide(approval, 'approve');
    await waitUntil(async () => {
      const waiting = await tx`
        SELECT 1 FROM pg_locks WHERE relation = 'attempt'::regclass AND NOT granted`;
      return waiting.count > 0;
    });
    await what(goalId);
  });
  return { goalId, path };
}

const TOLD = 'a person spoke after the approval';

describe('an approved call that has not begun', () => {
  test('M20 is not run where a person has written since', async () => {
    const { goalId, path } = await approvedThen((id) =>
      the.send(id, 'messages', { text: 'Better not.' }),
    );
    await waitUntil(() => the.wasTold(goalId, TOLD));
    expect(await outcomesOf(goalId)).toEqual(['refused']);
    expect(await runsIn(path)).toBe(0);
  });

  test('runs where nobody said anything', async () => {
    const { goalId, path } = await approvedThen(async () => {});
    await completes(goalId);
    expect(await runsIn(path)).toBe(1);
  });
});

test('M22 an approved call that had begun when its worker died, and is forbidden by then, has an unknown end', async () => {
  const { goalId, path } = await the.open('removes', { criteria }, { 'old/file.txt': 'x\n' });
  const approval = await the.asked(goalId);
  afterRun = () => forbid(goalId, 'rm');
  await the.decide(approval, 'approve');
  await completes(goalId);
  expect(await outcomesOf(goalId)).toEqual(['unknown']);
  expect(await runsIn(path)).toBe(1);
});

test('a rule that is changed while a turn works holds from its next step on', async () => {
  const { goalId, path } = await the.open('goesOn', { criteria });
  await waitUntil(() => existsSync(join(path, 'begun')));
  await forbid(goalId, 'touch forbidden');
  await writeFile(join(path, 'go'), '');
  await completes(goalId);
  expect(existsSync(join(path, 'forbidden'))).toBe(false);
  expect(await outcomesOf(goalId)).toEqual(['succeeded', 'refused']);
});
