import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressRules, judgedLookup } from '../../src/net/addresses.ts';
import { whyRefused } from '../../src/net/target-address.ts';
import { post } from '../../src/webhooks/post.ts';
import { endOf } from '../../src/webhooks/sender.ts';
import { signedHeaders } from '../../src/webhooks/sign.ts';

const none = addressRules([]);
const loopback = addressRules(['127.0.0.1']);

describe('URLs that are no target', () => {
  test.each([
    'https://127.0.0.1/x',
    'https://127.8.9.10/x',
    'https://localhost/x',
    'https://api.localhost/x',
    'https://LOCALHOST./x',
    'https://2130706433/x',
    'https://0x7f000001/x',
    'https://0177.0.0.1/x',
    'https://0/x',
    'https://10.1.2.3/x',
    'https://172.20.0.1/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/x',
    'https://[::1]/x',
    'https://[::]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:a9fe:a9fe]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[fd00::1]/x',
    'https://[fe80::1]/x',
    'https://224.0.0.1/x',
    'http://example.com/x',
    'http://93.184.216.34/x',
  ])('%s', (url) => {
    expect(whyRefused(url, none)).not.toBeNull();
  });

  test.each(['https://example.com/x', 'https://93.184.216.34/x', 'https://[2606:2800::1]/x'])(
    '%s is one',
    (url) => {
      expect(whyRefused(url, none)).toBeNull();
    },
  );

  test('an address that the service names is one, also by http', () => {
    expect(whyRefused('http://127.0.0.1:8080/x', loopback)).toBeNull();
    expect(whyRefused('http://127.0.0.2:8080/x', loopback)).not.toBeNull();
    expect(whyRefused('https://10.9.8.7/x', addressRules(['10.0.0.0/8']))).toBeNull();
  });
});

describe('names', () => {
  const resolving = (...addresses: string[]) =>
    ((_name: string, _options: object, done: (...given: unknown[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup;
  const resolved = (...addresses: string[]) =>
    new Promise((done) =>
      judgedLookup(none, resolving(...addresses))('hook.example', { all: true }, (error, found) =>
        done(error === null ? found : error.message),
      ),
    );

  test('lead to the address that was judged', async () => {
    expect(await resolved('93.184.216.34')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['169.254.169.254']],
    [['93.184.216.34', '10.0.0.1']],
    [[]],
  ])('are refused where they lead to %j', async (addresses) => {
    expect(await resolved(...addresses)).toBe('its name leads to an address that is not allowed');
  });
});

describe('a delivery', () => {
  let url = '';
  let hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    if (request.url === '/silent') return;
    if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' });
    response.end('x'.repeat(100_000));
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = (path: string, rules = loopback, timeoutMs = 60_000) => {
    hits = [];
    return post({ url: `${url}${path}`, headers: {}, body: '{}', timeoutMs }, rules);
  };

  test('ends with the status', async () => {
    expect(await send('/ok')).toEqual({ kind: 'answered', status: 200 });
  });

  test('follows no redirect', async () => {
    expect(await send('/moved')).toEqual({ kind: 'answered', status: 302 });
    expect(hits).toEqual(['/moved']);
  });

  test('ends when nobody answers', async () => {
    expect(await send('/silent', loopback, 100)).toEqual({
      kind: 'failed',
      error: 'no answer within 100 ms',
    });
  });

  test('fails where the answer is a change of protocol', async () => {
    const changing = createRawServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      );
    });
    await new Promise<void>((done) => changing.listen(0, '127.0.0.1', done));
    const { port } = changing.address() as AddressInfo;
    const sent = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', timeoutMs: 60_000 };
    expect(await post(sent, loopback)).toEqual({
      kind: 'failed',
      error: 'the connection failed',
    });
    changing.close();
  });

  test('never reaches an address that is not allowed', async () => {
    expect(await send('/ok', none)).toMatchObject({ kind: 'failed' });
    expect(hits).toEqual([]);
  });

  test('tells the error without the URL, which may hold a secret', async () => {
    const failed = await post(
      { url: 'http://127.0.0.1:1/x?key=secret', headers: {}, body: '', timeoutMs: 60_000 },
      loopback,
    );
    expect(failed).toEqual({ kind: 'failed', error: 'ECONNREFUSED' });
  });
});

test('the signature is that of Standard Webhooks', () => {
  const headers = signedHeaders(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '{"test": 2432232314}',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    1_614_265_330_000,
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('an attempt that failed', () => {
  const at = (attempts: number, random = 0.5) =>
    endOf({ kind: 'answered', status: 503 }, attempts, 0, random);

  test('is followed by another one, later and later, for about a day', () => {
    const delays = Array.from({ length: 10 }, (_, index) => {
      const end = at(index + 1);
      return end.state === 'failed' && end.retryAt !== null ? Date.parse(end.retryAt) / 1000 : 0;
    });
    expect(delays.toSorted((a, b) => a - b)).toEqual(delays);
    const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3600;
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(28);
    expect(at(11)).toMatchObject({ retryAt: null, error: 'answered 503' });
  });

  test('is spread by a fifth', () => {
    expect(at(1, 0)).toMatchObject({ retryAt: '1970-01-01T00:00:04.000Z' });
    expect(at(1, 1)).toMatchObject({ retryAt: '1970-01-01T00:00:06.000Z' });
  });

  test('is the last where the receiver is gone', () => {
    expect(endOf({ kind: 'answered', status: 410 }, 1, 0, 0)).toMatchObject({ retryAt: null });
  });
});
