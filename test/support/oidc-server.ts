import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface OidcServer {
  readonly issuer: string;
  /** Whom the next sign-in page takes in, without a password. */
  signInAs(accountId: string): void;
  close(): Promise<void>;
}

/** Seconds. */
export const ID_TOKEN_LIVES = 900;

const ONE_HOUR = { AccessToken: 3600, Grant: 3600, Interaction: 3600, Session: 3600 };

/** A real provider on this machine, with a page that asks nothing. */
export async function startOidc(options: {
  /** Where the service under test is reached. */
  readonly url: string;
  readonly secret: string;
  readonly accounts: Readonly<Record<string, object>>;
}): Promise<OidcServer> {
  let accountId = '';
  let handle = (_request: IncomingMessage, _response: ServerResponse): void => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(options));
  const serve = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return serve(request, response);
    answer(provider, accountId, request, response).catch((error: Error) => {
      response.writeHead(500).end(error.message);
    });
  };
  return {
    issuer,
    signInAs: (id) => {
      accountId = id;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configurationOf({ url, secret, accounts }: Parameters<typeof startOidc>[0]) {
  return {
    clients: [
      {
        client_id: 'goalkeeper',
        client_secret: secret,
        redirect_uris: [`${url}/v1/oidc/callback`],
        backchannel_logout_uri: `${url}/v1/oidc/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { ...ONE_HOUR, IdToken: ID_TOKEN_LIVES },
    // Its own way of asking refuses addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, init),
  };
}

async function answer(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? '',
    clientId: params.client_id,
  });
  grant.addOIDCScope(params.scope);
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent });
}
