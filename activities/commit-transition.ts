import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const commitTransition =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitTransition']>) =>
    withFailures(() => record.commitTransition(...input));
