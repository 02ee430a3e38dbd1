import type { Executor } from './client.ts';
import type { Row } from './row.ts';

/** The name of the installation that this database belongs to. */
export async function readInstallation(sql: Executor): Promise<string> {
  const [row] = await sql<Row<'installation', 'installation_id'>[]>`
    SELECT installation_id FROM installation`;
  if (row === undefined) throw new Error('The database has lost the row of "installation"');
  return row.installation_id;
}
