import createClient from 'openapi-fetch';
import { consoleHeaders } from '../session/console-secret.ts';
import { ApiError, ServiceAway } from './problem.ts';
import type { paths } from './schema.d.ts';
import type { Problem } from './types.ts';

/** The service that served this page; the session's cookie goes along by itself. */
export const api = createClient<paths>({ baseUrl: '' });

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(consoleHeaders())) request.headers.set(name, value);
    return request;
  },
});

/** The answer of a call, or why there is none. */
export async function answerOf<Answer>(
  call: Promise<{ data?: Answer; error?: unknown; response: Response }>,
): Promise<Answer> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new ServiceAway(cause);
  });
  if (response.ok) return data as Answer;
  throw new ApiError(problemOf(error, response), response.headers.get('x-request-id'));
}

function problemOf(error: unknown, response: Response): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error) return error as Problem;
  return {
    type: 'about:blank',
    title: 'Not an answer of this service',
    status: response.status,
    detail: `Something between here and the service answered ${response.status}.`,
    code: 'internal',
  };
}
