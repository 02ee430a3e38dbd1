import { ApiError } from '../../api/problem.ts';
import type { Problems } from '../../view/start-form.ts';

/** Fields of the form, as far as the service names them. */
const PLACES =
  /^(objective|attachments|criteria\.\d+|budget\.(tokens|costUsd|turns|activeSeconds)|workspace|model|fallbackModel|policy|scope|requirements)/;

/** The service's refusals, on the fields that they name. */
export function problemOf(error: unknown): Problems {
  if (!(error instanceof ApiError)) return {};
  const { field, detail } = error.problem;
  return field !== undefined && PLACES.test(field) ? { [field]: detail } : {};
}

/** The problem without a field to show it at; null = it is shown at its field. */
export function unplaced(error: Error): string | null {
  return Object.keys(problemOf(error)).length === 0 ? error.message : null;
}
