import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
  sequence,
} from '../../demo/script.ts';
import type { TextPiece } from '../../src/contract/live.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { readStream } from './world-calls.ts';

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ0123456789';
const said = `First I read the module, then the tests. ${SECRET} lies there. Now I write.`;
const shown = said.replace(SECRET, '[masked]');

const ask = reply.call('ask_user', { question: 'And now?' });
const slowly = (text: string, pieceDelayMs: number): ScriptedReply => ({
  ...reply.call('read_file', { path: 'package.json' }, text),
  pieceDelayMs,
});

const scripts: Record<string, Script> = {
  speaks: sequence([slowly(said, 120), ask]),
  hangs: sequence([{ text: 'I begin to think about it', hang: 'after_text' }]),
};

let world: GoalWorld;
beforeAll(async () => {
  world = await openGoalWorld({
    script: (request) => (scripts[objectiveOf(request)] ?? sequence([ask]))(request),
  });
});
afterAll(() => world.close());

const start = async (objective: string) => {
  const path = await world.workspace({ 'package.json': '{}' });
  return (await world.start({ objective, criteria: [], workspace: { path } })).goalId;
};

type Told = Awaited<ReturnType<typeof readStream>>[number];
const piecesOf = (events: readonly Told[]): TextPiece[] =>
  events
    .filter(({ event }) => event === 'model.text')
    .map(({ data }) => (data as unknown as { data: TextPiece }).data);

test('what a model says is told to those who watch while it says it, masked, and stored nowhere', async () => {
  let goalId = '';
  const isEnd = ({ event, data }: Told) =>
    event === 'model.text' && (data as unknown as { data: TextPiece }).data.isEnd === true;
  goalId = await start('speaks');
  const events = await readStream(world, `/v1/goals/${goalId}/events`, { isLast: isEnd });
  // The next answer may begin in the notice that tells the end of this one.
  const pieces = piecesOf(events).filter(({ step }) => step === 1);
  // How many they are is told by how busy the machine is.
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces[0]).toMatchObject({ turn: 1, step: 1, attempt: 1 });
  const heard = pieces.reduce((text, { start, text: piece }) => text.slice(0, start) + piece, '');
  expect(heard).toBe(shown);
  expect(pieces.map(({ text }) => text).join('')).not.toContain(SECRET.slice(0, 20));
  // Told behind the commit: who asks for the turn then finds all of it there.
  const path = `/v1/goals/${goalId}/turns`;
  const { items } = await world.client.get<{ items: { messages: { text: string }[] }[] }>(path);
  expect(items.flatMap(({ messages }) => messages.map(({ text }) => text))).toContain(shown);
  await world.until(goalId, ({ status }) => status === 'paused');
});

test('who comes later, or comes back, is told from the beginning what runs, and that it still runs', async () => {
  const goalId = await start('hangs');
  for (const path of [`/v1/goals/${goalId}/events`, `/v1/events?goal=${goalId}`]) {
    let heard = '';
    const events = await readStream(world, path, {
      isLast: ({ event, data }) => {
        if (event !== 'model.text') return false;
        const { start, text } = (data as unknown as { data: TextPiece }).data;
        heard = heard.slice(0, start) + text;
        return heard.startsWith('I begin to think about');
      },
    });
    expect(piecesOf(events)[0]?.start).toBe(0);
  }
  const beats = await readStream(world, `/v1/events?goal=${goalId}`, {
    isLast: ({ event, data }) =>
      event === 'model.text' && (data as unknown as { data: TextPiece }).data.text === '',
  });
  expect(piecesOf(beats).at(-1)?.isEnd).toBeUndefined();
  await world.client.send('POST', `/v1/goals/${goalId}/pause`, {});
  await world.until(goalId, ({ status }) => status === 'paused');
});
