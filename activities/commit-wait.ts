import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const commitWait =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitWait']>) =>
    withFailures(() => record.commitWait(...input));
