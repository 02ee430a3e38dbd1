import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OidcPort } from '../../src/contract/oidc.ts';
import { createOidc } from '../../src/oidc/provider.ts';

/** A provider that answers with the ID tokens that a test makes, whatever it is asked. */
const SECRET = 'secret-of-the-client-0000';
let server: Server;
let issuer: string;
let oidc: OidcPort;
let own: CryptoKeyPair;
let other: CryptoKeyPair;
let made: (claims: JWTPayload) => Promise<string> | string;
let nonce = '';

beforeAll(async () => {
  own = await generateKeyPair('RS256');
  other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const answerTo = async (path: string) => {
    if (path === '/jwks') return { keys: [jwk] };
    if (path === '/token') {
      const seconds = Math.floor(Date.now() / 1000);
      const claims = {
        ...{ iss: issuer, aud: 'goalkeeper', sub: 'ann', nonce, iat: seconds, exp: seconds + 600 },
        ...{ email: 'ann@shop.example', email_verified: true, groups: ['staff'] },
      };
      return { access_token: 'x', token_type: 'Bearer', id_token: await made(claims) };
    }
    return {
      ...{ issuer, jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'] },
      ...{ authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/token` },
    };
  };
  server = createServer(async (request, response) => {
    const body = JSON.stringify(await answerTo(request.url ?? ''));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    ...{ issuer, clientId: 'goalkeeper', url: 'http://127.0.0.1:1', scope: 'openid email' },
    ...{
      nameClaim: 'email',
      roleClaim: 'groups',
      roles: { staff: { role: 'viewer', workspaces: null } },
    },
  } as never;
  oidc = createOidc(settings, SECRET);
});
afterAll(() => void server.close());

const signed = (claims: JWTPayload, by: CryptoKey = own.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(by);

async function signIn(make: typeof made) {
  made = make;
  const attempt = await oidc.begin();
  ({ nonce } = attempt);
  return await oidc.finish(`?code=x&state=${attempt.state}`, attempt);
}

test('SEC-30 an ID token that its provider signed for this service signs in', async () => {
  expect(await signIn(signed)).toMatchObject({ name: 'oidc:ann@shop.example', role: 'viewer' });
});

const past = Math.floor(Date.now() / 1000) - 3600;
test.each<[string, typeof made]>([
  ['another key signed', (claims) => signed(claims, other.privateKey)],
  ['nobody signed', (claims) => new UnsecuredJWT(claims).encode()],
  [
    'the secret of the client signed',
    (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET)),
  ],
  [
    'was changed behind its signature',
    async (claims) => {
      const [head, , signature] = (await signed(claims)).split('.');
      const body = JSON.stringify({ ...claims, email: 'eve@shop.example' });
      return [head, Buffer.from(body).toString('base64url'), signature].join('.');
    },
  ],
  ['is for another client', (claims) => signed({ ...claims, aud: 'another' })],
  [
    'is for several, and another one asked',
    (claims) => signed({ ...claims, aud: ['goalkeeper', 'another'], azp: 'another' }),
  ],
  ['is of another provider', (claims) => signed({ ...claims, iss: 'https://evil.example' })],
  ['has ended', (claims) => signed({ ...claims, iat: past, exp: past + 60 })],
  ['answers another attempt', (claims) => signed({ ...claims, nonce: 'another' })],
])('SEC-30 one that %s signs nobody in', async (_, make) => {
  await expect(signIn(make)).rejects.toMatchObject({ code: 'unauthorized' });
});
