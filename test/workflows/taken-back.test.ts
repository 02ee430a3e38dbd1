import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { SentMessage } from '../../schema/sent-message.ts';
import type { Turn } from '../../schema/turn.ts';
import { createClient } from '../../src/cli/client.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { answerExists, claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { waitUntil } from './helpers.ts';

const ask = reply.call('ask_user', { question: 'Shall I go on?' });
const looks = reply.call('list_files', {});
const sleeps = reply.call('run_command', {
  command: 'touch begun.txt; sleep 600; touch ended.txt',
});
/** Destructive to the policy. */
const removes = reply.call('run_command', { command: 'rm -rf old' });
const scripts = {
  looks: sequence([looks, looks, write('answer.txt'), claim()]),
  asks: sequence([ask, write('answer.txt'), claim()]),
  sleeps: sequence([sleeps, write('answer.txt'), claim()]),
  removes: sequence([removes, write('answer.txt'), claim()]),
};

/** What happens right before the goal's turn opens, or right before and after it takes messages. */
const at: { [Moment in 'opens' | 'takes' | 'took']?: () => Promise<unknown> } = {};

function atMoments(ports: TurnPorts): TurnPorts {
  const { journal } = ports;
  return {
    ...ports,
    journal: {
      ...journal,
      async openTurn(fence, turn) {
        await at.opens?.();
        return await journal.openTurn(fence, turn);
      },
      async takeSteering(fence, turn) {
        await at.takes?.();
        await journal.takeSteering(fence, turn);
        await at.took?.();
      },
      async beginStep(fence, step) {
        const { steered } = said;
        if (steered !== null && step.step === 2) await steered();
        return await journal.beginStep(fence, step);
      },
    },
  };
}

/** Said right before the second model call begins. */
const said: { steered: (() => Promise<unknown>) | null } = { steered: null };

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
beforeAll(async () => {
  the = await openApprovalWorld(scripts, { worker: false });
  await the.world.startWorker(atMoments);
});
afterAll(() => the.world.close());
beforeEach(() => {
  said.steered = null;
  for (const moment of ['opens', 'takes', 'took'] as const) delete at[moment];
});

const clientOf = (role: keyof typeof TOKENS) =>
  createClient({ url: the.world.url, token: TOKENS[role] });
const say = (goalId: string, text: string, delivery: string, role: keyof typeof TOKENS = 'admin') =>
  clientOf(role).send('POST', `/v1/goals/${goalId}/messages`, { text, delivery });
const sent = async (goalId: string) =>
  (await the.world.client.get<{ items: SentMessage[] }>(`/v1/goals/${goalId}/messages`)).items;
const takeBack = (goalId: string, messageId: string, role: keyof typeof TOKENS = 'admin') =>
  clientOf(role).send<{ revision: number; status: string }>(
    'POST',
    `/v1/goals/${goalId}/messages/${messageId}/take-back`,
    {},
  );
const newest = async (goalId: string) => {
  const [message] = await sent(goalId);
  if (message === undefined) throw new Error('nothing was sent');
  return message;
};
/** Once: what is said before the second call, and what then comes of the turn. */
const steering = (goalId: () => string, text: string) => {
  said.steered = async () => {
    said.steered = null;
    await say(goalId(), text, 'steer');
  };
};

test('API-63 a message that waits is taken back: no model call reads it, the record says by whom and when, and a repeat is the same answer', async () => {
  let id = '';
  steering(() => id, 'Paint it green.');
  const revisions: number[] = [];
  at.takes = async () => {
    delete at.takes;
    const { messageId, state } = await newest(id);
    expect(state).toBe('waiting');
    revisions.push((await takeBack(id, messageId)).revision);
    revisions.push((await takeBack(id, messageId)).revision);
  };
  at.opens = async () => {
    delete at.opens;
    await waitUntil(() => id !== '');
  };
  ({ goalId: id } = await the.open('looks', { criteria: [answerExists] }));
  await the.world.until(id, ({ status }) => status === 'complete');
  expect(revisions[0]).toBe(revisions[1]);
  expect(await newest(id)).toMatchObject({
    ...{ state: 'taken_back', turn: null, takenBackBy: expect.any(String) },
    takenBackAt: expect.stringMatching(/^\d{4}-/),
  });
  expect(the.wasTold(id, 'Paint it green.')).toBe(false);
  const types = await the.eventTypes(id);
  expect(types.filter((type) => type === 'goal.message_taken_back')).toHaveLength(1);
});

