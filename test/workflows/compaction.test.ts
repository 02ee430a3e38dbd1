import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, type Script } from '../../demo/script.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { claim, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import {
  blockIn,
  compactionsOf,
  counting,
  isForNotes,
  NOTES,
  openCrowdedGoals,
  PARTS,
  parts,
  readPart,
  requestsOf,
  SMALL,
  TINY,
  talker,
  WINDOW,
} from './compaction-world.ts';
import { usageOf } from './provider-world.ts';

/** Reads part after part, then does what it is for; asks for notes get `notes`. */
const reader = (notes: Script, last: Script = () => claim): Script => {
  const works = counting((request, step) => {
    if (step <= PARTS) return readPart(step);
    return step === PARTS + 1 ? write : last(request);
  });
  return (request) => (isForNotes(request) ? notes(request) : works(request));
};

const recalls: Script = (request) =>
  request.messages.some(({ text }) => text.startsWith('t1.s1.1, as it was then'))
    ? claim
    : reply.call('recall', { ref: 't1.s1.1' });

const written = () => reply.text(NOTES);

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openCrowdedGoals({
    reader: reader(written, recalls),
    talker: talker(written),
    silent: talker(() => reply.text(' ')),
    filtered: talker(() => ({ text: 'So', finishReason: 'content_filter' })),
    endless: talker(() => reply.text('word '.repeat(40_000))),
  });
});
afterAll(() => goals.world.close());

const run = async (name: string, goal = {}) => {
  const workspace = { path: await goals.world.workspace(parts(PARTS)) };
  return await goals.run(name, { model: SMALL, workspace, ...goal });
};

describe('a conversation that grows too long', () => {
  test('old results are shortened first, without a call, and the model reads them again', async () => {
    const goal = await run('reader');
    expect(goal.status).toBe('complete');
    const made = await compactionsOf(goals, goal.goalId);
    expect(made.length).toBeGreaterThan(1);
    expect(made[0]).toMatchObject({ number: 1, reason: 'window', notesBy: null });
    const requests = requestsOf(goals, goal.goalId);
    for (const request of requests) expect(blockIn(request)).toContain('<objective>\nreader: go');
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(
      `/v1/goals/${goal.goalId}/ledger?tool=recall&limit=10`,
    );
    expect(items.map(({ outcome }) => outcome)).toEqual([undefined, 'succeeded']);
    const again = requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
    expect(again?.text).toContain('part 1 line 59');
  });

  test('notes of the model take the place of older messages, charged like each call', async () => {
    const goal = await run('talker');
    expect(goal.status).toBe('complete');
    const made = await compactionsOf(goals, goal.goalId);
    expect(made.map(({ notesBy }) => notesBy)).toContain('model');
    for (const { tokensBefore, tokensAfter } of made) {
      expect(tokensBefore).toBeGreaterThan(WINDOW * 0.8);
      expect(tokensAfter).toBeLessThan(WINDOW * 0.8);
    }
    const { usage, stepSums, steps } = await usageOf(goals, goal.goalId);
    const notes = steps.filter(({ kind }) => kind === 'compaction');
    expect(notes.map(({ state }) => state)).toEqual(made.map(() => 'committed'));
    expect(notes.every(({ inputTokens }) => inputTokens > 1000)).toBe(true);
    expect([usage.tokens, usage.costUsd]).toEqual([stepSums.tokens, stepSums.costUsd]);
    const last = requestsOf(goals, goal.goalId).at(-1);
    expect(last?.messages.some(({ text }) => text.includes(NOTES))).toBe(true);
    const [kept] = await goals.world.database<[{ messages: number }]>`
      SELECT count(*)::int AS messages FROM message WHERE goal_id = ${goal.goalId}`;
    expect(kept.messages).toBeGreaterThan(2 * 8);
    const events = await goals.world.database`
      SELECT data FROM event WHERE goal_id = ${goal.goalId} AND type = 'conversation.compacted'
      ORDER BY seq`;
    expect(events.map(({ data }) => data.number)).toEqual(made.map(({ number }) => number));
  });

  test.each(['silent', 'filtered', 'endless'])(
    'where the notes are of no use (%s), the host lists the calls, and the goal goes on',
    { tags: 'campaign' },
    async (name) => {
      const goal = await run(name);
      expect(goal.status).toBe('complete');
      const made = await compactionsOf(goals, goal.goalId);
      expect(new Set(made.map(({ notesBy }) => notesBy))).toEqual(new Set(['host']));
      const { usage, stepSums, steps } = await usageOf(goals, goal.goalId);
      const asked = steps.filter(({ kind }) => kind === 'compaction');
      // What goes on for ever is a fault of the provider, and gets a second chance.
      expect(asked).toHaveLength(made.length * (name === 'endless' ? 2 : 1));
      expect([usage.tokens, usage.costUsd]).toEqual([stepSums.tokens, stepSums.costUsd]);
      const shown = requestsOf(goals, goal.goalId).at(-1)?.messages ?? [];
      expect(shown.some(({ text }) => /- t1\.s\d+\.1 list_files : succeeded/.test(text))).toBe(
        true,
      );
    },
  );

  test('a goal whose own words fill the window pauses, and says what to do', async () => {
    const goal = await run('talker', { model: TINY });
    expect(goal.pause).toMatchObject({ reason: 'provider_error' });
    expect(goal.pause?.message).toMatch(/nothing more can be left out.*3200 tokens.*larger window/);
    await goals.amend(goal.goalId, { model: SMALL });
    await goals.send(goal.goalId, 'resume');
    expect((await goals.rest(goal.goalId)).status).toBe('complete');
  });
});
