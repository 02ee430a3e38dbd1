import type { GoalProof } from '../../../schema/goal-proof.ts';
import type { ProofBase } from '../../../schema/proof-bundle.ts';
import type { ShownChange } from '../../../schema/proof-change.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import { type NewestSeal, newestSeal } from './counted-seal.ts';
import { type Columns, contentBy, countedTable, rowsOf, sealedAs } from './counted-table.ts';
import type { LedgerKeys } from './ledger-keys.ts';
import type { Fragment } from './row-seal.ts';

/**
 * What the last gate of a turn found: the changes that a person is asked about, and the proof that
 * others are shown. The next gate of the turn replaces it; no former one comes back.
 */
export interface Finding {
  readonly changes: readonly ShownChange[];
  readonly proof: GoalProof | null;
  readonly base: ProofBase | null;
}

export type SealedFinding = Finding & {
  readonly goal_id: string;
  readonly turn: number;
  readonly sealed: NewestSeal;
};

/** Of a finding's row `b`, as a JSON object, in the snapshot of any statement. */
export const sealedFinding = (sql: Executor) => sql`
  jsonb_build_object('goal_id', b.goal_id, 'turn', b.turn, 'changes', b.changes, 'proof', b.proof,
    'base', b.base, 'sealed', ${newestSeal(sql, 'finding', sql`b.goal_id || ' ' || b.turn`)})`;

/** A new column is a type error here. */
export const FINDING_COLUMNS: Columns<'proof_finding'> = {
  goal_id: 'key',
  turn: 'key',
  ...sealedAs(['changes', 'proof', 'base']),
  at: { free: 'is shown' },
};

export const findings = countedTable<SealedFinding>({
  kind: 'finding',
  since: 5,
  subject: ({ goal_id: goalId, turn }) => `${goalId} ${turn}`,
  content: contentBy(FINDING_COLUMNS),
  read: (tx) => rowsOf(tx<Found[]>`${findingsOf(tx, tx`true`)}`),
  isKept: true,
});

export const isFindingIntact = findings.isIntact;

/** In place of a finding that isn't. */
export const ALTERED_FINDING =
  'What is stored of this gate is not what was sealed: somebody changed the database. ' +
  '`goalkeeper ledger verify` shows it; restore a backup, or let the gate check again.';

type Found = { readonly row: SealedFinding };

const findingsOf = (sql: Executor, which: Fragment) => sql`
  SELECT ${sealedFinding(sql)} AS row FROM proof_finding b
  WHERE ${which} ORDER BY b.goal_id, b.turn`;

/** All findings of a goal, or the one of a turn. */
export function readFindings(
  sql: Executor,
  goalId: string,
  turn: number | null = null,
): Promise<SealedFinding[]> {
  const which = sql`b.goal_id = ${goalId} AND (${turn}::int IS NULL OR b.turn = ${turn})`;
  return rowsOf(sql<Found[]>`${findingsOf(sql, which)}`);
}

/** Stores what a gate found, in place of what the gate before it in this turn did; the goal is locked. */
export async function storeFinding(
  tx: Transaction,
  keys: LedgerKeys,
  place: Pick<SealedFinding, 'goal_id' | 'turn'>,
  { changes, proof, base }: Finding,
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : tx.json(storable(value)));
  const [row] = await tx<[{ finding: SealedFinding }]>`
    WITH b AS (
      INSERT INTO proof_finding (goal_id, turn, changes, proof, base)
      VALUES (${place.goal_id}, ${place.turn}, ${json(changes)}, ${json(proof)}, ${json(base)})
      ON CONFLICT (goal_id, turn)
      DO UPDATE SET changes = excluded.changes, proof = excluded.proof, base = excluded.base,
        at = now()
      RETURNING *
    )
    SELECT ${sealedFinding(tx)} AS finding FROM b`;
  await findings.seal(tx, keys, [{ ...row.finding, changes, proof, base }]);
}
