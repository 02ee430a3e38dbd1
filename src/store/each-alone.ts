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
