import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  flaky,
  goalIdOf,
  reply,
  type Script,
  type ScriptedReply,
  sequence,
} from '../../demo/script.ts';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { RunningWorker } from '../../src/app/run-worker.ts';
import { SANDBOX } from '../sandbox/support.ts';
import { describeWith } from '../support/needs.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { startWorkerProcess } from './worker-process.ts';

const works = sequence([write, claim]);
const PASS = JSON.stringify({ verdict: 'pass', findings: [] });

/** A request without tools is one to the reviewer; its first call ends like this. */
const reviewed =
  (first: ScriptedReply): Script =>
  (request) =>
    request.tools.length > 0 ? works(request) : flaky([first], () => reply.text(PASS))(request);

const scripts: Record<string, Script> = {
  works,
  'review-hangs': reviewed({ hang: 'before' }),
  'review-falls-silent': reviewed({ text: PASS, hang: 'after_text' }),
  'review-is-cut': reviewed({ text: PASS, cutAfter: { characters: 12, how: 'socket' } }),
};

let goals: ScriptedGoals;
let worker: RunningWorker | null = null;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { worker: false });
});
afterEach(async () => {
  worker?.stop();
  await worker?.done;
  worker = null;
});
afterAll(() => goals.world.close());

async function startWorker(): Promise<void> {
  worker = await goals.world.startWorker();
}

const requestsOf = (goalId: string) =>
  goals.world.model.requests.filter((request) => goalIdOf(request) === goalId);

describeWith(SANDBOX, 'a worker killed after a person granted what was asked', () => {
  const question = { kind: 'approval', question: 'Is it the right one?' } as const;

  /** The test and the command of a goal speak by files that a sandbox shows to checks as well. */
  async function held(goalId: string): Promise<string> {
    const home = goals.world.environment.GOALKEEPER_HOME ?? '';
    const cache = join(home, 'sandbox', goalId, 'home/.cache');
    await mkdir(cache, { recursive: true });
    const hold = join(cache, 'hold');
    await writeFile(hold, '');
    return hold;
  }

  async function granted() {
    const first = startWorkerProcess(goals.world);
    const command =
      'test -f answer.txt && { cd ~/.cache || exit 0; [ ! -f hold ] || { touch hold.met; sleep 60; }; }';
    const goalId = await goals.start('works', {
      criteria: [{ kind: 'command', command }, question],
    });
    const approval = await waitUntil(async () => (await openApprovals(goalId))[0]);
    const hold = await held(goalId);
    const asked = requestsOf(goalId).length;
    await goals.send(goalId, `approvals/${approval.approvalId}`, { decision: 'approve' });
    return { first, goalId, asked, hold };
  }

  test('before its recheck: the recheck happens all the same, without a model call', async () => {
    const { first, goalId, asked, hold } = await granted();
    await first.kill();
    await rm(hold);
    expect((await goals.world.get(goalId)).status).toBe('active');
    await startWorker();
    const goal = await goals.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal.completion).toMatchObject({ verification: 'verified', result: 'It is written.' });
    expect(requestsOf(goalId)).toHaveLength(asked);
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
      `/v1/goals/${goalId}/ledger?limit=100`,
    );
    const tokens = items
      .filter(({ phase, tool }) => phase === 'settled' && tool === 'check.gate')
      .map(({ token }) => token);
    expect(new Set(tokens).size).toBeGreaterThan(1);
  });

  const openApprovals = async (goalId: string) =>
    (
      await goals.world.client.get<{ items: Approval[] }>(
        `/v1/approvals?goalId=${goalId}&state=open`,
      )
    ).items;
});

describe('the model call of a review that does not come to its end', () => {
  const criteria = [
    { kind: 'review' as const, rubric: 'It has to be 42.' },
    { kind: 'file' as const, path: 'answer.txt', matches: '42' },
  ];
  const reviewsOf = (name: string) =>
    goals.world.model.requests.filter(
      ({ tools, messages }) =>
        tools.length === 0 && messages.some(({ text }) => text.includes(`${name}: go`)),
    );

  interface Charge {
    readonly state: string;
    readonly isEstimated: boolean;
    readonly tokens: number;
  }

  async function chargesOf(goalId: string) {
    const rows = await goals.world.database<(Charge & { kind: string })[]>`
      SELECT kind, state, is_estimated AS "isEstimated",
        input_tokens - cached_input_tokens + output_tokens AS tokens
      FROM step WHERE goal_id = ${goalId} ORDER BY turn, kind DESC, step, attempt`;
    return { all: rows, reviews: rows.filter(({ kind }) => kind === 'review') };
  }

  async function expectChargedOnce(goalId: string, state: string): Promise<void> {
    const goal = await goals.world.until(goalId, ({ status }) => status !== 'active');
    expect(goal).toMatchObject({ status: 'complete', completion: { verification: 'verified' } });
    const { all, reviews } = await chargesOf(goalId);
    expect(reviews).toMatchObject([
      { state, isEstimated: true },
      { state: 'committed', isEstimated: false },
    ]);
    expect(reviews.every(({ tokens }) => tokens > 0)).toBe(true);
    expect(goal.usage.tokens).toBe(all.reduce((sum, { tokens }) => sum + tokens, 0));
  }

  test('R40 a broken connection: what had come is charged once, and it is asked again', async () => {
    await startWorker();
    const goalId = await goals.start('review-is-cut', { criteria });
    await expectChargedOnce(goalId, 'failed');
    expect(reviewsOf('review-is-cut')).toHaveLength(2);
  });

  test.each(['review-hangs', 'review-falls-silent'])(
    'M6 a worker that is killed, %s: its call is charged once, and the gate goes on',
    async (name) => {
      const first = startWorkerProcess(goals.world);
      const goalId = await goals.start(name, { criteria });
      await waitUntil(() => reviewsOf(name).length === 1);
      await first.kill();
      await startWorker();
      await expectChargedOnce(goalId, 'lost');
      expect(reviewsOf(name)).toHaveLength(2);
    },
  );
});