test('API-64 what a turn has taken is read, and the refusal names the turn', async () => {
  let id = '';
  steering(() => id, 'Paint it blue.');
  const refused: unknown[] = [];
  at.took = async () => {
    delete at.took;
    refused.push(await problemOf(takeBack(id, (await newest(id)).messageId)));
  };
  at.opens = async () => {
    delete at.opens;
    await waitUntil(() => id !== '');
  };
  ({ goalId: id } = await the.open('looks', { criteria: [answerExists] }));
  await the.world.until(id, () => refused.length > 0);
  expect(refused).toMatchObject([{ code: 'invalid_transition', field: 'messageId', turn: 1 }]);
  await the.world.until(id, ({ status }) => status === 'complete');
  expect(the.wasTold(id, 'Paint it blue.')).toBe(true);
  expect(await newest(id)).toMatchObject({ state: 'read', turn: 1 });
  const { messageId } = await newest(id);
  expect((await problemOf(takeBack(id, messageId))).code).toBe('invalid_transition');
});

test('API-65 a goal that was paused until the message came pauses again where it is taken back, and its question stays open', async () => {
  const { goalId } = await the.open('asks', { criteria: [answerExists] });
  await the.world.until(goalId, ({ status }) => status === 'paused');
  at.opens = async () => {
    delete at.opens;
    await takeBack(goalId, (await newest(goalId)).messageId);
  };
  await say(goalId, 'Wait, which one?', 'pause');
  const goal = await waitUntil(async () => {
    const found = await the.world.get(goalId);
    return found.pause?.message.includes('taken back') ? found : null;
  });
  expect(goal).toMatchObject({ status: 'paused', pause: { reason: 'person' } });
  const path = `/v1/goals/${goalId}/question`;
  const { question } = await the.world.client.get<{ question: { questionId: string } }>(path);
  await the.send(goalId, 'answers', { questionId: question.questionId, text: 'Yes.' });
  await the.world.until(goalId, ({ status }) => status === 'complete');
  expect(the.wasTold(goalId, 'which one?')).toBe(false);
});

test('WHO-15 who sent a message takes it back, an operator what a program sent, an admin whatever waits', async () => {
  const { goalId } = await the.open('sleeps', { criteria: [answerExists] });
  await giveTo(the.world, goalId, TOKENS.agent);
  await waitUntil(async () =>
    (await the.eventTypes(goalId)).includes('call.started') ? true : null,
  );
  await say(goalId, 'From a program.', 'steer', 'agent');
  const ofProgram = (await newest(goalId)).messageId;
  await say(goalId, 'From the operator.', 'steer', 'operator');
  const ofOperator = (await newest(goalId)).messageId;
  for (const role of ['agent', 'viewer'] as const)
    expect(await problemOf(takeBack(goalId, ofOperator, role))).toMatchObject({
      code: 'forbidden',
    });
  expect(await problemOf(takeBack(goalId, 'm-none'))).toMatchObject({
    ...{ code: 'not_found', field: 'messageId' },
  });
  await takeBack(goalId, ofProgram, 'operator');
  await takeBack(goalId, ofOperator, 'admin');
  expect((await sent(goalId)).map(({ state }) => state)).toEqual(['taken_back', 'taken_back']);
  await the.send(goalId, 'clear');
});

test('API-66 a message said now ends the running command and reaches the next model call, in one act; a program may not', async () => {
  const { goalId, path } = await the.open('sleeps', { criteria: [answerExists] });
  await giveTo(the.world, goalId, TOKENS.agent);
  await waitUntil(() => existsSync(join(path, 'begun.txt')));
  expect(await problemOf(say(goalId, 'Stop.', 'now', 'agent'))).toMatchObject({
    ...{ code: 'forbidden', field: 'delivery' },
  });
  expect(await sent(goalId)).toEqual([]);
  await say(goalId, 'Leave the sleeping.', 'now');
  const goal = await the.world.until(goalId, ({ status }) => status === 'complete');
  expect(goal.usage.own.turns).toBe(1);
  expect(the.wasTold(goalId, 'stopped it before it ended')).toBe(true);
  expect(the.wasTold(goalId, 'Leave the sleeping.')).toBe(true);
  expect(existsSync(join(path, 'ended.txt'))).toBe(false);
  const stops = await the.world.database`SELECT 1 FROM call_stop WHERE goal_id = ${goalId}`;
  expect(stops.count).toBe(1);
});

