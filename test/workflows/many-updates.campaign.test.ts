import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script } from '../../demo/script.ts';
import { createClient } from '../../src/cli/client.ts';
import { giveTo, TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { restartWith, temporalClient, waitUntil } from './helpers.ts';

const UPDATES = Number(process.env.GOALKEEPER_MANY_UPDATES ?? 60);
/** As many as a run takes of its own accord, where there are enough of them. */
const MAX_EVENTS = UPDATES < 2000 ? 250 : 4000;
const PATIENCE_MS = 300_000 + UPDATES * 400;

const CLIENTS = 6;
const MAX_CROWDED = 150;
const MAX_THINKING = 40;
/** What the ten updates that a run takes at once, and its own way to the end, may add. */
const UNDER_WAY_EVENTS = 200;

/** Asks to be left alone again and again, until somebody says that it is time. */
const patient: Script = ({ messages }) => {
  const isTime = messages.some(({ text }) => text.includes('It is time.'));
  if (!isTime) return reply.call('ask_user', { question: 'Shall I go on?' });
  return messages.some(({ text }) => text.includes('answer.txt.')) ? claim : write;
};

const scripts: Record<string, Script> = {
  patient,
  thinks: () => ({ text: 'Let me think', hang: 'after_text' }),
};

let goals: ScriptedGoals;
let temporal: Client;
const ids = { patient: '', crowded: '', thinks: '' };
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { worker: false });
  temporal = temporalClient(goals.world);
  const begin = async (name: string, maxEvents: number) => {
    const goalId = await goals.start(name, { budget: { turns: 1000 } });
    await giveTo(goals.world, goalId, TOKENS.agent);
    await restartWith(goals.world, temporal, goalId, maxEvents);
    return goalId;
  };
  ids.patient = await begin('patient', MAX_EVENTS);
  ids.crowded = await begin('patient', MAX_CROWDED);
  ids.thinks = await begin('thinks', MAX_THINKING);
  await goals.world.startWorker();
});
afterAll(async () => {
  await temporal.connection.close();
  await goals.world.close();
});

/** Events of each run. */
async function runLengths(goalId: string): Promise<number[]> {
  const lengths: number[] = [];
  let runId: string | undefined;
  for (;;) {
    const { events = [] } = await temporal.workflow
      .getHandle(`goal:${goalId}:2`, runId)
      .fetchHistory();
    lengths.unshift(events?.length ?? 0);
    const before = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (!before) return lengths;
    runId = before;
  }
}

/** Every tenth one leads the goal on and stops it again; the others change what doesn't. */
async function change(goalId: string, index: number): Promise<number> {
  const agent = createClient({ url: goals.world.url, token: TOKENS.agent });
  if (index % 10 === 0) {
    const led = await taken(goals.send(goalId, 'resume'));
    return led + (await taken(goals.send(goalId, 'pause')));
  }
  return index % 2 === 0
    ? await taken(goals.amend(goalId, { budget: { turns: 1000 + index } }))
    : await taken(agent.send('POST', `/v1/goals/${goalId}/messages`, { text: `Part ${index}.` }));
}

/** What the goal can't take just then is refused; anything else is a failure. */
async function taken(sent: Promise<unknown>): Promise<number> {
  try {
    await sent;
    return 1;
  } catch (error) {
    if ((error as { problem?: { code: string } }).problem?.code === 'invalid_transition') return 0;
    throw error;
  }
}

test(
  `a goal that takes ${UPDATES} changes continues as new on the way, and loses none of them`,
  async () => {
    const goalId = ids.patient;
    await goals.world.until(goalId, ({ status }) => status === 'paused');
    const begun = performance.now();
    let accepted = 0;
    for (let index = 0; index < UPDATES; index += 1) {
      accepted += await change(goalId, index);
    }
    const seconds = (performance.now() - begun) / 1000;
    const lengths = await runLengths(goalId);
    console.log(
      `${accepted} of ${UPDATES} and more changes in ${seconds.toFixed(1)} s, ${lengths.length} runs of at most ${Math.max(...lengths)} events`,
    );
    expect(lengths.length).toBeGreaterThan(1);
    const mutations = await goals.world.database`
      SELECT 1 FROM event WHERE goal_id = ${goalId}
        AND type IN ('goal.paused', 'goal.resumed', 'goal.amended', 'goal.messaged')`;
    expect(mutations.count).toBe(accepted);
    await goals.world.until(goalId, ({ status }) => status === 'paused');
    await goals.send(goalId, 'messages', { text: 'It is time.' });
    const { status } = await goals.world.until(
      goalId,
      (goal) => goal.status === 'complete' || goal.pause?.reason === 'message',
    );
    if (status !== 'complete') await goals.send(goalId, 'resume');
    await goals.world.until(goalId, (goal) => goal.status === 'complete');
  },
  PATIENCE_MS,
);

/** By a program, so that a paused goal stays where it is. */
async function tell(goalId: string, text: string): Promise<{ status: number; revision: number }> {
  const response = await fetch(`${goals.world.url}/v1/goals/${goalId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKENS.agent}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ text }),
  });
  const { revision } = (await response.json()) as { revision: number };
  return { status: response.status, revision };
}

/** Each sends one after the other, so that there is never a moment without one of them. */
const allTell = (goalId: string, each: number) =>
  Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const answers = [];
      for (let index = 0; index < each; index += 1)
        answers.push(await tell(goalId, `${client}.${index}`));
      return answers;
    }),
  );

async function heard(goalId: string): Promise<string[]> {
  const rows = await goals.world.database<{ text: string }[]>`
    SELECT text FROM inbox WHERE goal_id = ${goalId}`;
  return rows.map(({ text }) => text).toSorted();
}

test(
  'M11 six clients that never pause: each run ends at its threshold, and no change is lost, doubled or refused',
  async () => {
    const each = 12;
    const goalId = ids.crowded;
    await goals.world.until(goalId, ({ status }) => status === 'paused');
    const { revision } = await goals.world.get(goalId);
    const answers = (await allTell(goalId, each)).flat();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map((answer) => answer.revision).toSorted((a, b) => a - b)).toEqual(
      answers.map((_, index) => revision + 1 + index),
    );
    expect(await heard(goalId)).toHaveLength(CLIENTS * each);
    const lengths = await runLengths(goalId);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(MAX_CROWDED + UNDER_WAY_EVENTS);
  },
  PATIENCE_MS,
);

test(
  'a run whose turn takes long shuts its door before it is too long for the server, and a pause still gets in',
  async () => {
    const goalId = ids.thinks;
    await goals.asked(goalId);
    const flood = allTell(goalId, 8);
    const handle = temporal.workflow.getHandle(`goal:${goalId}:2`);
    await waitUntil(async () => (await handle.describe()).historyLength > 4 * MAX_THINKING);
    await goals.send(goalId, 'pause');
    const answers = (await flood).flat();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await heard(goalId)).toHaveLength(CLIENTS * 8);
    const lengths = await runLengths(goalId);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(4 * MAX_THINKING + UNDER_WAY_EVENTS);
  },
  PATIENCE_MS,
);
