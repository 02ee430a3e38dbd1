import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const commitMutation =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitMutation']>) =>
    withFailures(() => record.commitMutation(...input));
