import type { CheckOrders } from '../src/contract/check-order.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

/** The queue that serves an ordered check. */
export const findCheck =
  (checks: CheckOrders, tell: TellRefused) =>
  (checkId: unknown): Promise<{ readonly taskQueue: string }> =>
    withOrders(tell, { what: 'start', name: 'tryCheckWorkflow' }, async () => ({
      taskQueue: await checks.queueOf(String(checkId)),
    }));
