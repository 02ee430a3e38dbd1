import { OrderRefused, Refusal } from '../../contract/failures.ts';
import type { Mutation } from '../../contract/mutation.ts';
import type { OrdersPort } from '../../contract/orders.ts';
import { assertAcceptable, isMutation } from '../../record/mutation/mutate.ts';
import { type Transaction, withTypedErrors } from '../client.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isOrderIntact, orderSeal } from '../ledger/order-seal.ts';
import { lookAtGoal } from '../record/goal-state.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';
import { isOfEndedToken } from './ended-token.ts';

export const createOrders = ({ sql: db, prisma }: Store, keys: LedgerKeys): OrdersPort =>
  withTypedErrors<OrdersPort>({
    place: (goalId, mutation) =>
      db.begin(async (tx) => {
        await assertTakeable(tx, goalId, mutation);
        await storeOrder(tx, keys, goalId, mutation);
      }),

    async kinds(goalId, commitIds) {
      const where = { goalId, commitId: { in: [...commitIds] } };
      const found = await prisma.goalOrder.findMany({ where });
      return new Map(found.map(({ commitId, kind }) => [commitId, kind]));
    },
  });

/** The commit judges again under the goal's lock; a retry of what was committed gets its result. */
async function assertTakeable(tx: Transaction, goalId: string, mutation: Mutation): Promise<void> {
  const goal = await lookAtGoal(tx, goalId);
  if (goal === null) throw new Refusal('not_found', `No such goal: ${goalId}`);
  // The commit has better words for one that nothing runs.
  if (mutation.kind === 'rewind') return;
  const committed = await tx`
    SELECT 1 FROM commit WHERE goal_id = ${goalId} AND commit_id = ${mutation.commitId}`;
  if (committed.count === 0) assertAcceptable(goal.state, mutation);
}

export async function storeOrder(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  mutation: Mutation,
): Promise<void> {
  const { commitId, role, by, ...change } = mutation;
  const body = storable(change);
  const ordered = { goalId, commitId, role, by, body, request: await readBody(tx, commitId) };
  await tx`
    INSERT INTO goal_order (goal_id, commit_id, kind, body, role, ordered_by, sha256)
    VALUES (${goalId}, ${commitId}, ${change.kind}, ${tx.json(body)}, ${role}, ${by},
      ${orderSeal(keys.sealing, ordered)})
    ON CONFLICT (goal_id, commit_id) DO NOTHING`;
}

type OrderRow = Row<'goal_order', 'body' | 'role' | 'ordered_by' | 'sha256'> & {
  readonly hasEnded: boolean;
};

/**
 * The mutation and the texts that came with it, as they were ordered for this goal.
 * @throws OrderRefused, Refusal
 */
export async function readOrder<Body>(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  commitId: string,
): Promise<{ mutation: Mutation; body: Body }> {
  const [row] = await tx<OrderRow[]>`
    SELECT body, role, ordered_by, sha256, ${isOfEndedToken(tx)} AS "hasEnded" FROM goal_order
    WHERE goal_id = ${goalId} AND commit_id = ${commitId}`;
  if (row === undefined) throw new OrderRefused('no_order');
  const { body, role, ordered_by: by } = row;
  const request = await readBody(tx, commitId);
  const ordered = { goalId, commitId, role, by, body, request };
  if (!isOrderIntact(keys, ordered, row.sha256)) throw new OrderRefused('altered');
  // A branch that is to be applied changes no goal.
  if (!isMutation(body)) throw new OrderRefused('no_order');
  if (row.hasEnded) {
    throw new Refusal('unauthorized', `The token ${by} has ended: nothing was changed.`);
  }
  return {
    mutation: { ...(body as object), commitId, role, by } as Mutation,
    body: request as Body,
  };
}

/**
 * Reads the request row and locks it until the commit, so that it isn't deleted meanwhile. Another
 * process may have deleted it before, after a refusal under the same idempotency key.
 */
async function readBody(tx: Transaction, commitId: string): Promise<object> {
  const [request] = await tx<{ body: object | null }[]>`
    SELECT body FROM request WHERE commit_id = ${commitId} FOR UPDATE`;
  if (request !== undefined) return request.body ?? {};
  throw new Refusal('request_in_progress', 'The same request was just refused elsewhere');
}
