import { isRowsFault } from './client.ts';

/**
 * Acts on each row by itself: one that can't be read keeps no other from its turn.
 * @throws the fault of the first such row, after all others had their turn; any other failure at once
 */
export async function eachAlone<Item>(
  rows: readonly Item[],
  act: (row: Item) => Promise<unknown>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const row of rows) {
    try {
      await act(row);
    } catch (error) {
      if (!isRowsFault(error)) throw error;
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

/** What can be made of each row; one that somebody wrote and nobody can read is left out. */
export function readableOnes<Row, Shown>(rows: readonly Row[], show: (row: Row) => Shown): Shown[] {
  return rows.flatMap((row) => {
    try {
      return [show(row)];
    } catch {
      return [];
    }
  });
}
