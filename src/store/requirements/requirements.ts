import type { Requirement, RequirementInput } from '../../../schema/requirement.ts';
import type { RequirementChange, RequirementGround } from '../../contract/requirements.ts';
import {
  addRequirements,
  applyChanges,
  editRequirements,
  newestNumber,
  type RequirementEdits,
} from '../../proof/requirements/changes.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable, storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import { modelWrote } from '../model-wrote.ts';
import type { Row } from '../row.ts';

/** The newest version; empty where nobody split the objective. */
export async function readRequirements(sql: Executor, goalId: string): Promise<Requirement[]> {
  const [list] = await sql<Row<'requirement_list', 'items'>[]>`${newestRequirements(sql, goalId)}`;
  return list?.items ?? [];
}

/** The column `items`, in no row where nobody split the objective. */
export const newestRequirements = (sql: Executor, goalId: string) => sql`
  SELECT items FROM requirement_list WHERE goal_id = ${goalId} ORDER BY revision DESC LIMIT 1`;

/** What people decided about proposed changes, and whether one still waits for them. */
export async function readProposedChanges(
  sql: Executor,
  goalId: string,
): Promise<Pick<RequirementGround, 'openChange' | 'declinedChanges'>> {
  const rows = await sql<{ state: string; changes: RequirementChange[] }[]>`
    SELECT state, data->'changes' AS changes FROM approval
    WHERE goal_id = ${goalId} AND kind = 'requirement_change' AND state IN ('open', 'denied')`;
  return {
    openChange: rows.some(({ state }) => state === 'open'),
    declinedChanges: rows.filter(({ state }) => state === 'denied').map(({ changes }) => changes),
  };
}

/** What the model adds; read and written under the goal's lock, so nobody's change is lost. */
export async function addByModel(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  callId: string | null,
  added: readonly RequirementInput[],
): Promise<void> {
  const known = await readRequirements(tx, goalId);
  const late = callId !== null && (await hasWritten(tx, goalId));
  const by = { setBy: 'model', ...(late ? { late } : {}) } as const;
  const list = addRequirements(known, storedTexts(added), await newestId(tx, goalId), by);
  await store(tx, keys, goalId, list, callId);
}

/** What a person adds, changes and removes. */
export async function editByPerson(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  edits: RequirementEdits,
): Promise<void> {
  const known = await readRequirements(tx, goalId);
  const requirements = storedTexts(edits.requirements ?? []);
  const newest = await newestId(tx, goalId);
  await store(tx, keys, goalId, editRequirements(known, { ...edits, requirements }, newest), null);
}

/** The changes that a person accepted. */
export async function acceptChanges(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  changes: readonly RequirementChange[],
): Promise<void> {
  await store(tx, keys, goalId, applyChanges(await readRequirements(tx, goalId), changes), null);
}

/** The list of the goal whose plan this one carries out, with who set what. */
export async function handRequirements(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  items: readonly Requirement[],
): Promise<void> {
  await store(tx, keys, goalId, items, null);
}

const storedTexts = (given: readonly RequirementInput[]): RequirementInput[] =>
  given.map((one) => ({ ...one, text: storableText(one.text) }));

const store = (
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  items: readonly Requirement[],
  callId: string | null,
) => tx`
  INSERT INTO requirement_list (goal_id, revision, items, call_id, seal)
  SELECT ${goalId}, coalesce(max(revision), 0) + 1, ${tx.json(storable(items))}, ${callId},
    ${sealWritten(keys, 'requirement_list', { goal_id: goalId, items, call_id: callId })}
  FROM requirement_list WHERE goal_id = ${goalId}`;

async function hasWritten(tx: Transaction, goalId: string): Promise<boolean> {
  const [row] = await tx<[{ has: boolean }]>`SELECT ${modelWrote(tx, goalId)} AS has`;
  return row.has;
}

/** An id belongs to one requirement for good. */
async function newestId(tx: Transaction, goalId: string): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    SELECT DISTINCT item->>'requirementId' AS id
    FROM requirement_list, jsonb_array_elements(items) AS item WHERE goal_id = ${goalId}`;
  return newestNumber(rows.map(({ id }) => id));
}
