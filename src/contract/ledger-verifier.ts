import type { ChainVerdict } from '../../schema/ledger.ts';

export interface LedgerVerifier {
  /** The whole chain from its first row, and every stored output. */
  whole(goalId: string): Promise<ChainVerdict>;
  /** The chain without outputs; rows that held within the last minute aren't walked again. */
  quick(goalId: string): Promise<ChainVerdict>;
}
