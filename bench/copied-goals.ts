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

/** To each copy, ledger rows, turns' words and decisions of the size that goals of coding have. */
export async function fillCopies(db: Database, goalId: string, copies: number): Promise<void> {
  // Copied rows follow no chain and bear no seal: they are there to be searched.
  await db`
    INSERT INTO ledger SELECT (jsonb_populate_record(l, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'seq', 1000 + row, 'call_id', 'copied-' || row, 'turn', 1 + row / 10,
      'body', jsonb_build_object('arguments', jsonb_build_object('command',
          'npm test -- --shard ' || row || ' --of module-' || n || '.js'), 'receipt', jsonb_build_object(
          'exitCode', row % 2, 'reads', (SELECT jsonb_agg('src/module-' || n || '/file-' || f || '.ts')
            FROM generate_series(row, row + 15) f), 'stdoutSha256', md5(n || ' ' || row)))))).*
    FROM ledger l, generate_series(1, ${copies}::int) n, generate_series(1, 100) row
    WHERE l.goal_id = ${goalId} AND l.seq = (
      SELECT min(seq) FROM ledger WHERE goal_id = ${goalId} AND phase = 'started')`;
  await db`
    INSERT INTO message SELECT (jsonb_populate_record(m, jsonb_build_object(
      'goal_id', 'g-copy-' || n, 'seq', 1000 + row, 'turn', 1 + row / 3, 'seal', null,
      'content', m.content || jsonb_build_object('text', repeat('Module ' || n || ' of the service takes '
        || row || ' routes, and each of them has a test of its own. ', 20))))).*
    FROM message m, generate_series(1, ${copies}::int) n, generate_series(1, 30) row
    WHERE m.goal_id = ${goalId} AND m.seq = (
      SELECT min(seq) FROM message WHERE goal_id = ${goalId})`;
}
