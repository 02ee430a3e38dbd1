import type { Transaction } from '../client.ts';
import { canonicalJson } from '../json.ts';
import type { Row } from '../row.ts';
import { digestUnder, type LedgerKey, type LedgerKeys } from './ledger-keys.ts';
import { byAnyKey } from './seals.ts';

/** What was ordered of a goal or of a worker, by whom, in which role: all that its seal covers. */
type Ordered = Readonly<Record<string, unknown>> & { readonly role: string; readonly by: string };

/** A digest where there is no key. */
export const orderSeal = (key: LedgerKey | null, ordered: Ordered): string =>
  digestUnder(key, (digest) => digest.update(canonicalJson(ordered)));

/** With keys only a seal counts: whoever adds an order could add its digest, too. */
export const isOrderIntact = (keys: LedgerKeys, ordered: Ordered, seal: string): boolean =>
  keys.sealing === null
    ? seal === orderSeal(null, ordered)
    : byAnyKey(keys, (key) => orderSeal(key, ordered)).includes(seal);

type WaitingOrder = Row<
  'goal_order',
  'goal_id' | 'commit_id' | 'role' | 'ordered_by' | 'body' | 'sha256'
> & { readonly request: object | null };

type WaitingCheck = Row<
  'check_order',
  'check_id' | 'workspace' | 'host' | 'criterion' | 'network' | 'role' | 'ordered_by' | 'sha256'
>;

/** Takes in what waited to be taken before seals covered it, if it is what was ordered. */
export async function adoptOrders(tx: Transaction, { sealing }: LedgerKeys): Promise<void> {
  const orders = await tx<WaitingOrder[]>`
    SELECT o.goal_id, o.commit_id, o.role, o.ordered_by, o.body, o.sha256,
      coalesce(r.body, '{}') AS request
    FROM goal_order o JOIN request r ON r.commit_id = o.commit_id
    WHERE NOT EXISTS (SELECT 1 FROM commit c
      WHERE c.goal_id = o.goal_id AND c.commit_id = o.commit_id)`;
  for (const { goal_id: goalId, commit_id: commitId, ordered_by: by, sha256, ...rest } of orders) {
    const ordered = { goalId, commitId, by, ...rest };
    if (sha256 !== orderSeal(null, ordered)) continue;
    await tx`
      UPDATE goal_order SET sha256 = ${orderSeal(sealing, ordered)}
      WHERE goal_id = ${goalId} AND commit_id = ${commitId}`;
  }
  const checks = await tx<WaitingCheck[]>`
    SELECT check_id, workspace, host, criterion, network, role, ordered_by, sha256
    FROM check_order WHERE taken_at IS NULL FOR UPDATE`;
  for (const { check_id: checkId, ordered_by: by, sha256, ...rest } of checks) {
    const ordered = { checkId, by, ...rest };
    if (sha256 !== orderSeal(null, ordered)) continue;
    await tx`
      UPDATE check_order SET sha256 = ${orderSeal(sealing, ordered)} WHERE check_id = ${checkId}`;
  }
}
