import { z } from 'zod';

/**
 * Every error code a caller can meet: HTTP status, title and what to do next.
 * One table, so that a code without its row does not compile.
 */
const problems = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  unknown_model: { status: 400, title: 'No such model' },
  model_key_missing: { status: 400, title: 'The model has no key' },
  unknown_workspace: { status: 400, title: 'No such workspace' },
  budget_too_small: { status: 400, title: 'The budget cannot pay for one call' },
  budget_above_maximum: { status: 400, title: 'The budget is above the maximum' },
  unsupported: { status: 400, title: 'Not supported by this version' },
  unauthorized: { status: 401, title: 'A token is needed' },
  forbidden: { status: 403, title: 'This role may not do that' },
  approver_is_starter: { status: 403, title: 'Somebody else has to grant it' },
  not_found: { status: 404, title: 'Not found' },
  no_longer_kept: { status: 410, title: 'No longer kept' },
  goal_removed: { status: 410, title: 'The goal was removed' },
  goal_conflict: { status: 409, title: 'Someone else changed the goal' },
  invalid_transition: { status: 409, title: 'The goal cannot take that now' },
  cannot_apply: { status: 409, title: 'The branch cannot be brought in' },
  name_taken: { status: 409, title: 'The name is taken' },
  already_answered: { status: 409, title: 'Already answered' },
  workspace_busy: { status: 409, title: 'Something else works in the workspace' },
  request_in_progress: { status: 409, title: 'The same request is being worked on' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  idempotency_mismatch: { status: 422, title: 'The key was used with another body' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something broke in the service' },
  database_unavailable: { status: 503, title: 'Postgres cannot be reached' },
  temporal_unavailable: { status: 503, title: 'Temporal cannot be reached' },
  provider_unavailable: { status: 503, title: 'The sign-in provider cannot be reached' },
  worker_unavailable: { status: 503, title: 'No worker answered in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

export const PROBLEMS: Record<ProblemCode, { status: number; title: string }> = problems;

/** RFC 9457, with `code` and, where one is at fault, `field`. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  field: z.string().optional(),
});

export type Problem = z.infer<typeof problemSchema>;
