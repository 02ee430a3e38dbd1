import postgres from 'postgres';
import type { Service } from './service.ts';
import { type Goals, isAsWanted } from './traffic.ts';
import { type Asked, tracesOf } from './work.ts';

export interface Account {
  readonly goals: number;
  readonly proven: number;
  readonly asked: number;
  readonly traces: number;
  /** Commands whose end nobody saw, and which the ledger says so of. */
  readonly unknown: number;
  /** Each with its words; all of them are faults. */
  readonly wrong: readonly string[];
}

/** What the model counted, the files show, and the record says of each goal, side by side. */
export async function accountOf(
  { all: goals, unprovable }: Goals,
  { service, model, database }: { service: Service; model: Asked; database: string },
): Promise<Account> {
  const sql = postgres(database, { max: 2 });
  const wrong: string[] = [];
  const sum = { proven: 0, asked: 0, traces: 0, unknown: 0 };
  const { items: alerts } = await service.ask('/v1/alerts');
  const stuck = alerts.filter(({ kind }: { kind: string }) => kind === 'stuck');
  if (stuck.length > 0) wrong.push(`stuck: ${JSON.stringify(stuck)}`);
  for (const goal of goals) {
    const { goalId } = goal;
    const { status, completion } = await service.ask(`/v1/goals/${goalId}`);
    const { chain } = await service.ask(`/v1/goals/${goalId}/ledger?limit=1`);
    const [row] = await sql`
      SELECT (SELECT count(*)::int FROM step WHERE goal_id = ${goalId}) AS steps,
        (SELECT count(*)::int FROM step WHERE goal_id = ${goalId} AND state = 'sent') AS open,
        (SELECT count(*)::int FROM (SELECT FROM step
          WHERE goal_id = ${goalId} AND state = 'committed'
          GROUP BY turn, kind, step HAVING count(*) > 1) AS twice) AS twice,
        (SELECT count(*)::int FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'
          AND phase = 'settled' AND outcome = 'succeeded') AS succeeded,
        (SELECT count(*)::int FROM ledger WHERE goal_id = ${goalId} AND tool = 'run_command'
          AND phase = 'settled' AND outcome = 'unknown') AS unknown,
        (SELECT count(*)::int FROM event WHERE goal_id = ${goalId}) AS events,
        (SELECT event_seq::int FROM journal WHERE goal_id = ${goalId}) AS last`;
    const asked = model.times(goalId);
    const traces = tracesOf(goal);
    const isProven = completion?.verification === 'verified';
    const holds: Readonly<Record<string, boolean>> = {
      [`is ${status}, ${completion?.verification}`]: isAsWanted(
        { status, completion },
        unprovable.has(goalId),
      ),
      'its ledger does not hold': chain.holds,
      [`${traces} effects, ${row?.unknown} unknown`]:
        traces >= 1 && traces <= 1 + row?.unknown && row?.succeeded === 1,
      [`the model was asked ${asked} times for ${row?.steps} charged calls`]: asked <= row?.steps,
      [`${row?.twice} steps were committed twice`]: row?.twice === 0,
      [`${row?.open} calls of the model are open`]: row?.open === 0,
      [`${row?.events} of ${row?.last} events are there`]: row?.events === row?.last,
    };
    for (const [what, isSo] of Object.entries(holds)) if (!isSo) wrong.push(`${goalId}: ${what}`);
    sum.proven += isProven ? 1 : 0;
    sum.asked += asked;
    sum.traces += traces;
    sum.unknown += row?.unknown;
  }
  await sql.end();
  return { goals: goals.length, ...sum, wrong };
}
