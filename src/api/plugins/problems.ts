import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem, type ProblemCode } from '../../../schema/problem.ts';
import { Refusal } from '../../contract/failures.ts';
import type { Application } from '../application.ts';
import { InvalidInput } from '../validation.ts';

/** Seconds after which a caller may retry a request that failed because a server was away. */
const RETRY_AFTER = 2;

type Mask = (text: string) => string;

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** A refusal quotes what it refuses, and callers keep it in their logs. */
  readonly mask: Mask;
}

/** Every answer of 400 and above is problem+json (RFC 9457) with a code of the one table. */
export function addProblems(application: Application, mask: Mask): void {
  application.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal') request.log.error({ err: error }, 'request failed');
    if (refusal.code === 'payload_too_large') await takeIn(request.raw);
    return sendProblem({ request, reply, mask }, refusal);
  });
  application.setNotFoundHandler((request, reply) => {
    const refusal = new Refusal('not_found', `There is no ${request.method} ${pathOf(request)}.`);
    return sendProblem({ request, reply, mask }, refusal);
  });
}

/** A caller that is still sending reads no answer: its connection would just break. */
const MOST_TAKEN = 64 * 1024 * 1024;
const PATIENCE_MS = 5000;

function takeIn(body: IncomingMessage): Promise<void> {
  if (body.readableEnded || body.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, PATIENCE_MS);
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_TAKEN) resolve();
    });
    body.once('end', resolve).once('close', resolve).once('error', resolve);
    body.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
}

export function sendProblem({ request, reply, mask }: Asked, refusal: Refusal) {
  const problem = problemOf(refusal, pathOf(request));
  if (problem.status === 503) reply.header('retry-after', RETRY_AFTER);
  if (problem.status === 429) reply.header('retry-after', problem.retryAfterSeconds ?? RETRY_AFTER);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .type('application/problem+json')
    .serializer((told: Problem) =>
      JSON.stringify(told, (_, value) => (typeof value === 'string' ? mask(value) : value)),
    )
    .send(problem);
}

export function problemOf(refusal: Refusal, instance: string): Problem {
  const { status, title } = PROBLEMS[refusal.code];
  return {
    ...refusal.data,
    type: `urn:goalkeeper:problem:${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    instance,
  };
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

type ForeignError = Error & { code?: unknown; statusCode?: unknown };

export function refusalOf(error: ForeignError): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof InvalidInput) {
    const field = error.field === '' ? {} : { field: error.field };
    return new Refusal('invalid_request', error.message, { ...field, issues: error.issues });
  }
  const known = codeOf(error);
  if (known === null) return new Refusal('internal', 'The service failed; its log says why.');
  const isAway = known === 'database_unavailable' || known === 'temporal_unavailable';
  const detail = isAway ? `${error.message}. ${unfinished}` : wordings[known];
  return new Refusal(known, detail ?? error.message);
}

const wordings: Partial<Record<ProblemCode, string>> = {
  malformed_json: 'Send a JSON body with "Content-Type: application/json".',
  payload_too_large: 'The body is larger than the service takes.',
};

const unfinished = 'The request was not finished; try again with the same Idempotency-Key.';

/** By name and code, not by class: the API does not depend on which client a port uses. */
function codeOf(error: ForeignError): ProblemCode | null {
  if (error.name === 'DatabaseUnavailable') return 'database_unavailable';
  if (error.name === 'TemporalUnavailable') return 'temporal_unavailable';
  const known = typeof error.code === 'string' ? frameworkCodes[error.code] : undefined;
  return known ?? (isCallersFault(error) ? 'invalid_request' : null);
}

function isCallersFault({ code, statusCode }: ForeignError): boolean {
  const isOfFramework = typeof code === 'string' && code.startsWith('FST_');
  return isOfFramework && typeof statusCode === 'number' && statusCode < 500;
}

const frameworkCodes: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
};
