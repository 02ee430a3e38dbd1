import { createReadStream } from 'node:fs';
import type { Goal } from '../../../schema/goal.ts';
import type { ArchiveHeader, ArchiveRecord } from '../../../schema/goal-archive.ts';
import type { ChainVerdict, LedgerRow } from '../../../schema/ledger.ts';
import type { ModelCall } from '../../../schema/model-call.ts';
import type { Turn } from '../../../schema/turn.ts';
import { genesisHash } from '../../store/ledger/ledger-chain.ts';
import { type WalkedSegment, walkSegment } from '../../store/ledger/ledger-segment.ts';
import { UsageError } from '../exit-code.ts';
import { assertFileEnds } from '../named-file.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { archiveRecords } from './read-archive.ts';

type Of<Kind extends ArchiveRecord['kind']> = Extract<ArchiveRecord, { kind: Kind }>;
/** Kinds of which an archive has one each. */
type Single = 'todos' | 'gate' | 'plan' | 'question' | 'approvals' | 'disputes' | 'delegates';
type Singles = Partial<{
  [Kind in Single | 'attachments' | 'diff' | 'proof']: Of<Kind>['value'];
}>;

/** An archive that was read whole: not cut off, not edited, and its ledger's rows are a chain. */
export interface GoalArchive {
  readonly header: ArchiveHeader;
  readonly goal: Goal;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  readonly rows: readonly LedgerRow[];
  readonly modelCalls: ReadonlyMap<number, readonly ModelCall[]>;
  readonly requests: readonly Of<'request'>[];
  readonly singles: Singles;
  /** The ends of outputs of failed calls, by their row. */
  readonly outputs: ReadonlyMap<number, Tail>;
  readonly missing: readonly Of<'missing'>[];
  /** What the service said of the ledger. */
  readonly chain: ChainVerdict | null;
  /** What the rows say themselves; null where there are none. */
  readonly walked: WalkedSegment | null;
}

export interface Tail {
  /** Where it begins among all bytes. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** As much as a reason is looked for in. */
const MOST_TAIL = 128_000;

/** @throws UsageError, ArchiveRefused */
export async function readArchive(path: string): Promise<GoalArchive> {
  await assertFileEnds(path, 'Name a file of "goalkeeper export", or - for stdin.');
  try {
    return await collect(archiveRecords(path === '-' ? process.stdin : createReadStream(path)));
  } catch (error) {
    if (error instanceof ArchiveRefused || (error as NodeJS.ErrnoException).code === undefined)
      throw error;
    const why = (error as Error).message;
    throw new UsageError(`${path} can't be read: ${why}`, 'Name a file of "goalkeeper export".');
  }
}

export async function collect(
  records: AsyncIterable<ArchiveHeader | ArchiveRecord>,
): Promise<GoalArchive> {
  const turns: Turn[] = [];
  const rows: LedgerRow[] = [];
  const requests: Of<'request'>[] = [];
  const missing: Of<'missing'>[] = [];
  const modelCalls = new Map<number, readonly ModelCall[]>();
  const outputs = new Map<number, Tail>();
  const singles: Singles = {};
  let [header, goal, chain]: [ArchiveHeader | null, Goal | null, ChainVerdict | null] = [
    ...([null, null, null] as const),
  ];
  for await (const one of records) {
    if ('format' in one) header = one;
    else if (one.kind === 'goal') goal = one.value;
    else if (one.kind === 'chain') chain = one.value;
    else if (one.kind === 'turn') turns.push(one.value);
    else if (one.kind === 'row') rows.push(one.value);
    else if (one.kind === 'request') requests.push(one);
    else if (one.kind === 'missing') missing.push(one);
    else if (one.kind === 'model-calls') modelCalls.set(one.turn, one.value);
    else if (one.kind === 'bytes') keepTail(outputs, rows, one);
    else Object.assign(singles, { [one.kind]: one.value });
  }
  if (header === null || goal === null || goal.goalId !== header.goalId) {
    throw new ArchiveRefused('altered', 'the goal that it names is not in it');
  }
  turns.sort((one, other) => one.turn - other.turn);
  const walked = rows.length === 0 ? null : walkedRows(goal.goalId, rows);
  return {
    ...{ header, goal, turns, rows, modelCalls, requests, singles, outputs, missing, chain },
    walked,
  };
}

/** Rows stand before what they printed. */
function keepTail(
  outputs: Map<number, Tail>,
  rows: readonly LedgerRow[],
  { of, name, at, value }: Of<'bytes'>,
): void {
  const seq = Number(name);
  if (of !== 'output' || rows[seq - 1]?.outcome === 'succeeded') return;
  const piece = 'text' in value ? Buffer.from(value.text) : Buffer.from(value.base64, 'base64');
  const known = outputs.get(seq) ?? { from: 0, bytes: Buffer.alloc(0) };
  if (known.from + known.bytes.byteLength !== at) {
    throw new ArchiveRefused('altered', `a piece of the output of row ${seq} is missing`);
  }
  const bytes = Buffer.concat([known.bytes, piece]);
  const cut = Math.max(0, bytes.byteLength - MOST_TAIL);
  outputs.set(seq, { from: known.from + cut, bytes: bytes.subarray(cut) });
}

/** @throws ArchiveRefused */
function walkedRows(goalId: string, rows: readonly LedgerRow[]): WalkedSegment {
  const [first, last] = [rows[0], rows.at(-1)];
  const previous = genesisHash(goalId);
  const head = { seq: last?.seq ?? 0, hash: last?.hash ?? '' };
  const walked = walkSegment({ previous, rows: [...rows], head });
  if (first?.seq !== 1) throw new ArchiveRefused('ledger_chain', 'the ledger: row 1 is missing');
  if (typeof walked === 'string') throw new ArchiveRefused('ledger_chain', `the ledger: ${walked}`);
  return walked;
}
