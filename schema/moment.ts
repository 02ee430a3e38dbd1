import { z } from 'zod';
import { matching } from './text.ts';

/** Years that the record holds in UTC: at their edges an offset could lead out of them. */
const STORABLE = /^(?!0000|0001.*\+|9999.*-\d\d:\d\d$)/;

/**
 * An ISO 8601 time with its offset, converted to UTC. The record accepts only a part of the offsets
 * and years that the standard allows.
 */
export const momentSchema = z.iso
  .datetime({ offset: true, abort: true })
  .check(matching(STORABLE, 'must be a time of the years 1 to 9999 in UTC'))
  .overwrite((text) => new Date(text).toISOString());
