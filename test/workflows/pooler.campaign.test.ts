import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, type Script, sequence } from '../../demo/script.ts';
import { assertMigrated } from '../../src/stack/migrations.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { describeWith } from '../support/needs.ts';
import { PGBOUNCER, type Pooler, startPooler } from '../support/pooler.ts';
import { freshDatabase } from '../support/servers.ts';

const GOALS = 12;

describeWith(PGBOUNCER, 'POOL-12 behind PgBouncer, with the lines of docs/operations.md', () => {
  let pooler: Pooler;
  let world: GoalWorld;
  beforeAll(async () => {
    pooler = await startPooler();
    const scripts = new Map<string, Script>();
    const script: Script = (request) => {
      const key = /goal-\d+/.exec(JSON.stringify(request))?.[0] ?? '';
      const own =
        scripts.get(key) ??
        sequence([
          reply.call('run_command', { command: 'cat a.txt' }),
          reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
          reply.call('attempt_completion', { result: 'It is there.' }),
        ]);
      scripts.set(key, own);
      return own(request);
    };
    world = await openGoalWorld({ script, way: pooler.way });
  });
  afterAll(async () => {
    await world.close();
    await pooler.stop();
  });

  test('goals at once are proven, and each record holds', async () => {
    const begun = await Promise.all(
      Array.from({ length: GOALS }, async (_none, at) => {
        const path = await world.workspace({ 'a.txt': 'a\n' });
        return await world.start({
          ...{ objective: `goal-${at}`, workspace: { path }, scope: { change: ['answer.txt'] } },
          criteria: [{ kind: 'command', command: 'grep -q 42 answer.txt' }],
        });
      }),
    );
    for (const { goalId } of begun) {
      const { completion } = await world.until(goalId, ({ status }) => status === 'complete');
      expect(completion?.verification).toBe('verified');
      const verdict = await world.client.get(`/v1/goals/${goalId}/ledger/verify`);
      expect(verdict).toMatchObject({ holds: true });
    }
  });
});

describeWith(PGBOUNCER, 'POOL-13 a pooler that hands sessions on between transactions', () => {
  test('is refused at the start, with the way out; one that keeps them is not', async () => {
    const database = await freshDatabase();
    const byTransactions = await startPooler(['pool_mode = transaction']);
    const bySessions = await startPooler();
    try {
      await expect(assertMigrated(byTransactions.way(database.url))).rejects.toThrow(
        /pool_mode = session/,
      );
      await assertMigrated(bySessions.way(database.url));
      await assertMigrated(database.url);
    } finally {
      await byTransactions.stop();
      await bySessions.stop();
      await database.drop();
    }
  });
});
