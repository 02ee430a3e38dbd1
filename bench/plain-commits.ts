import { openDatabase } from '../src/store/client.ts';
import { median, round } from './statistics.ts';

const COMMITS_A_STEP = 4;
const BYTES_A_STEP = 6000;
const TEXT = 'x'.repeat(BYTES_A_STEP / COMMITS_A_STEP);

export interface PlainCommits {
  /** Median milliseconds of four commits with 6 KB, one after the other. */
  readonly stepMs: number;
  readonly stepsPerSecond: number;
}

/** The yardstick: what the same database takes for storing a step with nothing around it. */
export async function measurePlainCommits(
  databaseUrl: string,
  { steps = 300, writers = 1 } = {},
): Promise<PlainCommits> {
  const db = openDatabase(databaseUrl, { connections: Math.min(writers, 20) });
  try {
    await db`CREATE TABLE IF NOT EXISTS bench_commit (
      writer int, seq int, body jsonb, PRIMARY KEY (writer, seq))`;
    await db`TRUNCATE bench_commit`;
    const durations: number[] = [];
    const write = async (writer: number) => {
      for (let step = 0; step < steps; step += 1) {
        const startedAt = performance.now();
        for (let commit = 0; commit < COMMITS_A_STEP; commit += 1) {
          const seq = step * COMMITS_A_STEP + commit;
          await db`INSERT INTO bench_commit VALUES (${writer}, ${seq}, ${db.json({ text: TEXT })})`;
        }
        durations.push(performance.now() - startedAt);
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      stepMs: round(median(durations)),
      stepsPerSecond: round((steps * writers) / seconds, 0),
    };
  } finally {
    await db`DROP TABLE IF EXISTS bench_commit`;
    await db.end();
  }
}
