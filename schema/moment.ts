import { z } from 'zod';

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An ISO 8601 time with its offset, converted to UTC. The record accepts only a part of the offsets
 * and years that the standard allows.
 */
export const momentSchema = z.iso
  .datetime({ offset: true })
  .refine(isStorable, { error: 'must be a time of the years 1 to 9999 in UTC', abort: true })
  .overwrite((text) => new Date(text).toISOString());

function isStorable(text: string): boolean {
  const at = Date.parse(text);
  return at >= EARLIEST && at <= LATEST;
}
