import type { CheckResult } from '../schema/estimate.ts';
import { tryCheck as look } from '../src/evidence/try-check.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withActivity } from './activity-context.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

/** Checks one criterion as it stands now, for a person who plans a goal; each order once. */
export const tryCheck =
  (ports: TurnPorts, tell: TellRefused) =>
  (checkId: unknown): Promise<CheckResult> =>
    withActivity((signal) =>
      withOrders(tell, { what: 'activity', name: 'tryCheck' }, async () =>
        look(ports, await ports.checkOrders.take(String(checkId), ports.host), signal),
      ),
    );
