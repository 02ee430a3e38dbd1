import type { RecordPort } from '../src/contract/record.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

export const openExecution =
  (record: RecordPort, tell: TellRefused) =>
  (...input: Parameters<RecordPort['openExecution']>) =>
    withOrders(tell, { what: 'start', name: 'goalWorkflow' }, () => record.openExecution(...input));
