import type { RecordPort } from '../src/contract/record.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

export const commitMutation =
  (record: RecordPort, tell: TellRefused) =>
  (...input: Parameters<RecordPort['commitMutation']>) =>
    withOrders(tell, { what: 'update', name: 'order' }, () => record.commitMutation(...input));
