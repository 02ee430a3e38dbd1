import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const syncDelegation =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['syncDelegation']>) =>
    withFailures(() => record.syncDelegation(...input));
