import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantMessages, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { start } from '../cli/command-line.ts';
import { recomputeDecisions } from '../support/decisions.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';

const scripts: Record<string, Script> = {
  verified: sequence([claim, reply.text('Let me look first.'), write, claim]),
  yields: sequence([write, reply.text('Written.'), reply.text('All of it is there.')]),
  refused: sequence([claim]),
  asks: sequence([reply.call('ask_user', { question: 'Which colour?' }), write, claim]),
  spends: (request) => reply.call('grep_search', { pattern: `x${assistantMessages(request)}` }),
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }, reply.text('I was thinking.')]),
  talks: sequence([reply.text('Now I need to look at the files.')]),
  keyless: () => reply.error(401, { error: { message: 'wrong key.\nSet another one.' } }),
  breathes: sequence([
    reply.call('list_files', {}),
    reply.text('Now I need to look at the files.'),
    write,
    claim,
  ]),
  guarded: sequence([claim]),
};
let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals(scripts);
});
afterAll(() => goals.world.close());

/** Each drives a goal to its rest; the list says by which rules its turns have to be decided. */
const runs: readonly (readonly [string, readonly string[], () => Promise<string>])[] = [
  ['a verified claim', ['4 refuse', '11 nudge', '4 complete'], () => run('verified')],
  ['a yield', ['11 nudge', '5 complete'], () => run('yields')],
  ['refused claims', ['4 refuse', '4 refuse', '4 pause'], () => run('refused')],
  ['a used-up budget', ['6 limit', '6 hold'], () => run('spends', { budget: { tokens: 12_000 } })],
  ['empty promises', ['11 nudge', '11 nudge', '10 pause'], () => run('talks')],
  ['a pause for breath', ['11 continue', '4 complete'], () => run('breathes')],
  ['a provider that refuses', ['2 pause'], () => run('keyless')],
  ['a claim for a person', ['4 pause'], () => run('guarded', { criteria: [alwaysHolds] })],
  ['a question and its answer', ['3 pause', '4 complete'], askAndAnswer],
  ['a pause in a turn, and a message', ['1 hold', '5 pause'], pauseAndSpeak],
];
const alwaysHolds = { kind: 'command', command: 'test -d .' } as const;

const run = async (name: string, goal: Partial<StartGoal> = {}): Promise<string> =>
  (await goals.run(name, goal)).goalId;

async function askAndAnswer(): Promise<string> {
  const { goalId, pause } = await goals.run('asks');
  await goals.send(goalId, 'answers', { questionId: pause?.questionId, text: 'Red.' });
  await goals.world.until(goalId, ({ status }) => status === 'complete');
  return goalId;
}

async function pauseAndSpeak(): Promise<string> {
  const goalId = await goals.start('hangs');
  await goals.asked(goalId);
  await goals.send(goalId, 'pause');
  await goals.settled(goalId);
  await goals.send(goalId, 'messages', { text: 'What takes so long?' });
  await goals.world.until(goalId, ({ pause }) => pause?.reason === 'message');
  return goalId;
}

describe.each(runs)('the decision records of %s', (_name, expected, drive) => {
  let goalId: string;
  beforeAll(async () => {
    goalId = await drive();
  });

  test('give the same decisions again, from the rows alone', async () => {
    const decisions = await recomputeDecisions(goals.world.database, goalId);
    expect(decisions.map(({ stored }) => `${stored.rule} ${stored.action}`)).toEqual(expected);
    for (const { computed, stored } of decisions) expect(computed).toEqual(stored);
  });

  test('are one a settled turn, with the head of the ledger as it was then', async () => {
    const [count] = await goals.world.database`
      SELECT count(*)::int AS turns, count(d.turn)::int AS decisions FROM turn t
      FULL JOIN decision d USING (goal_id, turn) WHERE goal_id = ${goalId} AND t.state = 'settled'`;
    expect(count).toEqual({ turns: expected.length, decisions: expected.length });
    const strangers = await goals.world.database`
      SELECT d.turn, d.ledger_seq FROM decision d
      LEFT JOIN ledger head ON head.goal_id = d.goal_id AND head.seq = d.ledger_seq
      WHERE d.goal_id = ${goalId} AND (
        (d.ledger_seq > 0 AND head.hash IS DISTINCT FROM d.ledger_head)
        OR d.ledger_seq <> (SELECT coalesce(max(seq), 0) FROM ledger l
          WHERE l.goal_id = d.goal_id AND l.turn <= d.turn))`;
    expect(strangers).toHaveLength(0);
  });

  test('say why in one sentence', async () => {
    for (const { decision } of await goals.turns(goalId)) {
      expect(decision?.sentence).toMatch(/^[A-Z][^\n]{10,398}[.!?…]$/);
      expect(decision?.sentence).not.toMatch(/\. /);
      expect(Object.keys(decision?.reasons ?? {})).toEqual(
        expect.arrayContaining([...(decision?.missing ?? [])]),
      );
    }
  });
});

test('goalkeeper show --turns prints the same sentences, whole', async () => {
  const goalId = await run('refused');
  const environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.viewer };
  const { out, exitCode } = await start(['show', goalId, '--turns'], environment).done;
  expect(exitCode).toBe(0);
  const why = (await goals.turns(goalId)).map(({ decision }) => decision?.sentence ?? '');
  expect(why).toHaveLength(3);
  for (const sentence of why) expect(out).toContain(sentence);
});
