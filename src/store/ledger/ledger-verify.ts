import { createHash } from 'node:crypto';
import type { ChainFault, ChainVerdict } from '../../../schema/ledger.ts';
import type { LedgerVerifier } from '../../contract/ledger-verifier.ts';
import { type Database, type Transaction, withTypedErrors } from '../client.ts';
import {
  type ChainBreak,
  type ChainHead,
  type Checkpoint,
  chainStart,
  type DecisionHead,
  findFormerPlace,
  findHeadBreak,
  isBreak,
  walkRows,
} from './ledger-chain.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import { type StoredLedgerRow, toLedgerRow } from './ledger-row.ts';
import { readOutput } from './outputs.ts';
import {
  countAdopted,
  findContentFault,
  findSealFault,
  firstSealedRow,
  readSeals,
} from './seal-verify.ts';
import { findRowFault } from './verify-rows.ts';

/** Rows per batch; the event loop runs between two batches. */
const BATCH = 500;
const CHECKPOINT_MS = 60_000;
const MOST_CHECKPOINTS = 1000;

interface Remembered {
  readonly checkpoint: Checkpoint;
  /** Time of the walk from the first row, whatever was appended since. */
  readonly walkedAt: number;
}

export function createLedgerVerifier(
  db: Database,
  keys: LedgerKeys,
  clock: () => number = () => performance.now(),
): LedgerVerifier {
  const remembered = new Map<string, Remembered>();

  async function quick(goalId: string): Promise<ChainVerdict> {
    const known = remembered.get(goalId);
    const isFresh = known !== undefined && clock() - known.walkedAt < CHECKPOINT_MS;
    const walkedAt = isFresh ? known.walkedAt : clock();
    const walked = await inSnapshot(db, async (tx) => {
      const isThere = isFresh && (await isStillThere(tx, goalId, known.checkpoint));
      return walkChain(tx, goalId, isThere ? known.checkpoint : chainStart(goalId), keys);
    });
    remembered.delete(goalId);
    if (isBreak(walked)) return broken(walked);
    if (remembered.size >= MOST_CHECKPOINTS) remembered.clear();
    remembered.set(goalId, { checkpoint: walked, walkedAt });
    return holding(walked);
  }

  return withTypedErrors<LedgerVerifier>({
    quick,
    async whole(goalId) {
      return await inSnapshot(db, async (tx) => {
        const chain = await walkChain(tx, goalId, chainStart(goalId), keys);
        if (isBreak(chain)) return broken(chain);
        const seals = await readSeals(tx, goalId);
        const content = await findContentFault(tx, seals, keys);
        if (content !== null) return broken(named(content, chain));
        const row = await findRowFault(tx, keys, goalId, chain.seq);
        if (row !== null) return broken(named(row, chain));
        const output = await findOutputBreak(tx, goalId);
        if (output !== null) return broken(output);
        const adopted = keys.sealing === null ? 0 : countAdopted(seals);
        return { ...holding(chain), ...(adopted === 0 ? {} : { adopted }) };
      });
    },
  });
}

const holding = ({ seq, sealedFrom }: Checkpoint): ChainVerdict => ({
  holds: true,
  rows: seq,
  sealedFrom,
});

const broken = (found: Broken): ChainVerdict => ({
  holds: false,
  ...found,
  wayOut: WAY_OUT[found.fault],
});

const RESTORE =
  'Somebody changed the database: find out who can write to it, and compare it with a backup.';

export const WAY_OUT: Record<ChainFault, string> = {
  edited: RESTORE,
  missing: RESTORE,
  moved: RESTORE,
  added: RESTORE,
  output: RESTORE,
  unsealed:
    'A process without the key wrote it, or somebody else did: set GOALKEEPER_LEDGER_KEY for every ' +
    'worker and API, and compare the database with a backup.',
  key: 'Put the key behind the one in use: GOALKEEPER_LEDGER_KEY=NEW,OLD.',
};

type Broken = ChainBreak & { readonly rows: number; readonly sealedFrom: number | null };

/** A snapshot hides rows appended meanwhile, which would look like an edited head. */
function inSnapshot<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.begin('isolation level repeatable read read only', work) as Promise<Result>;
}

