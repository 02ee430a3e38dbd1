import { Refusal } from '../goal/errors.ts';

/** A refusal of one field of a request, with what is wrong about it. */
export function problemWith(field: string, why: string): Refusal {
  return new Refusal('invalid_request', `${field}: ${why}`, { field });
}
