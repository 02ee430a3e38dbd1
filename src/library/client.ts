import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

type Schemas = components['schemas'];

/** The service's HTTP interface, typed by its own OpenAPI document: `client.GET('/v1/goals')`. */
export type GoalkeeperClient = Client<paths>;
export type GoalkeeperPaths = paths;
export type Goal = Schemas['Goal'];
export type Approval = Schemas['Approval'];
export type LedgerRow = Schemas['LedgerRow'];
export type Problem = Schemas['Problem'];

export interface ClientOptions {
  /** The service's address, such as `http://127.0.0.1:7420`. */
  readonly url: string;
  readonly token: string;
  readonly fetch?: typeof fetch;
}

/** A problem that the service answered with. */
export class ServiceProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ServiceProblem';
    this.problem = problem;
  }
}

/**
 * Mutations get an idempotency key unless they have one, so that a call that a lost connection or
 * a restart breaks is retried without acting twice.
 */
export function createClient({ url, token, fetch: send = fetch }: ClientOptions): GoalkeeperClient {
  const client = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: (request) => patiently(send, request),
  });
  client.use(withToken(token));
  return client;
}

/** The answer of a call. @throws ServiceProblem */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call;
  if (response.ok) return data as Answer;
  throw new ServiceProblem(problemOf(error, response));
}

function problemOf(error: unknown, { status }: Response): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error) return error as Problem;
  const detail = `Something between here and the service answered ${status}.`;
  const title = 'Not an answer of this service';
  return { type: 'about:blank', title, status, detail, code: 'internal' };
}

const READING = ['GET', 'HEAD'];

const withToken = (token: string): Middleware => ({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${token}`);
    if (READING.includes(request.method) || request.headers.has('idempotency-key')) return;
    request.headers.set('idempotency-key', crypto.randomUUID());
  },
});

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
/** Statuses that a proxy answers with while the service is away. */
const AWAY = [502, 503, 504];

/** Calls whose answers are not stored, so a retry would act twice. */
const NOT_KEPT = /\/v1\/(checks|session(\/codes)?)$/;

async function patiently(send: typeof fetch, request: Request): Promise<Response> {
  const most = NOT_KEPT.test(new URL(request.url).pathname) ? 1 : TRIES;
  for (let tries = 1; ; tries += 1) {
    const answer = await send(request.clone()).catch((error: unknown) => {
      if (tries === most || request.signal.aborted) throw error;
      return null;
    });
    if (answer !== null && (tries === most || !AWAY.includes(answer.status))) return answer;
    await answer?.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tries - 1)));
  }
}
