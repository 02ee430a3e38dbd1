import type { Baseline } from '../../contract/record.ts';
import type { Transaction } from '../client.ts';

export async function readBaseline(tx: Transaction, goalId: string): Promise<Baseline | null> {
  const [row] = await tx<{ baseline: Baseline | null }[]>`
    SELECT baseline FROM goal WHERE goal_id = ${goalId}`;
  return row?.baseline ?? null;
}
