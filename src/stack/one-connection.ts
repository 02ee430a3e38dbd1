import { openDriver } from '../store/driver.ts';
import postgres from '../store/generated/driver/index.js';

/** One connection for as long as `work` takes; none is left behind. */
export async function withConnection<Result>(
  url: string,
  work: (connection: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = openDriver(url, {
    ...{ max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} },
  });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The code of what the server itself answered; null where it answered nothing. */
export const answerCode = (error: unknown): string | null =>
  error instanceof postgres.PostgresError ? error.code : null;
