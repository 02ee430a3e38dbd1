import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { goalIdOf, reply, type Script } from '../../demo/script.ts';
import type { ModelPort } from '../../src/contract/model.ts';
import { createRunningSlices } from '../../src/turn/running.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

/** By goal: model calls that are under way, and the most that ever were at the same time. */
const calls = new Map<string, { open: number; most: number }>();

/** Goals whose slice was stopped by Postgres's notice: before a heartbeat told of it. */
const heardAtOnce = new Set<string>();

function countCalls(ports: TurnPorts): TurnPorts {
  const model = Object.assign(Object.create(ports.model) as ModelPort, {
    async call(request: Parameters<ModelPort['call']>[0]) {
      const text = request.messages.at(-1)?.content.text ?? '';
      const goalId = text.match(/<goal id="([^"]*)"/)?.[1] ?? '';
      const before = calls.get(goalId) ?? { open: 0, most: 0 };
      const open = before.open + 1;
      calls.set(goalId, { open, most: Math.max(open, before.most) });
      try {
        return await ports.model.call(request);
      } finally {
        const { most } = calls.get(goalId) ?? { most: 0 };
        calls.set(goalId, { open: (calls.get(goalId)?.open ?? 1) - 1, most });
      }
    },
  });
  const running: TurnPorts['running'] = {
    ...ports.running,
    enter(goalId, parent) {
      const entered = ports.running.enter(goalId, parent);
      const hear = () => {
        if (!parent.aborted) heardAtOnce.add(goalId);
      };
      entered.signal.addEventListener('abort', hear, { once: true });
      return entered;
    },
  };
  return { ...ports, model, running };
}

/** The listener finds no slice to stop: only the workflow's own cancellation is left. */
const loseNotices = (ports: TurnPorts): TurnPorts => ({
  ...countCalls(ports),
  running: createRunningSlices(),
});

const scripts: Record<string, Script> = {
  hangs: () => ({ text: 'Let me think', hang: 'after_text' }),
  waits: () => reply.call('wait_for', { command: 'echo begun > begun.txt; sleep 300' }),
  sleeps: () => reply.call('run_command', { command: 'echo begun > begun.txt; sleep 300' }),
};

const opened: ScriptedGoals[] = [];
afterAll(async () => {
  for (const goals of opened) await goals.world.close();
});

async function open(wrapPorts: (ports: TurnPorts) => TurnPorts): Promise<ScriptedGoals> {
  const goals = await openScriptedGoals(scripts, { wrapPorts });
  opened.push(goals);
  return goals;
}

async function pauseUntilSettled(goals: ScriptedGoals, goalId: string): Promise<void> {
  await goals.send(goalId, 'pause');
  await goals.settled(goalId);
}

const partialTexts = (goals: ScriptedGoals, goalId: string) =>
  goals.world.database<{ text: string; isError: boolean }[]>`
    SELECT content->>'text' AS text, (content->>'isError')::boolean AS "isError" FROM message
    WHERE goal_id = ${goalId} AND voice = 'model'`;

describe('a pause', () => {
  let goals: ScriptedGoals;
  beforeEach(async () => {
    goals ??= await open(countCalls);
  });

  test('stops the model call at once, whose text so far is kept and marked', async () => {
    const goalId = await goals.start('hangs');
    await goals.asked(goalId);
    await waitUntil(() => calls.get(goalId)?.open === 1);
    await pauseUntilSettled(goals, goalId);
    expect(heardAtOnce).toContain(goalId);
    expect(calls.get(goalId)?.open).toBe(0);
    const kept = await partialTexts(goals, goalId);
    for (const { text, isError } of kept) expect([text, isError]).toEqual(['Let me think', true]);
  });

  test('ends the process group of a command, whose receipt is settled', async () => {
    const goalId = await goals.start('sleeps');
    const { seq } = await waitUntil(async () => {
      const [row] = await goals.world.database<{ seq: number }[]>`
        SELECT seq FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'`;
      return row;
    });
    await pauseUntilSettled(goals, goalId);
    expect(heardAtOnce).toContain(goalId);
    const rows = await goals.world.database<{ phase: string }[]>`
      SELECT phase FROM ledger WHERE goal_id = ${goalId} AND seq >= ${seq} ORDER BY seq`;
    expect(rows.map(({ phase }) => phase)).toEqual(['started', 'settled']);
  });

  test('ends the look of a wait, which counts for nothing', async () => {
    const path = await goals.world.workspace({});
    const goalId = await goals.start('waits', { workspace: { path } });
    await waitUntil(() => existsSync(join(path, 'begun.txt')));
    await goals.send(goalId, 'pause');
    await goals.settled(goalId);
    await waitUntil(() => heardAtOnce.has(goalId));
    const [election] = await goals.world.database<{ looks: number }[]>`
      SELECT looks FROM election WHERE goal_id = ${goalId}`;
    expect(election).toEqual({ looks: 0 });
  });

  test('that is resumed at once never lets two attempts ask at the same time', async () => {
    const goalId = await goals.start('hangs');
    const asked = () =>
      goals.world.model.requests.filter((request) => goalIdOf(request) === goalId).length;
    for (let round = 1; round <= 5; round += 1) {
      await waitUntil(() => asked() >= round && calls.get(goalId)?.open === 1);
      await goals.send(goalId, 'pause');
      await goals.send(goalId, 'resume');
    }
    await waitUntil(() => asked() >= 6);
    expect(calls.get(goalId)?.most).toBe(1);
    await goals.send(goalId, 'clear');
  });
});

describe('a pause whose notification is lost', () => {
  test('stops the model call by the heartbeat, and a resume in between waits for that', async () => {
    const goals = await open(loseNotices);
    const goalId = await goals.start('hangs');
    await waitUntil(() => calls.get(goalId)?.open === 1);
    await goals.send(goalId, 'pause');
    await goals.send(goalId, 'resume');
    await waitUntil(
      () => goals.world.model.requests.filter((one) => goalIdOf(one) === goalId).length >= 2,
    );
    expect(heardAtOnce).not.toContain(goalId);
    expect(calls.get(goalId)?.most).toBe(1);
    await goals.send(goalId, 'clear');
  });
});
