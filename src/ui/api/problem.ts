import type { Problem } from './types.ts';

/** A problem that the service answered with. */
export class ApiError extends Error {
  readonly problem: Problem;
  readonly requestId: string | null;
  readonly at = new Date().toISOString();

  constructor(problem: Problem, requestId: string | null) {
    super(problem.detail);
    this.name = 'ApiError';
    this.problem = problem;
    this.requestId = requestId;
  }
}

/** The service didn't answer, so the outcome of the request is unknown. */
export class ServiceAway extends Error {
  readonly at = new Date().toISOString();

  constructor(cause: unknown) {
    super('The service does not answer.', { cause });
    this.name = 'ServiceAway';
  }
}

/** For a place at the field itself, where its name would be said twice. */
export const detailAt = ({ field, detail }: Problem): string =>
  field !== undefined && detail.startsWith(`${field}: `) ? detail.slice(field.length + 2) : detail;

export const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.status === 401;

export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'goal_conflict';

/** Tells whether an automatic retry is worthwhile. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ServiceAway || (error instanceof ApiError && error.problem.status === 503);

/** The details that the service's operator needs to find the failure. */
export function errorCode(error: unknown): string {
  if (error instanceof ApiError) {
    const request = error.requestId === null ? '' : `, request ${error.requestId}`;
    return `${error.problem.code} (${error.problem.status})${request}, ${error.at}`;
  }
  if (error instanceof ServiceAway) return `no answer, ${error.at}`;
  return String(error);
}
