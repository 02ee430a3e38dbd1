import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../schema/problem.ts';
import { UsageError } from './exit-code.ts';
import type { Service } from './service.ts';

/** A problem that the API answered with. */
export class ApiProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ApiProblem';
    this.problem = problem;
  }
}

/** Nobody answers at the service's address. */
export class ServiceAway extends Error {
  constructor(url: string, cause: unknown) {
    super(`Nothing answers at ${url}.`, { cause });
    this.name = 'ServiceAway';
  }
}

export interface Client {
  get<Answer>(path: string): Promise<Answer>;
  text(path: string): Promise<string>;
  /** @param key the idempotency key of the call */
  send<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body: object,
    key?: string,
  ): Promise<Answer>;
  /** Sends bytes as they are; an upload that is repeated is only another one. */
  upload<Answer>(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer>;
  /** The open answer of an event stream. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;

/** Retries calls while the service is away, all with one idempotency key. */
export function createClient(service: Service): Client {
  const once = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    const answer = await reach(service, method, path, init);
    if (!answer.ok) throw new ApiProblem(await problemOf(answer));
    return answer;
  };
  const patiently = async (method: string, path: string, init: RequestInit): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(method, path, init);
      } catch (error) {
        if (attempt === ATTEMPTS || !isPassing(error)) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  };
  return {
    get: async <Answer>(path: string) =>
      (await (await patiently('GET', path, {})).json()) as Answer,
    text: async (path) => (await patiently('GET', path, {})).text(),
    send: async <Answer>(
      method: string,
      path: string,
      body: object,
      key: string = randomUUID(),
    ) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const answer = await patiently(method, path, { headers, body: JSON.stringify(body) });
      return (await answer.json()) as Answer;
    },
    upload: async <Answer>(path: string, body: Uint8Array<ArrayBuffer>) => {
      const headers = { 'content-type': 'application/octet-stream' };
      return (await (await patiently('POST', path, { headers, body })).json()) as Answer;
    },
    open: (path, headers, signal) => once('GET', path, { headers, signal }),
  };
}

async function reach(
  service: Service,
  method: string,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const role = service.role === undefined ? {} : { 'goalkeeper-role': service.role };
  const { token, traceparent } = service;
  const trace = traceparent === undefined ? {} : { traceparent };
  const headers = { authorization: `Bearer ${token}`, ...role, ...trace, ...init.headers };
  try {
    return await fetch(service.url + path, { ...init, method, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServiceAway(service.url, error);
  }
}

async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text();
  try {
    const problem = JSON.parse(text) as Problem;
    if (typeof problem.code === 'string') return problem;
  } catch {
    // The answer is not from this service.
  }
  throw new UsageError(
    `${answer.url} answered ${answer.status}, but not as Goalkeeper does.`,
    'Check GOALKEEPER_URL.',
  );
}

export function isPassing(error: unknown): boolean {
  return (
    error instanceof ServiceAway || (error instanceof ApiProblem && error.problem.status === 503)
  );
}
