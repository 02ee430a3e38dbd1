import { setTimeout as delay } from 'node:timers/promises';
import type { AlarmsPort } from '../src/contract/schedules.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

/** Temporal's clock may be that much before the database's, whose time counts. */
const EARLY_MS = 2000;

export const lookAtSchedule =
  (alarms: Pick<AlarmsPort, 'look'>, tell: TellRefused) =>
  (scheduleId: unknown): Promise<void> =>
    withOrders(tell, { what: 'start', name: 'scheduleAlarmWorkflow' }, async () => {
      const next = await alarms.look(String(scheduleId));
      if (next === null || next > EARLY_MS) return;
      await delay(next);
      await alarms.look(String(scheduleId));
    });
