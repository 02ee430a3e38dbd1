import type { Database } from '../src/store/client.ts';

/** Rows as the service writes them, under other ids, spread over statuses and actors. */
export async function copyGoal(db: Database, goalId: string, copies: number): Promise<void> {
  await db`
    INSERT INTO goal SELECT (jsonb_populate_record(c, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'thread_id', 't-copy-' || n,
      'objective', 'Rewrite module ' || n || ' without changing any public response',
      'status', (ARRAY['active', 'active', 'paused', 'complete'])[1 + n % 4],
      'activity', c.activity || jsonb_build_object('actor',
        (ARRAY['Agent', 'Clock', 'You', 'Provider', 'Team'])[1 + n % 5]),
      'run_id', 'copy-' || n, 'created_at', now() - n * interval '1 minute',
      'updated_at', now() - (n * 7919 % 100000) * interval '1 second'))).*
    FROM goal c, generate_series(1, ${copies}::int) n WHERE c.goal_id = ${goalId}`;
  await db`
    INSERT INTO journal SELECT (jsonb_populate_record(j, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'is_open', false, 'cost_usd', n / 100.0, 'turns', n % 90))).*
    FROM journal j, generate_series(1, ${copies}::int) n WHERE j.goal_id = ${goalId}`;
}

export async function addTurns(db: Database, goalId: string, turns: number): Promise<void> {
  await db`
    INSERT INTO turn SELECT (jsonb_populate_record(t, jsonb_build_object('turn', n))).*
    FROM turn t, generate_series(2, ${turns}::int) n WHERE t.goal_id = ${goalId} AND t.turn = 1`;
  await db`
    INSERT INTO decision SELECT (jsonb_populate_record(d, jsonb_build_object('turn', n))).*
    FROM decision d, generate_series(2, ${turns}::int) n WHERE d.goal_id = ${goalId} AND d.turn = 1`;
  await db`
    INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object(
      'turn', n, 'seq', 1000 + n * 10 + m.seq, 'seal', null))).*
    FROM message m, generate_series(2, ${turns}::int) n WHERE m.goal_id = ${goalId} AND m.turn = 1`;
}
