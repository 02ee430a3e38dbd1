import { extension, hello, record, serverNames } from './hello.ts';

/** Ports of the servers behind the proxy; each also listens, with a canary, where nobody may go. */
export interface Ports {
  readonly http: number;
  readonly raw: number;
}

export interface Attempt {
  readonly name: string;
  /** Sent one after another; those after the first when something has come back. */
  readonly sends: (ports: Ports) => readonly (string | Uint8Array)[];
}

const one = (name: string, sends: Attempt['sends']): Attempt => ({ name, sends });

const get = (target: string, host: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;
const getting = (name: string, host: string): Attempt =>
  one(name, ({ http }) => [get(`http://${host}:${http}/`, `${host}:${http}`)]);

const connect = (authority: string): string =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
/** The canary's server answers to whatever it is sent. */
const connecting = (name: string, host: string): Attempt =>
  one(name, ({ raw }) => [connect(`${host}:${raw}`), hello([serverNames(host)])]);

const NAMES: readonly Attempt[] = [
  getting('a name that is not listed', 'evil.example'),
  connecting('the same by CONNECT', 'evil.example'),
  getting('a name that ends as a listed one', 'evilallowed.example'),
  connecting('the same by CONNECT', 'evilallowed.example'),
  getting('a listed name before another', 'allowed.example.evil.example'),
  connecting('the domain above a wildcard', 'wild.example'),
  connecting('a name that ends as a wildcard without its dot', 'evilwild.example'),
  getting('a listed name in other letters that look alike', 'аllowed.example'),
  getting('a port of a listed name that is not listed', 'web.example'),
  connecting('a name with a zero in it', 'evil.example%00.wild.example'),
  connecting('a name with an encoded dot', 'evil.example%2ewild.example'),
  connecting('a name with a slash', 'evil.example/.wild.example'),
  connecting('a name with a backslash', 'evil.example\\.wild.example'),
  connecting('a name with a fragment', 'evil.example#.wild.example'),
  connecting('a listed user before another host', 'allowed.example@evil.example'),
  one('the same in a URL', ({ http }) => [
    get(`http://allowed.example@evil.example:${http}/`, `evil.example:${http}`),
  ]),
  one('a listed user with a port before another host', ({ http }) => [
    get(`http://allowed.example:${http}@evil.example:${http}/`, `allowed.example:${http}`),
  ]),
  one('a second port', ({ raw }) => [
    connect(`evil.example:${raw}:${raw}.wild.example:${raw}`),
    hello([serverNames('evil.example')]),
  ]),
  one('a line break in the target', ({ raw }) => [
    `CONNECT evil.example:${raw}\r\n.wild.example:${raw} HTTP/1.1\r\n\r\n`,
    hello([serverNames('evil.example')]),
  ]),
];

const ADDRESSES: readonly Attempt[] = [
  connecting('an address', '127.0.0.2'),
  getting('an address', '127.0.0.2'),
  connecting('an address as one number', '2130706434'),
  connecting('an address in hexadecimal', '0x7f000002'),
  connecting('an address in octal', '0177.0.0.2'),
  connecting('an address in two parts', '127.2'),
  connecting('an address in wide digits', '１２７.0.0.2'),
  connecting('an address as IPv6', '[::ffff:127.0.0.2]'),
  connecting(
    'an address as IPv6 with a zone that is listed',
    '[::ffff:127.0.0.2%25x.wild.example]',
  ),
  connecting('this machine', '127.0.0.1'),
  connecting('all of this machine', '0.0.0.0'),
  connecting('a listed name that leads to a loopback', 'loop.wild.example'),
  getting('a listed name that leads to a loopback', 'loop.wild.example'),
  connecting('a listed name that leads to a private address', 'private.wild.example'),
  connecting('a listed name that leads to a loopback as IPv6', 'mapped.wild.example'),
  connecting('a listed name of which one address is a loopback', 'both.wild.example'),
  connecting('a listed name that leads elsewhere the second time', 'rebound.wild.example'),
  connecting('a listed name that leads to an own public address', 'own.wild.example'),
];

const HTTP: readonly Attempt[] = [
  one('a Host header that names another site', ({ http }) => [
    get(`http://allowed.example:${http}/`, `LOOT.example:${http}`),
  ]),
  one('a second Host header', ({ http }) => [
    get(`http://allowed.example:${http}/`, `allowed.example:${http}`, 'Host: LOOT.example\r\n'),
  ]),
  one('a path for a proxy that names no host', ({ http }) => [
    get('/LOOT', `allowed.example:${http}`),
  ]),
  one('an https URL without CONNECT', ({ raw }) => [
    get(`https://allowed.example:${raw}/LOOT`, `allowed.example:${raw}`),
  ]),
  one('another scheme', ({ http }) => [
    get(`ftp://allowed.example:${http}/LOOT`, `allowed.example:${http}`),
  ]),
  one('a password for the proxy, to be sent on', ({ http }) => [
    get(
      `http://allowed.example:${http}/`,
      `allowed.example:${http}`,
      'Proxy-Authorization: Basic LOOT\r\n',
    ),
  ]),
  one('a header that belongs to the connection', ({ http }) => [
    get(
      `http://allowed.example:${http}/`,
      `allowed.example:${http}`,
      'Connection: x-hop\r\nX-Hop: LOOT\r\n',
    ),
  ]),
  one('a request to switch protocols', ({ http }) => [
    get(
      `http://allowed.example:${http}/`,
      `allowed.example:${http}`,
      'Connection: upgrade\r\nUpgrade: LOOT\r\n',
    ),
  ]),
];

/** Each hides a second request, to `/LOOT`, in what is said to be the body of the first. */
const smuggling = (name: string, headers: string, body: string): Attempt =>
  one(name, ({ http }) => [
    `POST http://allowed.example:${http}/ HTTP/1.1\r\nHost: allowed.example:${http}\r\n${headers}\r\n${body}`,
  ]);
const HIDDEN = 'GET /LOOT HTTP/1.1\r\nHost: x\r\n\r\n';
const SMUGGLING: readonly Attempt[] = [
  smuggling(
    'a length beside chunks',
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    `0\r\n\r\n${HIDDEN}`,
  ),
  smuggling(
    'chunks under a broken name',
    `Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding : chunked\r\n`,
    `0\r\n\r\n${HIDDEN}`,
  ),
  smuggling(
    'chunks under another word',
    `Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding: xchunked\r\n`,
    `0\r\n\r\n${HIDDEN}`,
  ),
  smuggling(
    'chunks on a folded line',
    `Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding:\r\n chunked\r\n`,
    `0\r\n\r\n${HIDDEN}`,
  ),
  smuggling('two lengths', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN),
  smuggling('two lengths in one', `Content-Length: 0, ${HIDDEN.length}\r\n`, HIDDEN),
  smuggling('a length with a sign', `Content-Length: +${HIDDEN.length}\r\n`, HIDDEN),
  smuggling('a negative length', 'Content-Length: -1\r\n', HIDDEN),
  smuggling(
    'a length that is dropped with its connection',
    `Content-Length: ${HIDDEN.length}\r\nConnection: close, content-length\r\n`,
    HIDDEN,
  ),
  smuggling(
    'chunks that are dropped with their connection',
    'Transfer-Encoding: chunked\r\nConnection: close, transfer-encoding\r\n',
    `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ),
  one('a body of a GET whose chunks are dropped', ({ http }) => [
    `GET http://allowed.example:${http}/ HTTP/1.1\r\nHost: allowed.example:${http}\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  ]),
  smuggling('lines that end without a return', `X: y\nContent-Length: 0\nX-Y: z\r\n`, ''),
];

/** What is no TLS for the server of the tunnel, with LOOT in it. */
const tunnelling = (name: string, bytes: string | Uint8Array, host = 'allowed.example'): Attempt =>
  one(name, ({ raw }) => [connect(`${host}:${raw}`), bytes]);
const LOOT = Buffer.from('LOOT'.repeat(8));
const whole = hello([serverNames('allowed.example')], LOOT);
const TLS: readonly Attempt[] = [
  tunnelling('TLS for another server', hello([serverNames('LOOT.example')])),
  tunnelling('TLS that names no server', hello([], LOOT)),
  tunnelling('TLS with two names', hello([serverNames('allowed.example', 'LOOT.example')])),
  tunnelling(
    'TLS with two lists of names',
    hello([serverNames('allowed.example'), serverNames('LOOT.example')]),
  ),
  tunnelling(
    'TLS with a name of another kind before it',
    hello([
      extension(
        0,
        Buffer.concat([
          Buffer.from([0, 30, 1, 0, 12]),
          Buffer.from('LOOT.example'),
          Buffer.from([0, 0, 12]),
          Buffer.from('LOOT.example'),
        ]),
      ),
    ]),
  ),
  tunnelling(
    'TLS whose hello is cut into two records',
    Buffer.concat([record(whole.subarray(5, 40)), record(whole.subarray(40))]),
  ),
  tunnelling(
    'TLS with something behind its hello in the record',
    record(Buffer.concat([whole.subarray(5), LOOT])),
  ),
  tunnelling('plain HTTP', 'GET /LOOT HTTP/1.1\r\nHost: LOOT.example\r\n\r\n'),
  tunnelling('SSH', 'SSH-2.0-LOOT\r\n'),
  tunnelling('bytes of no protocol', LOOT),
];

export const ATTEMPTS: readonly Attempt[] = [...NAMES, ...ADDRESSES, ...HTTP, ...SMUGGLING, ...TLS];

/** What is allowed, so that no attempt is held because nothing works. */
export const HONEST: readonly Attempt[] = [
  one('a listed name', ({ http }) => [
    get(`http://allowed.example:${http}/LOOT`, `allowed.example:${http}`),
  ]),
  one('in capitals and with a dot at its end', ({ http }) => [
    get(`http://ALLOWED.example.:${http}/LOOT`, `allowed.EXAMPLE:${http}`),
  ]),
  one('by its punycode', ({ http }) => [
    get(`http://xn--bcher-kva.example:${http}/LOOT`, `XN--bcher-kva.example:${http}`),
  ]),
  tunnelling('TLS with the server of the tunnel', whole),
  tunnelling(
    'below a wildcard',
    hello([serverNames('a.B.wild.example')], LOOT),
    'a.b.wild.example',
  ),
  one('a hello in pieces', ({ raw }) => [
    connect(`allowed.example:${raw}`),
    whole.subarray(0, 3),
    whole.subarray(3, 50),
    whole.subarray(50),
  ]),
  one('a body in chunks', ({ http }) => [
    `POST http://allowed.example:${http}/LOOT HTTP/1.1\r\nHost: allowed.example:${http}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  ]),
];
