import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const commitTransition =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitTransition']>) =>
    withFailures(() => record.commitTransition(...input));
