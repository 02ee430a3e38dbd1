import { createHash } from 'node:crypto';
import type { Criterion } from '../../../schema/criteria.ts';

/** Hash of a criterion's content: equal criteria have equal hashes. */
export function specHash(spec: Criterion): string {
  const entries = Object.entries(spec).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
