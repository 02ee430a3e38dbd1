import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { signInMethodsSchema } from '../../../schema/oidc.ts';
import { atMost } from '../../../schema/text.ts';
import { Refusal } from '../../contract/failures.ts';
import type { OidcAttempt, OidcPort } from '../../contract/oidc.ts';
import type { Ports, Route } from '../application.ts';
import { openOperation } from '../contract.ts';
import { entryOf } from '../security-entry.ts';
import { hashOfSecret, newSecret, setCodeCookie } from '../session-cookie.ts';

const ATTEMPT = 'goalkeeper_oidc';
/** Long enough for a password and a second factor. */
const ATTEMPT_SECONDS = 10 * 60;
/** The browser redeems the code at once. */
const CODE_SECONDS = 60;
const attempts = { max: 60, timeWindow: '1 minute' };

const open = { config: { isOpen: true, rateLimit: attempts }, schema: { hide: true } } as const;
/** Without a limit, by which strangers behind the provider's address could keep it from telling. */
const told = { config: { isOpen: true }, schema: { hide: true } } as const;

/** Sign-in at the provider ends as a one-time code in the console's address, behind its #. */
export const oidcRoutes: Route<'oidc' | 'securityLog' | 'sessions'> = (application, ports) => {
  application.route({
    method: 'GET',
    url: '/v1/session/methods',
    config: { isOpen: true },
    schema: openOperation('signInMethods', {
      tag: 'session',
      summary: 'How people sign in beside with a token',
      answer: signInMethodsSchema,
    }),
    handler: async () => ({ oidc: ports.oidc?.issuer ?? null }),
  });
  const { oidc } = ports;
  if (oidc === null) return;
  application.get('/v1/oidc/login', open, async (_request, reply) => {
    const { goTo, ...attempt } = await oidc.begin();
    keepAttempt(reply, oidc, attempt);
    return reply.redirect(goTo);
  });
  application.get('/v1/oidc/callback', open, async (request, reply) => {
    const attempt = takeAttempt(request, reply);
    try {
      if (attempt === null) throw new Refusal('unauthorized', 'This browser began no sign-in.');
      const code = await codeFor(ports, oidc, { request, reply, attempt });
      return reply.redirect(`/signin#code=${code}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const data = { code: error.code, why: error.message };
      await ports.securityLog.add(
        entryOf(request, 'sign_in_refused', { subject: 'oidc', result: 'refused', data }),
      );
      return reply.redirect(`/signin#refused=${error.code}`);
    }
  });
  // Forms are for this route alone: pages of other sites can send them.
  application.register(async (scope) => addLogout(scope, ports, oidc));
};

/** OpenID Connect Back-Channel Logout: the provider itself tells who has left. */
function addLogout(
  scope: FastifyInstance,
  { securityLog, sessions }: Ports<'securityLog' | 'sessions'>,
  oidc: OidcPort,
): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  scope.post('/v1/oidc/logout', told, async (request, reply) => {
    const body = z
      .looseObject({ logout_token: z.string().check(atMost(10_000)) })
      .safeParse(request.body);
    if (!body.success) throw new Refusal('unauthorized', 'Send a logout_token.');
    const names = await sessions.endIdentity(await oidc.loggedOut(body.data.logout_token));
    for (const who of names) {
      await securityLog.add({ ...entryOf(request, 'sign_out', { subject: 'oidc' }), who });
    }
    return reply.code(200).send();
  });
}

interface Answered {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly attempt: OidcAttempt;
}

/** The code is worth nothing in another browser: its address can be sent to anybody. */
async function codeFor(
  { sessions }: Ports<'sessions'>,
  oidc: OidcPort,
  { request, reply, attempt }: Answered,
): Promise<string> {
  const query = request.url.slice(request.url.indexOf('?'));
  const { name, ...identity } = await oidc.finish(query, attempt);
  const code = newSecret();
  const browserSecret = newSecret();
  await sessions.open({
    ...{ secretHash: hashOfSecret(code), kind: 'code', tokenName: name, identity },
    ...{ consoleHash: hashOfSecret(browserSecret), seconds: CODE_SECONDS },
  });
  const secure = oidc.url.startsWith('https://');
  setCodeCookie(reply, browserSecret, { secure, maxAge: CODE_SECONDS });
  return code;
}

const path = '/v1/oidc';

/** `lax`, because the provider sends the browser back from its own site. */
function keepAttempt(reply: FastifyReply, { url }: OidcPort, attempt: OidcAttempt): void {
  reply.setCookie(ATTEMPT, Buffer.from(JSON.stringify(attempt)).toString('base64url'), {
    ...{ path, httpOnly: true, sameSite: 'lax', secure: url.startsWith('https://') },
    maxAge: ATTEMPT_SECONDS,
  });
}

const attemptSchema = z.strictObject({
  state: z.string().min(20),
  nonce: z.string().min(20),
  verifier: z.string().min(20),
});

/** Each attempt is for one answer. */
function takeAttempt(request: FastifyRequest, reply: FastifyReply): OidcAttempt | null {
  const kept = request.cookies[ATTEMPT];
  reply.clearCookie(ATTEMPT, { path });
  try {
    return attemptSchema.parse(JSON.parse(Buffer.from(kept ?? '', 'base64url').toString()));
  } catch {
    return null;
  }
}
