import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const commitMutation =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['commitMutation']>) =>
    withFailures(() => record.commitMutation(...input));
