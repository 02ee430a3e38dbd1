import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const openExecution =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['openExecution']>) =>
    withFailures(() => record.openExecution(...input));
