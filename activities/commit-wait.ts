import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const commitWait =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitWait']>) =>
    withFailures(() => record.commitWait(...input));
