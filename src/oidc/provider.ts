import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { OidcSettings } from '../../schema/oidc.ts';
import { Refusal } from '../contract/failures.ts';
import type { OidcPort } from '../contract/oidc.ts';
import { identityOf } from './identity.ts';

const CALLBACK = '/v1/oidc/callback';
/** OpenID Connect Back-Channel Logout 1.0. */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const OLDEST_LOGOUT = '2 minutes';

/** Code flow with PKCE, state and nonce. The provider is asked for its addresses at first use. */
export function createOidc(settings: OidcSettings, secret: string | null): OidcPort {
  const { issuer, clientId, url, scope } = settings;
  const server = new URL(issuer);
  const discovered = keptOnce(() =>
    client.discovery(server, clientId, undefined, authenticationBy(secret), optionsFor(server)),
  );
  const keys = keptOnce(async () => {
    const { jwks_uri: address } = (await discovered()).serverMetadata();
    if (address === undefined) throw new Error(`${issuer} names no keys`);
    return createRemoteJWKSet(new URL(address));
  });
  return {
    issuer,
    url,

    async begin() {
      const verifier = client.randomPKCECodeVerifier();
      const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const goTo = client.buildAuthorizationUrl(await asked(discovered), {
        redirect_uri: `${url}${CALLBACK}`,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { ...attempt, goTo: goTo.href };
    },

    async finish(query, { state, nonce, verifier }) {
      const configuration = await asked(discovered);
      const answer = await believed(() =>
        client.authorizationCodeGrant(configuration, new URL(`${url}${CALLBACK}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        }),
      );
      return identityOf(settings, answer.claims() ?? {});
    },

    async loggedOut(logoutToken) {
      const getKey = await asked(keys);
      const { payload } = await believed(() =>
        jwtVerify(logoutToken, getKey, {
          issuer: settings.issuer,
          audience: clientId,
          maxTokenAge: OLDEST_LOGOUT,
        }),
      );
      if (!isLogout(payload)) throw new Refusal('unauthorized', 'It is no logout token.');
      const { sub, sid } = payload;
      return { subject: sub ?? null, sid: typeof sid === 'string' ? sid : null };
    },
  };
}

/** Asks once and keeps the answer; a failure is forgotten, so that the next caller asks again. */
function keptOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let kept: Promise<Answer> | null = null;
  return () => {
    kept ??= ask().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}

const authenticationBy = (secret: string | null): client.ClientAuth =>
  secret === null ? client.None() : client.ClientSecretBasic(secret);

/**
 * The signature of an ID token is checked, although it comes from the provider itself: whoever stands
 * in between signs nothing. Plain HTTP is for a provider on this machine alone.
 */
function optionsFor({ protocol, hostname }: URL): client.DiscoveryRequestOptions {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const open = protocol === 'http:' && isHere ? [client.allowInsecureRequests] : [];
  return { execute: [client.enableNonRepudiationChecks, ...open] };
}

function isLogout({ events, nonce, sub, sid }: JWTPayload): boolean {
  const isNamed = typeof sub === 'string' || typeof sid === 'string';
  const holds = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  return holds && isNamed && nonce === undefined;
}

/** Failures to reach the provider; its own log has no reason to tell us why. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const detail = `The sign-in provider does not answer: ${(error as Error).message}`;
    throw new Refusal('provider_unavailable', detail);
  }
}

async function believed<Answer>(check: () => Promise<Answer>): Promise<Answer> {
  try {
    return await check();
  } catch (error) {
    const detail = `The answer of the sign-in provider is refused: ${(error as Error).message}`;
    throw new Refusal('unauthorized', detail);
  }
}
