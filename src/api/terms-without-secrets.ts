import type { CheckOrders } from '../contract/check-order.ts';
import type { TriggersPort } from '../contract/triggers.ts';
import type { Masker } from '../secrets/masker.ts';
import { refuseSecrets } from './masked-intake.ts';

/** A criterion that somebody tries is run as it was given. */
export const checksWithoutSecrets = (orders: CheckOrders, mask: Masker): CheckOrders => ({
  ...orders,
  async place(order, principal) {
    const { criterion } = order;
    refuseSecrets({ criterion }, mask);
    return orders.place(order, principal);
  },
});

/** What a trigger starts or says is filled in as it was given, at each delivery. */
export const triggersWithoutSecrets = (triggers: TriggersPort, mask: Masker): TriggersPort => ({
  ...triggers,
  async add(terms, secret, entry) {
    refuseSecrets(terms, mask);
    return triggers.add(terms, secret, entry);
  },
});
