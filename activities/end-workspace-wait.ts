import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const endWorkspaceWait =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['endWorkspaceWait']>) =>
    withFailures(() => record.endWorkspaceWait(...input));
