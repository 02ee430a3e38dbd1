import { stripVTControlCharacters } from 'node:util';
import type { LedgerRow } from '../../../schema/ledger.ts';
import type { GoalProofPredicate } from '../../../schema/proof-bundle.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import { visible } from '../../record/foreign-text.ts';

/** The end of an output says how it ended. */
const MOST_CHARACTERS = 2000;
/** So many characters at least, however many bytes each takes. */
const MOST_BYTES = 4 * MOST_CHARACTERS;
const MOST_OUTPUTS = 50;

/** Rows that a proof cites; of the others its file has the hashes alone. */
export const citedRows = ({ ledger }: Pick<GoalProofPredicate, 'ledger'>): LedgerRow[] =>
  ledger.rows.filter((row): row is LedgerRow => 'callId' in row && row.phase === 'settled');

/** The end of what a receipt's run printed, by the row's number. */
export type ReceiptOutputs = ReadonlyMap<number, ShownOutput>;

export interface ShownOutput {
  readonly text: string;
  /** Bytes before it. */
  readonly leftOut: number;
}

/** Of cited rows, as they are stored: masked. The export has compared them with their receipts. */
export async function receiptOutputs(
  reader: Pick<ReaderPort, 'output'>,
  predicate: GoalProofPredicate,
): Promise<ReceiptOutputs> {
  const outputs = new Map<number, ShownOutput>();
  const printing = citedRows(predicate).filter(({ receipt }) => (receipt?.outputBytes ?? 0) > 0);
  for (const { seq, receipt } of printing.slice(0, MOST_OUTPUTS)) {
    const bytes = receipt?.outputBytes ?? 0;
    const range = { offset: Math.max(0, bytes - MOST_BYTES), limit: MOST_BYTES };
    const output = await reader.output(predicate.goal.goalId, seq, range);
    if (output !== null) outputs.set(seq, await endOf(output.pieces, bytes));
  }
  return outputs;
}

async function endOf(pieces: AsyncIterable<Uint8Array>, bytes: number): Promise<ShownOutput> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  const end = [...Buffer.concat(read).toString()].slice(-MOST_CHARACTERS).join('');
  return {
    text: visible(stripVTControlCharacters(end)).trimEnd(),
    leftOut: Math.max(0, bytes - Buffer.byteLength(end)),
  };
}
