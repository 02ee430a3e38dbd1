import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script } from '../../demo/script.ts';
import { createClient } from '../../src/cli/client.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { restartWith, temporalClient } from './helpers.ts';

const UPDATES = Number(process.env.GOALKEEPER_MANY_UPDATES ?? 120);
/** As many as a run takes of its own accord, where there are enough of them. */
const MAX_EVENTS = UPDATES < 2000 ? 250 : 4000;
const PATIENCE_MS = 30_000 + UPDATES * 400;

/** Asks to be left alone again and again, until somebody says that it is time. */
const patient: Script = ({ messages }) => {
  const isTime = messages.some(({ text }) => text.includes('It is time.'));
  if (!isTime) return reply.call('ask_user', { question: 'Shall I go on?' });
  return messages.some(({ text }) => text.includes('answer.txt.')) ? claim : write;
};

let goals: ScriptedGoals;
let temporal: Client;
beforeAll(async () => {
  goals = await openScriptedGoals({ patient }, { worker: false });
  temporal = await temporalClient(goals.world);
});
afterAll(async () => {
  await temporal.connection.close();
  await goals.world.close();
});

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
    const goalId = await goals.start('patient', { budget: { turns: 1000 } });
    await restartWith(goals.world, temporal, goalId, MAX_EVENTS);
    await goals.world.startWorker();
    await goals.world.until(goalId, ({ status }) => status === 'paused', 60_000);
    const begun = performance.now();
    let accepted = 0;
    // One after the other: a run that is never idle ends only where the server takes no more.
    for (let index = 0; index < UPDATES; index += 1) {
      accepted += await change(goalId, index);
    }
    const seconds = (performance.now() - begun) / 1000;
    const lengths: number[] = [];
    const query = `WorkflowId = 'goal:${goalId}:2'`;
    for await (const { historyLength } of temporal.workflow.list({ query })) {
      lengths.push(historyLength ?? 0);
    }
    console.log(
      `${accepted} of ${UPDATES} and more changes in ${seconds.toFixed(1)} s, ${lengths.length} runs of at most ${Math.max(...lengths)} events`,
    );
    expect(lengths.length).toBeGreaterThan(1);
    const mutations = await goals.world.database`
      SELECT 1 FROM event WHERE goal_id = ${goalId}
        AND type IN ('goal.paused', 'goal.resumed', 'goal.amended', 'goal.messaged')`;
    expect(mutations.count).toBe(accepted);
    await goals.world.until(goalId, ({ status }) => status === 'paused', 60_000);
    await goals.send(goalId, 'messages', { text: 'It is time.' });
    const { status } = await goals.world.until(
      goalId,
      (goal) => goal.status === 'complete' || goal.pause?.reason === 'message',
      60_000,
    );
    if (status !== 'complete') await goals.send(goalId, 'resume');
    await goals.world.until(goalId, (goal) => goal.status === 'complete', 60_000);
  },
  PATIENCE_MS,
);
