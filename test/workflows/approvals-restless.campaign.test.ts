import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistantMessages, type ChatRequest, reply } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { answerExists, claim, openApprovalWorld, write } from './approval-world.ts';
import { turnsOf, waitUntil } from './helpers.ts';

const ROUNDS = Number(process.env.GOALKEEPER_RESTLESS_ROUNDS ?? 2);
const AT_ONCE = 4;
/** A crowded machine is slow; a goal that stands still stays where it is. */
const PATIENCE_MS = 200_000;
const SEED = Number(process.env.GOALKEEPER_RESTLESS_SEED ?? Date.now() % 1_000_000);

const once = 'rm -rf old && echo ran >> runs.txt';
/** Whatever an interruption takes away from it is done again. */
const scripts = {
  restless: (request: ChatRequest) => {
    const said = assistantMessages(request);
    if (said === 0) return reply.call('run_command', { command: once });
    return said % 2 === 1 ? write('answer.txt') : claim();
  },
};

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts);
});
afterAll(() => the.world.close());

const acts = ['approve', 'deny', 'pause', 'resume', 'message', 'steer'] as const;
interface Act {
  readonly what: (typeof acts)[number];
  /** Milliseconds after the one before; its answer isn't waited for where `isHasty`. */
  readonly after: number;
  readonly isHasty: boolean;
}

const someActs = fc.array(
  fc.record<Act>({
    what: fc.constantFrom(...acts),
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
    isHasty: fc.boolean(),
  }),
  { minLength: 2, maxLength: 7 },
);

async function act(goalId: string, approvalId: string, what: Act['what']): Promise<void> {
  const sent =
    what === 'approve' || what === 'deny'
      ? the.send(goalId, `approvals/${approvalId}`, { decision: what })
      : what === 'message' || what === 'steer'
        ? the.send(goalId, 'messages', {
            text: 'How is it going?',
            delivery: what === 'steer' ? 'steer' : 'pause',
          })
        : the.send(goalId, what);
  // What the goal can't take any more is refused, which is no matter here.
  await sent.catch((error: { problem?: unknown }) => {
    if (error.problem === undefined) throw error;
  });
}

/** As a person does who wants it finished: resumes what is paused and denies what is asked. */
async function finish(goalId: string): Promise<void> {
  await waitUntil(async () => {
    const { status } = await the.world.get(goalId);
    if (status === 'complete') return true;
    for (const { approvalId } of await the.approvals(goalId)) await act(goalId, approvalId, 'deny');
    if (status === 'paused') await act(goalId, '', 'resume');
    return false;
  }, PATIENCE_MS).catch(async (error: unknown) => {
    const state = { goal: await the.world.get(goalId), turns: await turnsOf(the.world, goalId) };
    throw new Error(`${String(error)} ${JSON.stringify(state, null, 1)}`);
  });
}

async function story(plan: readonly Act[]): Promise<void> {
  const { goalId, path } = await the.open(
    'restless',
    { criteria: [answerExists] },
    { 'old/file.txt': 'x\n' },
  );
  const { approvalId } = await the.asked(goalId);
  const hasty: Promise<void>[] = [];
  for (const { what, after, isHasty } of plan) {
    if (after > 0) await sleep(after);
    const sent = act(goalId, approvalId, what);
    if (isHasty) hasty.push(sent);
    else await sent;
  }
  await Promise.all(hasty);
  await finish(goalId);
  const page = `/v1/goals/${goalId}/ledger?limit=100`;
  const { items } = await the.world.client.get<{ items: LedgerRow[] }>(page);
  const settled = items.filter(({ phase, tool }) => phase === 'settled' && tool === 'run_command');
  const runs = await readFile(join(path, 'runs.txt'), 'utf8').catch(() => '');
  expect(settled).toHaveLength(1);
  expect(runs.split('\n').length - 1).toBeLessThanOrEqual(1);
  if (settled[0]?.outcome === 'refused') expect(runs).toBe('');
  if (settled[0]?.outcome === 'succeeded') expect(runs).toBe('ran\n');
}

test(
  `M20 M22 whatever people do around a call that asks, in whatever order, it runs once or never and the goal goes on (seed ${SEED})`,
  async () => {
    const approvedAndTakenBack: Act[] = (['approve', 'pause', 'resume'] as const).map((what) => ({
      what,
      after: 0,
      isHasty: false,
    }));
    const plans = [
      approvedAndTakenBack,
      ...fc.sample(someActs, { seed: SEED, numRuns: ROUNDS * AT_ONCE - 1 }),
    ];
    for (let at = 0; at < plans.length; at += AT_ONCE) {
      const stories = plans.slice(at, at + AT_ONCE).map((plan) =>
        story(plan).catch((error: unknown) => {
          throw new Error(`${JSON.stringify(plan)}: ${String(error)}`);
        }),
      );
      await Promise.all(stories);
    }
  },
  60_000 + ROUNDS * PATIENCE_MS,
);
