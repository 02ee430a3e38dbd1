import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const fireWait =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['fireWait']>) =>
    withFailures(() => record.fireWait(...input));
