import type { Criterion } from '../../../schema/criteria.ts';
import { type Network, networkSchema } from '../../../schema/network.ts';
import type { CheckOrders } from '../../contract/check-order.ts';
import { OrderRefused } from '../../contract/failures.ts';
import { taskQueuesOf } from '../../contract/task-queues.ts';
import { withTypedErrors } from '../client.ts';
import { readInstallation } from '../installation.ts';
import { isOfEndedToken } from '../intake/ended-token.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isOrderIntact, orderSeal } from '../ledger/order-seal.ts';
import type { Row } from '../row.ts';
import type { Store } from '../store.ts';

type OrderRow = Row<
  'check_order',
  'workspace' | 'host' | 'criterion' | 'network' | 'role' | 'ordered_by' | 'sha256'
>;

export const createCheckOrders = ({ sql: db }: Store, keys: LedgerKeys): CheckOrders =>
  withTypedErrors<CheckOrders>({
    async place(order, { role, name }) {
      const { checkId, workspace, host, network } = order;
      const criterion = storable(order.criterion);
      const ordered = { ...order, criterion, network: textOf(network), role, by: name };
      await db`
        INSERT INTO check_order
          (check_id, workspace, host, criterion, network, role, ordered_by, sha256)
        VALUES (${checkId}, ${workspace}, ${host}, ${db.json(criterion)}, ${textOf(network)}, ${role},
          ${name}, ${orderSeal(keys.sealing, ordered)})`;
    },

    async queueOf(checkId) {
      const [row] = await db<Row<'workspace', 'host'>[]>`
        SELECT w.host FROM check_order o
        JOIN workspace w ON w.name = o.workspace AND w.host = o.host
        WHERE o.check_id = ${checkId} AND o.taken_at IS NULL`;
      if (row === undefined) throw new OrderRefused('no_order');
      return taskQueuesOf(await readInstallation(db)).workspacesOf(row.host);
    },

    async take(checkId, host) {
      const [row] = await db<OrderRow[]>`
        UPDATE check_order SET taken_at = now()
        WHERE check_id = ${checkId} AND host = ${host} AND taken_at IS NULL
          AND NOT ${isOfEndedToken(db)}
        RETURNING workspace, host, criterion, network, role, ordered_by, sha256`;
      if (row === undefined) throw new OrderRefused('no_order');
      const { sha256, role, ordered_by: by, ...ordered } = row;
      if (!isOrderIntact(keys, { checkId, ...ordered, role, by }, sha256))
        throw new OrderRefused('altered');
      const { workspace, criterion, network } = ordered;
      const order = { checkId, workspace, host, criterion: criterion as Criterion };
      return { ...order, network: networkIn(network) };
    },
  });

/** A list of domains is stored as JSON in the column of words. */
const textOf = (network: Network): string =>
  typeof network === 'string' ? network : JSON.stringify(network);

const networkIn = (text: string): Network =>
  text.startsWith('{') ? networkSchema.parse(JSON.parse(text)) : (text as 'none' | 'host');
