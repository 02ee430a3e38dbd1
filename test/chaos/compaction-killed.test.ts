import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply } from '../../demo/script.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { NOTES, PARTS, SMALL, talker, writeSmallWindows } from '../workflows/compaction-world.ts';
import { type Fault, hasStruck, nameOf, threadOf } from './faults.ts';
import { type SupervisedWorker, superviseWorker } from './supervisor.ts';

/** The call for the first notes is one of these; the second compaction is another matter. */
const CALLS = [4, 5, 6, 7].flatMap((time) =>
  ['model.call:before', 'model.call:after'].map((point): Fault => ({ point, time })),
);
const COMMITS = [1, 2].flatMap((time) =>
  ['journal.commitCompaction:before', 'journal.commitCompaction:after'].map(
    (point): Fault => ({ point, time }),
  ),
);

interface StepRow {
  readonly kind: string;
  readonly step: number;
  readonly state: string;
  readonly estimated: boolean;
  readonly tokens: number;
}

let world: GoalWorld;
let worker: SupervisedWorker;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goalkeeper-compaction-'));
  world = await openGoalWorld({
    // What a death lets be asked again counts as said: enough for two compactions all the same.
    script: talker(() => reply.text(NOTES), {}, 2 * PARTS),
    worker: false,
    environment: { GOALKEEPER_PRICES: await writeSmallWindows() },
  });
  worker = await superviseWorker(world, { folder });
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

for (const fault of [...COMMITS, ...CALLS]) {
  test.concurrent(`each compaction is made and paid once, also where its worker is killed at ${nameOf(fault)}`, async () => {
    const { goalId } = await world.start({
      objective: 'Talk about it.',
      model: SMALL,
      criteria: [{ kind: 'command', command: 'grep -qx 42 answer.txt' }],
      threadId: threadOf([fault], crypto.randomUUID()),
      workspace: { path: await world.workspace({}) },
    });
    const goal = await world.until(goalId, ({ status }) => status === 'complete', 300_000);
    expect(hasStruck(folder, goalId, fault)).toBe(true);
    const made = await world.database<{ number: number; notes_by: string }[]>`
      SELECT number, notes_by FROM compaction WHERE goal_id = ${goalId} ORDER BY number`;
    expect(made.length).toBeGreaterThan(0);
    expect(made.map(({ number }) => number)).toEqual(made.map((_, index) => index + 1));
    const steps = await world.database<StepRow[]>`
      SELECT kind, step, state, is_estimated AS estimated,
        input_tokens - cached_input_tokens + output_tokens AS tokens
      FROM step WHERE goal_id = ${goalId}`;
    const notes = steps.filter(({ kind }) => kind === 'compaction');
    for (const { number, notes_by } of made) {
      const asked = notes.filter(({ step }) => step === number);
      const states = asked.map(({ state }) => state);
      // Other goals of the worker have faults of their own, which may kill one call again and again.
      const isGivenUp = states.length > 1 && states.every((state) => state === 'lost');
      expect(notes_by).toBe(isGivenUp ? 'host' : 'model');
      expect(states.filter((state) => state === 'committed')).toHaveLength(isGivenUp ? 0 : 1);
    }
    const lost = steps.filter(({ state }) => state !== 'committed');
    expect(lost.every(({ state, estimated }) => state === 'lost' && estimated)).toBe(true);
    expect(goal.usage.tokens).toBe(steps.reduce((sum, { tokens }) => sum + tokens, 0));
  });
}
