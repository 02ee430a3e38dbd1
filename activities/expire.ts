import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const expire =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['expire']>) =>
    withFailures(() => record.expire(...input));
