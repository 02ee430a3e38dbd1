import type { JournalPort } from '../turn/ports.ts';

/**
 * Paths that earlier runs of the host wrote in this goal, without what the model's own tools write
 * as well: a formatter among the checks changes work, and the checks before it saw other files.
 */
export async function readOwnWrites(
  journal: Pick<JournalPort, 'receipts'>,
  goalId: string,
): Promise<Set<string>> {
  const rows = await journal.receipts(goalId);
  const own = new Set(rows.flatMap(({ receipt }) => receipt?.ownWrites ?? []));
  for (const { tool, receipt } of rows) {
    if (tool !== 'write_file' && tool !== 'edit_file') continue;
    for (const path of receipt?.writes ?? []) own.delete(path);
  }
  return own;
}
