import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const recordTurn =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['recordTurn']>) =>
    withFailures(() => record.recordTurn(...input));
