import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { Transaction } from '../client.ts';
import { storable } from '../json.ts';
import { digestUnder, keyIdOf, type LedgerKey, type LedgerKeys } from '../ledger/ledger-keys.ts';
import type { Row } from '../row.ts';

/** What stands for the answer to a request of a goal that retention removed. */
const GONE = 410;

type RequestRow = Row<'request', 'commit_id' | 'body_hash' | 'goal_id' | 'http_status' | 'answer'>;

export interface KnownRequest {
  /** Commit id of the first request, for every retry. */
  readonly commitId: string;
  readonly httpStatus: number | null;
  readonly answer: unknown;
}

/**
 * Stores the request or finds the one with its idempotency key. A concurrent transaction with the
 * same key waits here until the first one ends.
 * @throws Refusal idempotency_mismatch
 */
export async function insertRequest(
  tx: Transaction,
  keys: LedgerKeys,
  request: StoredRequest,
): Promise<KnownRequest> {
  const { principal, route, key, bodyHash, commitId, goalId } = request;
  const inserted = await tx`
    INSERT INTO request (principal, route, key, body_hash, body, commit_id, goal_id)
    VALUES (${principal.name}, ${route}, ${key}, ${hashUnder(keys.sealing, bodyHash)},
      ${tx.json(storable(request.body))}, ${commitId}, ${goalId})
    ON CONFLICT (principal, route, key) DO NOTHING`;
  if (inserted.count === 1) return { commitId, httpStatus: null, answer: null };
  const [known] = await tx<RequestRow[]>`
    SELECT commit_id, body_hash, goal_id, http_status, answer FROM request
    WHERE principal = ${principal.name} AND route = ${route} AND key = ${key} FOR UPDATE`;
  if (known === undefined) return insertRequest(tx, keys, request);
  if (!isSame(keys, known.body_hash, bodyHash)) {
    throw new Refusal('idempotency_mismatch', `Idempotency-Key ${key} was used with another body`);
  }
  if (known.http_status === GONE) {
    const goalId = known.goal_id;
    throw new Refusal('goal_removed', `${goalId} answered it, and was removed since.`, { goalId });
  }
  return { commitId: known.commit_id, httpStatus: known.http_status, answer: known.answer };
}

/** Whoever has the database alone can't try whether he guessed what is masked in the stored body. */
const hashUnder = (key: LedgerKey | null, bodyHash: string): string =>
  key === null ? bodyHash : digestUnder(key, (digest) => digest.update('body ').update(bodyHash));

/** Under a key that is gone nothing is the same. */
function isSame(keys: LedgerKeys, stored: string, bodyHash: string): boolean {
  const keyId = keyIdOf(stored);
  const key = keyId === null ? null : keys.find(keyId);
  return key !== undefined && hashUnder(key, bodyHash) === stored;
}
