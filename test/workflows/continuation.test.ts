import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assistantMessages, goalIdOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { barrier } from './helpers.ts';

const list = reply.call('list_files', {});
const look = (glob: string) => ({ tool: 'list_files', input: { glob } });
const goesOn = reply.text('Now I need to look at the files.');

/** A read and a word, turn after turn. */
const reads: Script = (request) => {
  const position = assistantMessages(request);
  return position % 2 === 0
    ? reply.calls([look(`*${position}`)])
    : reply.text('I looked at the list.');
};

const scripts: Record<string, Script> = {
  reads,
  goesOn: sequence([list, goesOn, goesOn]),
  lukewarm: sequence([reply.calls([look('a'), look('b')]), reply.text('I looked at it.'), claim]),
  talkative: sequence([
    reply.calls([look('a')], 'Now I need to look at more.'),
    reply.calls([look('b')], 'Let me look at the rest.'),
    reply.calls([look('c')], 'Next I will write it.'),
    write,
    claim,
  ]),
  found: sequence([
    reply.calls([look('a'), look('b'), look('c')]),
    reply.text('Here is what I found: the answer. It is the result, see here.'),
    write,
    claim,
  ]),
  swahili: sequence([reply.text('Kazi imekamilika, kila kitu kiko tayari.')]),
  streak: sequence([
    reply.text('Hm.'),
    reply.text('Well.'),
    list,
    reply.text('So.'),
    reply.text('Hm.'),
    reply.text('Well.'),
    reply.text('So.'),
  ]),
  long: sequence([reply.calls([look('a')]), reply.calls([look('b')]), write, claim]),
};

const between: { unread: (() => Promise<void>) | null } = { unread: null };
const wrapPorts = (ports: TurnPorts): TurnPorts => ({
  ...ports,
  journal: {
    ...ports.journal,
    async unread(goalId) {
      const unread = await ports.journal.unread(goalId);
      await between.unread?.();
      return unread;
    },
  },
});

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts, { wrapPorts });
});
afterAll(() => goals.world.close());
beforeEach(() => {
  between.unread = null;
});

describe('what a turn that only ends says', () => {
  test('F9 a score of 40 to 59 leaves a warning with its five parts and names what is missing', async () => {
    const { goalId } = await goals.run('lukewarm');
    const [event] = await goals.world.database<{ data: object }[]>`
      SELECT data FROM event WHERE goal_id = ${goalId} AND type = 'turn.settled' ORDER BY seq`;
    expect(event?.data).toMatchObject({
      rule: 11,
      action: 'nudge',
      isWarning: true,
      score: { total: 45, finishReason: 0, toolResult: 25, intent: 0, noSummary: 10, ratio: 10 },
    });
    const heard = goals.world.model.requests.findLast((asked) => goalIdOf(asked) === goalId);
    expect(heard?.messages.some(({ text }) => text.includes('Criterion c1 is unmet'))).toBe(true);
  });

  test('C1 no words end a goal: "here", "found", "result", "answer" after three tools go on', async () => {
    const goal = await goals.run('found');
    expect(await goals.story(goal.goalId)).toEqual([
      expect.stringMatching(/^start: 11 (nudge|continue)$/),
      'nudge: 4 complete',
    ]);
  });

  test('F16 in a language without phrases it comes to the same safe end', async () => {
    const goal = await goals.run('swahili');
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.usage.turns).toBe(3);
  });

  test('F12 while tools are called nobody asks for a score, whatever the words beside them', async () => {
    const { goalId, status } = await goals.run('talkative');
    expect(status).toBe('complete');
    expect(await goals.story(goalId)).toEqual(['start: 4 complete']);
  });

  test('F15 a pause that comes while the turn is weighed voids the continuation that it earned', async () => {
    const gate = barrier();
    between.unread = gate.pass;
    const goalId = await goals.start('goesOn');
    await gate.reached;
    await goals.send(goalId, 'pause');
    gate.open();
    await goals.settled(goalId);
    expect(await goals.story(goalId)).toEqual(['start: 1 hold']);
    expect((await goals.world.get(goalId)).pause?.reason).toBe('person');
    await goals.send(goalId, 'resume');
    await goals.rest(goalId);
    // Not the nudge of the held turn, but a turn of the resume.
    expect((await goals.turns(goalId))[1]?.kind).toBe('resume');
  });
});

describe('streaks over turns', () => {
  test('C10 a turn with tools starts the count of turns without any again', async () => {
    const goal = await goals.run('streak');
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.usage.turns).toBe(6);
  });

  test('R35 reads alone are no progress, however many there are', async () => {
    const policy = { continuation: { turnsWithoutProgress: 4 } };
    const goal = await goals.run('reads', { policy });
    expect(goal.pause?.reason).toBe('no_progress');
    expect(goal.usage.turns).toBe(4);
    expect((await goals.turns(goal.goalId)).at(-1)?.decision?.rule).toBe(10);
  });

  test('C13 at its step cap a turn settles as cut off, and the next one goes on with what there is', async () => {
    const policy = { continuation: { stepsPerTurn: 2 } };
    const goal = await goals.run('long', { policy });
    expect(goal.status).toBe('complete');
    expect(await goals.story(goal.goalId)).toEqual(['start: 9 continue', 'resume: 4 complete']);
    const heard = goals.world.model.requests.findLast((asked) => goalIdOf(asked) === goal.goalId);
    expect(heard?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
  });
});
