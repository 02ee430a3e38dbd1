import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const recordTurn =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['recordTurn']>) =>
    withFailures(() => record.recordTurn(...input));
