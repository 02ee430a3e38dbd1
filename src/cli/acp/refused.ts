import { RequestError } from '@agentclientprotocol/sdk';
import { ApiProblem } from '../client.ts';
import { UsageError } from '../exit-code.ts';
import { failureOf } from '../failure.ts';

const INVALID_PARAMS = -32_602;
const NOT_FOUND = -32_002;
/** Of those that JSON-RPC leaves to servers. */
const REFUSED = -32_001;

/** A failure as the protocol tells it: what is wrong, with its place and the way out. */
export function refusedBy(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { what, field, wayOut } = failureOf(error);
  const code = error instanceof ApiProblem ? { code: error.problem.code } : {};
  const at = field === null ? {} : { field };
  return new RequestError(numberOf(error), `${what} ${wayOut}`, { ...code, ...at, wayOut });
}

function numberOf(error: unknown): number {
  if (error instanceof UsageError) return INVALID_PARAMS;
  if (!(error instanceof ApiProblem)) return REFUSED;
  const { status } = error.problem;
  if (status === 404) return NOT_FOUND;
  return status === 400 || status === 413 || status === 422 ? INVALID_PARAMS : REFUSED;
}

/** @param field of the request */
export const unfit = (field: string, what: string, wayOut: string): RequestError =>
  new RequestError(INVALID_PARAMS, `${what} ${wayOut}`, { field, wayOut });

export function noSession(sessionId: string): RequestError {
  const wayOut = 'Open a new one; "goalkeeper list" shows the goals that there are.';
  const what = 'There is no such session: nothing was asked in it, or its goal was cleared.';
  return new RequestError(NOT_FOUND, `${what} ${wayOut}`, { sessionId, wayOut });
}

export function busy(sessionId: string): RequestError {
  const wayOut = 'Wait for its end, or cancel it.';
  const what = 'A prompt of this session is under way.';
  return new RequestError(REFUSED, `${what} ${wayOut}`, { sessionId, wayOut });
}
