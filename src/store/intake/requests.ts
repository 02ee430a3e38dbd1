import { Refusal } from '../../contract/failures.ts';
import type { StoredRequest } from '../../contract/intake.ts';
import type { Transaction } from '../client.ts';
import { storable } from '../json.ts';
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
  request: StoredRequest,
): Promise<KnownRequest> {
  const { principal, route, key, bodyHash, commitId, goalId } = request;
  const inserted = await tx`
    INSERT INTO request (principal, route, key, body_hash, body, commit_id, goal_id)
    VALUES (${principal.name}, ${route}, ${key}, ${bodyHash}, ${tx.json(storable(request.body))},
      ${commitId}, ${goalId})
    ON CONFLICT (principal, route, key) DO NOTHING`;
  if (inserted.count === 1) return { commitId, httpStatus: null, answer: null };
  const [known] = await tx<RequestRow[]>`
    SELECT commit_id, body_hash, goal_id, http_status, answer FROM request
    WHERE principal = ${principal.name} AND route = ${route} AND key = ${key} FOR UPDATE`;
  if (known === undefined) return insertRequest(tx, request);
  if (known.body_hash !== bodyHash) {
    throw new Refusal('idempotency_mismatch', `Idempotency-Key ${key} was used with another body`);
  }
  if (known.http_status === GONE) {
    const goalId = known.goal_id;
    throw new Refusal('goal_removed', `${goalId} answered it, and was removed since.`, { goalId });
  }
  return { commitId: known.commit_id, httpStatus: known.http_status, answer: known.answer };
}