async function walkChain(
  tx: Transaction,
  goalId: string,
  from: Checkpoint,
  keys: LedgerKeys,
): Promise<Checkpoint | Broken> {
  let at = from;
  const seals = await readSeals(tx, goalId);
  const firstSealed = firstSealedRow(seals, keys);
  for await (const batch of batches(tx, goalId, from.seq)) {
    const walked = walkRows(at, batch.map(toLedgerRow), keys, firstSealed);
    if (isBreak(walked)) return named(await nameBreak(tx, goalId, walked, keys), at);
    at = walked;
  }
  const journal = await readHead(tx, goalId);
  const headBreak =
    findHeadBreak(goalId, at, journal, await readDecisions(tx, goalId)) ??
    (await findSealFault(tx, seals, at, keys));
  return headBreak === null ? at : named(headBreak, at);
}

/** Pages instead of a cursor, which would keep the connection from other reads meanwhile. */
async function* batches(tx: Transaction, goalId: string, after: number) {
  for (let last: number | undefined = after; last !== undefined; ) {
    const rows: StoredLedgerRow[] = await tx<StoredLedgerRow[]>`
      SELECT * FROM ledger WHERE goal_id = ${goalId} AND seq > ${last} ORDER BY seq LIMIT ${BATCH}`;
    if (rows.length > 0) yield rows;
    last = rows.length === BATCH ? rows.at(-1)?.seq : undefined;
  }
}

const named = (found: ChainBreak, { sealedFrom }: Checkpoint): Broken => ({
  ...found,
  rows: found.at,
  sealedFrom,
});

/** Takes one second look at a bad row, because it may be another row in its place. */
async function nameBreak(
  tx: Transaction,
  goalId: string,
  found: ChainBreak,
  keys: LedgerKeys,
): Promise<ChainBreak> {
  if (found.fault !== 'edited') return found;
  const [row] = await tx<StoredLedgerRow[]>`
    SELECT * FROM ledger WHERE goal_id = ${goalId} AND seq = ${found.at}`;
  const [{ count }] = await tx<[{ count: number }]>`
    SELECT count(*)::int AS count FROM ledger WHERE goal_id = ${goalId}`;
  const place = row === undefined ? null : findFormerPlace(toLedgerRow(row), count + 1, keys);
  if (place === null) return found;
  const problem = `row ${found.at} was moved: it was written as row ${place}`;
  return { at: found.at, fault: 'moved', problem };
}

/** Counts the rows verified before, which finds a removed row within milliseconds. */
async function isStillThere(tx: Transaction, goalId: string, { seq, hash }: Checkpoint) {
  const [found] = await tx<{ rows: number; last: string | null }[]>`
    SELECT count(*)::int AS rows, max(hash) FILTER (WHERE seq = ${seq}) AS last FROM ledger
    WHERE goal_id = ${goalId} AND seq <= ${seq}`;
  return found?.rows === seq && (seq === 0 || found.last === hash);
}

async function readHead(tx: Transaction, goalId: string): Promise<ChainHead> {
  const [head] = await tx<ChainHead[]>`
    SELECT ledger_seq AS seq, ledger_head AS hash FROM journal WHERE goal_id = ${goalId}`;
  return head ?? chainStart(goalId);
}

async function readDecisions(tx: Transaction, goalId: string): Promise<DecisionHead[]> {
  return tx<DecisionHead[]>`
    SELECT d.turn, d.ledger_seq AS "ledgerSeq", d.ledger_head AS "ledgerHead", l.hash AS found
    FROM decision d LEFT JOIN ledger l ON l.goal_id = d.goal_id AND l.seq = d.ledger_seq
    WHERE d.goal_id = ${goalId} ORDER BY d.turn`;
}

async function findOutputBreak(tx: Transaction, goalId: string): Promise<Broken | null> {
  for await (const batch of batches(tx, goalId, 0)) {
    for (const { seq, output_ref: ref, body } of batch) {
      if (ref === null) continue;
      const problem = await outputProblem(tx, seq, ref, body.receipt?.outputSha256);
      if (problem !== null)
        return { at: seq, rows: seq, sealedFrom: null, fault: 'output', problem };
    }
  }
  return null;
}

async function outputProblem(
  tx: Transaction,
  seq: number,
  ref: string,
  expected: string | undefined,
): Promise<string | null> {
  if (expected === undefined) return null;
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const piece of readOutput(tx, ref)) {
    digest.update(piece);
    bytes += piece.byteLength;
  }
  if (digest.digest('hex') === expected) return null;
  return bytes === 0
    ? `the output of row ${seq} is gone`
    : `the output of row ${seq} is not what the call printed`;
}
