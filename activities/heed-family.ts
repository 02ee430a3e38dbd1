import type { RecordPort } from '../src/db/ports.ts';
import { withFailures } from './failures.ts';

export const heedFamily =
  (record: RecordPort) =>
  (...input: Parameters<RecordPort['heedFamily']>) =>
    withFailures(() => record.heedFamily(...input));
