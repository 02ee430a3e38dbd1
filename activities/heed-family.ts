import type { RecordPort } from '../src/contract/record.ts';
import { withFailures } from './failures.ts';

export const heedFamily =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['heedFamily']>) =>
    withFailures(() => record.heedFamily(...input));
