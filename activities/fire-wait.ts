import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const fireWait =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['fireWait']>) =>
    withFailures(() => record.fireWait(...input));
