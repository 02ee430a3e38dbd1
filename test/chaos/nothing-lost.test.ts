import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Executor } from '../../src/store/client.ts';
import { assertNothingLost } from './nothing-lost.ts';
import { type ChaosGoal, type ChaosWorld, openChaosWorld, seeThrough } from './scenario.ts';
import { STEERED } from './script.ts';

/** What is asserted of hundreds of killed goals has to notice what it is there for. */
let world: ChaosWorld;
let goal: ChaosGoal;

beforeAll(async () => {
  world = await openChaosWorld();
  await world.startWorker();
  goal = await world.startChaos([STEERED]);
  await seeThrough(world, goal.goalId);
});
afterAll(() => world.close());

test('a goal to which nothing happened lost nothing', async () => {
  await assertNothingLost(world, goal);
});

class Undone extends Error {}

/** Looks at the record as `spoil` leaves it, and leaves it as it was. */
async function lookAfter(spoil: (sql: Executor) => Promise<unknown>): Promise<void> {
  await world.database
    .begin(async (tx) => {
      await spoil(tx);
      const spoilt = { ...world, database: tx as unknown as ChaosWorld['database'] };
      await expect(assertNothingLost(spoilt, goal)).rejects.toThrow(/expected|to be/);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
}

const SPOILS: Readonly<Record<string, (sql: Executor, goalId: string) => Promise<unknown>>> = {
  'a step that is charged twice': (sql, id) =>
    sql`UPDATE step SET output_tokens = output_tokens * 2 WHERE goal_id = ${id} AND turn = 1 AND step = 1`,
  'a step whose end nobody stored': async (sql, id) => {
    await sql`ALTER TABLE step DISABLE TRIGGER step_held_as_sent`;
    await sql`UPDATE step SET state = 'sent' WHERE goal_id = ${id} AND turn = 1 AND step = 2`;
  },
  'a lost step that is not marked as estimated': (sql, id) =>
    sql`UPDATE step SET state = 'lost' WHERE goal_id = ${id} AND turn = 1 AND step = 2`,
  'a step with two answers': (sql, id) => sql`
    INSERT INTO step (goal_id, turn, step, attempt, token, state, model, estimated_input, reserved_output)
    SELECT goal_id, turn, step, 99, token, 'committed', model, 0, 0
    FROM step WHERE goal_id = ${id} AND turn = 1 AND step = 1`,
  'a todo list that a call wrote twice': (sql, id) => sql`
    INSERT INTO todo_list (goal_id, revision, items, call_id)
    SELECT goal_id, 4, items, call_id FROM todo_list WHERE goal_id = ${id} AND revision = 3`,
  'a todo list that says something else': (sql, id) => sql`
    UPDATE todo_list SET items = jsonb_set(items, '{0,content}', '"Another"')
    WHERE goal_id = ${id} AND revision = 3`,
  'a result that the model gets twice': async (sql, id) => {
    await sql`
      INSERT INTO message (goal_id, seq, turn, step, voice, content)
      SELECT goal_id, (SELECT max(seq) + 1 FROM message WHERE goal_id = ${id}), turn, step, voice, content
      FROM message WHERE goal_id = ${id} AND voice = 'tool' ORDER BY seq LIMIT 1`;
    await sql`UPDATE journal SET message_seq = message_seq + 1 WHERE goal_id = ${id}`;
  },
  'a call that gets no result': async (sql, id) => {
    const removed = await sql`
      DELETE FROM message WHERE goal_id = ${id} AND voice = 'tool'
        AND seq = (SELECT max(seq) FROM message WHERE goal_id = ${id})`;
    expect(removed.count).toBe(1);
    await sql`UPDATE journal SET message_seq = message_seq - 1 WHERE goal_id = ${id}`;
  },
  'a call that began and did not settle': async (sql, id) => {
    await sql`
      INSERT INTO ledger (goal_id, seq, phase, call_id, turn, step, token, tool, effect, body, at, previous, hash)
      SELECT goal_id, seq + 1, 'started', 'stray', turn, step, token, 'read_file', effect, '{}', at, hash, 'x'
      FROM ledger WHERE goal_id = ${id} ORDER BY seq DESC LIMIT 1`;
    await sql`UPDATE journal SET ledger_seq = ledger_seq + 1 WHERE goal_id = ${id}`;
  },
  'a command of which no receipt says that it succeeded': async (sql, id) => {
    await sql`ALTER TABLE ledger DISABLE TRIGGER USER`;
    await sql`
      UPDATE ledger SET outcome = 'unknown'
      WHERE goal_id = ${id} AND tool = 'run_command' AND phase = 'settled'`;
  },
  'a turn without a decision': (sql, id) =>
    sql`DELETE FROM decision WHERE goal_id = ${id} AND turn = 2`,
  'a turn that is still open': (sql, id) =>
    sql`UPDATE turn SET state = 'open' WHERE goal_id = ${id} AND turn = 1`,
  'a turn that is missing': async (sql, id) => {
    await sql`DELETE FROM decision WHERE goal_id = ${id} AND turn = 1`;
    await sql`DELETE FROM turn WHERE goal_id = ${id} AND turn = 1`;
  },
  'an event that is missing': (sql, id) => sql`DELETE FROM event WHERE goal_id = ${id} AND seq = 5`,
  'an event that was counted and not stored': (sql, id) =>
    sql`UPDATE journal SET event_seq = event_seq + 1 WHERE goal_id = ${id}`,
  'a message of a person that nobody took': (sql, id) =>
    sql`UPDATE message SET voice = 'host' WHERE goal_id = ${id} AND content->>'text' LIKE 'List%'`,
  'a message of a person that was taken twice': async (sql, id) => {
    await sql`
      INSERT INTO message (goal_id, seq, turn, step, voice, content)
      SELECT goal_id, (SELECT max(seq) + 1 FROM message WHERE goal_id = ${id}), turn, step, voice, content
      FROM message WHERE goal_id = ${id} AND content->>'text' LIKE 'List%'`;
    await sql`UPDATE journal SET message_seq = message_seq + 1 WHERE goal_id = ${id}`;
  },
};

for (const [what, spoil] of Object.entries(SPOILS)) {
  test(`${what} is noticed`, () => lookAfter((sql) => spoil(sql, goal.goalId)));
}

test('a model that was asked more often than the record says is noticed', async () => {
  const requests = () => goal.requests() + 1;
  await expect(assertNothingLost(world, { ...goal, requests })).rejects.toThrow(/less than/);
});

for (const file of ['first.log', 'answer.txt']) {
  test(`${file} with one line more is noticed`, async () => {
    const path = join(goal.path, file);
    const content = await readFile(path);
    await appendFile(path, 'more\n');
    await expect(assertNothingLost(world, goal)).rejects.toThrow(/expected/);
    await writeFile(path, content);
    await assertNothingLost(world, goal);
  });
}
