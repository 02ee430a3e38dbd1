import type { PoolsPort } from '../../contract/pools.ts';
import { type Database, withTypedErrors } from '../client.ts';
import { GONE_AFTER_MS } from '../reads/worker-state.ts';
import type { Row } from '../row.ts';

/** The database's clock tells it, so no two machines have to agree on the time. */
export const FREE_AFTER_MS = 60_000;

export function createPools(db: Database): PoolsPort {
  async function take(name: string, machine: string): Promise<string> {
    // Workers of the machine before are gone, or end by themselves: their rows keep nothing.
    const [own] = await db<Row<'pool', 'machine'>[]>`
      WITH before AS (SELECT machine FROM pool WHERE name = ${name}), own AS (
        INSERT INTO pool (name, machine) VALUES (${name}, ${machine})
        ON CONFLICT (name) DO UPDATE SET machine = excluded.machine, seen_at = now()
        WHERE pool.machine = excluded.machine
          OR pool.seen_at < now() - make_interval(secs => ${FREE_AFTER_MS / 1000})
        RETURNING machine
      ), gone AS (
        DELETE FROM worker WHERE host = ${name} AND EXISTS (SELECT FROM own)
          AND EXISTS (SELECT FROM before WHERE before.machine <> ${machine})
      )
      SELECT machine FROM own`;
    if (own !== undefined) return own.machine;
    const [other] = await db<Row<'pool', 'machine'>[]>`
        SELECT machine FROM pool WHERE name = ${name}`;
    // It let go of it in between.
    return other?.machine ?? (await take(name, machine));
  }

  return withTypedErrors<PoolsPort>({
    take,
    async release(name, machine) {
      await db`
        DELETE FROM pool WHERE name = ${name} AND machine = ${machine}
          AND NOT EXISTS (SELECT FROM worker WHERE host = ${name}
            AND seen_at > now() - make_interval(secs => ${GONE_AFTER_MS / 1000}))`;
    },
  });
}
