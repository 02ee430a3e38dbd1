import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const openExecution =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['openExecution']>) =>
    withFailures(() => record.openExecution(...input));