test('API-67 a message said now where no command runs is read by the next model call, and stops nothing', async () => {
  let id = '';
  said.steered = async () => {
    said.steered = null;
    await say(id, 'Mind the gap.', 'now');
  };
  at.opens = async () => {
    delete at.opens;
    await waitUntil(() => id !== '');
  };
  ({ goalId: id } = await the.open('looks', { criteria: [answerExists] }));
  await the.world.until(id, ({ status }) => status === 'complete');
  expect(the.wasTold(id, 'Mind the gap.')).toBe(true);
  const stops = await the.world.database`SELECT 1 FROM call_stop WHERE goal_id = ${id}`;
  expect(stops.count).toBe(0);
});

test.each(['steer', 'now'])(
  'CON-173 what a person says (%s) while a call waits for approval leads the goal on: it is read, and the call is not run',
  async (delivery) => {
    const { goalId, path } = await the.open(
      'removes',
      { criteria: [answerExists] },
      { 'old/file.txt': 'x\n' },
    );
    const approval = await the.asked(goalId);
    await say(goalId, 'Leave the old files.', delivery);
    await the.world.until(goalId, ({ status }) => status === 'complete');
    expect(await newest(goalId)).toMatchObject({ state: 'read' });
    expect(the.wasTold(goalId, 'Leave the old files.')).toBe(true);
    expect((await problemOf(the.decide(approval, 'approve'))).code).toBe('already_answered');
    expect(existsSync(join(path, 'old/file.txt'))).toBe(true);
  },
);

test('CON-182 a turn names each message that it read by its id, also two of the same words', async () => {
  let id = '';
  said.steered = async () => {
    said.steered = null;
    await say(id, 'Go on.', 'steer');
    await say(id, 'Go on.', 'steer');
  };
  at.opens = async () => {
    delete at.opens;
    await waitUntil(() => id !== '');
  };
  ({ goalId: id } = await the.open('looks', { criteria: [answerExists] }));
  await the.world.until(id, ({ status }) => status === 'complete');
  const { items } = await the.world.client.get<{ items: Turn[] }>(`/v1/goals/${id}/turns`);
  const read = items.flatMap(({ messages }) => messages.filter(({ voice }) => voice === 'person'));
  expect(read.map(({ text }) => text)).toEqual(['Go on.', 'Go on.']);
  const ids = (await sent(id)).map(({ messageId }) => messageId);
  expect(read.map(({ messageId }) => messageId)).toEqual(ids.toReversed());
});

test('CON-185 three messages that are said now at once are each read once, and the command is ended once', async () => {
  const { goalId, path } = await the.open('sleeps', { criteria: [answerExists] });
  await waitUntil(() => existsSync(join(path, 'begun.txt')));
  const words = ['Leave it.', 'Leave the sleeping.', 'Write the answer.'];
  const all = Promise.all(words.map((text) => say(goalId, text, 'now')));
  at.takes = async () => {
    delete at.takes;
    await all;
  };
  await the.world.until(goalId, ({ status }) => status === 'complete');
  const { items } = await the.world.client.get<{ items: Turn[] }>(`/v1/goals/${goalId}/turns`);
  const read = items.flatMap(({ messages }) => messages.filter(({ voice }) => voice === 'person'));
  expect(read.map(({ text }) => text).toSorted()).toEqual(words.toSorted());
  expect((await sent(goalId)).map(({ state }) => state)).toEqual(['read', 'read', 'read']);
  const stops = await the.world.database`SELECT 1 FROM call_stop WHERE goal_id = ${goalId}`;
  expect(stops.count).toBe(1);
  expect(existsSync(join(path, 'ended.txt'))).toBe(false);
});
