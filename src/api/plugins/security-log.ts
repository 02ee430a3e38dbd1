import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../contract/failures.ts';
import type { Application, Ports } from '../application.ts';
import { createQuiet } from '../quiet.ts';
import { entryOf } from '../security-entry.ts';
import { readSessionCookie } from '../session-cookie.ts';
import { refusalOf } from './problems.ts';

const TOLD = new Set<Refusal['code']>([
  'unauthorized',
  'forbidden',
  'approver_is_starter',
  'rate_limited',
]);

/** Tells the security log of everything that is refused, before the caller is told. */
export function addSecurityLog(
  application: Application,
  { securityLog }: Ports<'securityLog'>,
): void {
  const isNew = createQuiet();
  application.addHook('onError', async (request, _reply, error) => {
    const refusal = refusalOf(error);
    if (!isTold(request, refusal)) return;
    const what = whatOf(request);
    const subject = `${request.method} ${request.url.split('?', 1)[0]}`;
    const { code } = refusal;
    const entry = entryOf(request, what, { subject, result: 'refused', data: { code } });
    const { who, address } = entry;
    if (!isNew(JSON.stringify([what, who, address, code, request.routeOptions.url]))) return;
    // What can't be logged is refused all the same.
    await securityLog.add(entry).catch((failure: Error) => {
      request.log.error({ err: failure, entry }, 'the security log took no entry');
    });
  });
}

function whatOf({ principal, routeOptions }: FastifyRequest) {
  if (principal !== null) return 'action_refused';
  return routeOptions.url?.startsWith('/v1/hooks/') ? 'delivery_refused' : 'sign_in_refused';
}

/** Who shows nothing, such as a browser before it signs in, tried nothing. */
function isTold(request: FastifyRequest, { code }: Refusal): boolean {
  if (request.isOutOfSight) return true;
  return TOLD.has(code) && (request.principal !== null || showsSomething(request));
}

const showsSomething = (request: FastifyRequest): boolean =>
  request.headers.authorization !== undefined ||
  readSessionCookie(request) !== undefined ||
  takesCredential(request);

/** What is posted to an open route is a credential: nothing else could be let in there. */
const takesCredential = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && routeOptions.config.isOpen === true;
