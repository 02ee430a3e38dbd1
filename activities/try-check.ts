import type { CheckResult } from '../schema/estimate.ts';
import type { CheckOrder } from '../src/contract/check-order.ts';
import { tryCheck as look } from '../src/evidence/try-check.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { withActivity } from './activity-context.ts';

/** Checks one criterion as it stands now, for a person who plans a goal. */
export const tryCheck =
  (ports: TurnPorts) =>
  (order: CheckOrder): Promise<CheckResult> =>
    withActivity((signal) => look(ports, order, signal));
