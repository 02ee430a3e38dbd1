import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { passedHeaders, reachableAddresses } from '../../../src/net/proxy/judge.ts';
import type { ProxyLimits } from '../../../src/net/proxy/limits.ts';
import { createProxy } from '../../../src/net/proxy/server.ts';
import { createTally } from '../../../src/net/proxy/tally.ts';
import { until } from '../../tools/support.ts';
import { hello, serverNames } from './hello.ts';
import { LIMITS, listening, NAMED, openStage, rulesOf, testResolver } from './stage.ts';

async function proxyWith(limits: Partial<ProxyLimits>, onAsked: (name: string) => void = () => {}) {
  const stage = await openStage();
  const proxy = createProxy({
    domains: rulesOf(stage.ports),
    addresses: reachableAddresses([NAMED], []),
    limits: { ...LIMITS, ...limits },
    resolve: testResolver(onAsked),
  });
  const port = await listening(proxy.server);
  onTestFinished(() => {
    proxy.server.close();
    proxy.server.closeAllConnections();
    stage.close();
  });
  const client = (says: string | Uint8Array): Client => {
    const socket = connect(port, NAMED).on('error', () => {});
    const heard: Client = { socket, back: '' };
    socket.on('data', (piece) => {
      heard.back += piece.toString('latin1');
    });
    socket.write(says);
    return heard;
  };
  return { ...proxy, ports: stage.ports, client };
}

interface Client {
  readonly socket: Socket;
  back: string;
}

const connecting = (to: string) => `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`;

test('PRX-15: connections beyond the limit are closed and counted, and the others go on', async () => {
  const { client, ports, reached } = await proxyWith({ connections: 3 });
  const to = connecting(`allowed.example:${ports.raw}`);
  const first = [client(to), client(to), client(to)];
  await until(() => first.every(({ back }) => back.includes('200')));
  const more = Array.from({ length: 20 }, () => client(to));
  await until(() => more.every(({ socket }) => socket.closed));
  first[0]?.socket.write(hello([serverNames('allowed.example')]));
  await until(() => first[0]?.back.includes('answered') === true);
  expect(reached().find(({ refused }) => refused?.includes('too many'))?.connections).toBe(20);
});

test('PRX-15: requests that one connection sends at once open no more than the limit', async () => {
  const { to, send, reached } = await proxyBefore((socket) => void socket.resume(), 3);
  void send(`GET http://${to}/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`.repeat(20));
  await until(() => reached().reduce((sum, { connections }) => sum + connections, 0) >= 20);
  expect(reached().filter(({ refused }) => refused === undefined)).toMatchObject([
    { to, connections: 3 },
  ]);
});

test('PRX-15: a head that never ends, TLS that never begins and a silent server end by time', async () => {
  const { client, ports, reached } = await proxyWith({ headMs: 150, idleMs: 150 });
  const tunnel = connecting(`allowed.example:${ports.raw}`);
  const slow = client('GET http://allowed.example');
  const silent = client(tunnel);
  const idle = client(tunnel);
  await until(() => idle.back.includes('200'));
  idle.socket.write(hello([serverNames('allowed.example')]));
  await until(() => [slow, silent, idle].every(({ socket }) => socket.closed));
  expect(idle.back).toContain('answered');
  expect(reached().map(({ refused }) => refused)).toContain('was sent something else than TLS');
});

test('PRX-16: names that are not listed are never looked up', async () => {
  const asked: string[] = [];
  const { client, ports } = await proxyWith({}, (name) => asked.push(name));
  const refused = client(connecting(`secret-data.evil.example:${ports.raw}`));
  await until(() => refused.socket.closed);
  const allowed = client(connecting(`allowed.example:${ports.raw}`));
  await until(() => allowed.back.includes('200'));
  expect(asked).toEqual(['allowed.example']);
});

test('PRX-16: what is refused says why, to programs and in the tally', async () => {
  const { client, ports, reached } = await proxyWith({});
  const { raw } = ports;
  const other = client(connecting(`allowed.example:${raw}`));
  await until(() => other.back.includes('200'));
  other.socket.write(hello([serverNames('other.example')]));
  await until(() => other.socket.closed);
  const unlisted = client(connecting('other.example:443'));
  await until(() => unlisted.socket.closed);
  // A fatal alert: unrecognized_name.
  expect(other.back.endsWith('\x15\x03\x03\x00\x02\x02\x70')).toBe(true);
  expect(unlisted.back).toMatch(/^HTTP\/1\.1 403 .*other\.example:443 is not among the domains/s);
  expect(reached()).toMatchObject([
    { to: `allowed.example:${raw}`, connections: 1, sentBytes: 0 },
    { to: `allowed.example:${raw}`, refused: 'was sent TLS for another server' },
    { to: 'other.example:443', refused: expect.stringContaining('not among') },
  ]);
});

test.each([
  ['nothing readable', 'SSH-2.0\r\n', 502],
  ['a number that is none', 'HTTP/1.1 000 Odd\r\n\r\n', 502],
  ['with another protocol', 'HTTP/1.1 101 Odd\r\nConnection: upgrade\r\nUpgrade: odd\r\n\r\n', 502],
  ['with another protocol that it does not name', 'HTTP/1.1 101 Odd\r\n\r\n', 502],
  ['with words that nobody may write', 'HTTP/1.1 200 O\x01K\r\n\r\n', 200],
])('PRX-16: a server that answers %s ends nothing but its answer', async (_, says, status) => {
  const { to, send, reached } = await proxyBefore((socket) => void socket.end(says));
  const answer = send(`GET http://${to}/ HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  expect(await answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  expect(reached()[0]).toMatchObject({ to, connections: 1 });
});

/** A proxy before a server that is none of the stage's. */
async function proxyBefore(serve: (socket: Socket) => void, connections = LIMITS.connections) {
  const odd = createServer((socket) => serve(socket.on('error', () => {})));
  const at = await listening(odd, 0, NAMED);
  const { server, reached } = createProxy({
    domains: [{ host: 'allowed.example', isBelow: false, ports: [at] }],
    addresses: reachableAddresses([NAMED], []),
    limits: { ...LIMITS, connections },
    resolve: testResolver(),
  });
  const port = await listening(server);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    odd.close();
  });
  const send = (text: string) => {
    const socket = connect(port, NAMED).on('error', () => {});
    sockets.push(socket);
    socket.write(text);
    return new Promise<string>((resolve) => {
      socket.once('data', (piece) => resolve(String(piece)));
    });
  };
  return { to: `allowed.example:${at}`, send, reached };
}

test('PRX-17: the tally has a bound, and loses no connection', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { maxLength: 400 }), (places) => {
      const tally = createTally();
      for (const place of places) {
        const add = tally.count(`${place}.example:443`);
        add(1, 1);
        add(2, 3);
      }
      const all = tally.all();
      const sum = (of: (one: (typeof all)[number]) => number) =>
        all.reduce((n, one) => n + of(one), 0);
      expect(all.length).toBeLessThanOrEqual(51);
      expect(sum(({ connections }) => connections)).toBe(places.length);
      expect(sum(({ receivedBytes }) => receivedBytes)).toBe(3 * places.length);
    }),
    { numRuns: 20 },
  );
});

test('PRX-17: places that are refused crowd out none that is reached', () => {
  const tally = createTally();
  for (let n = 0; n < 200; n += 1) tally.count(`${n}.example:443`, 'refused');
  tally.count('real.example:443')(7, 0);
  expect(tally.all()).toContainEqual(
    expect.objectContaining({ to: 'real.example:443', sentBytes: 7 }),
  );
  expect(tally.all()).toHaveLength(52);
});

test('PRX-18: headers of a connection stay with it, and how a body is framed is never among them', () => {
  const passed = passedHeaders([
    ...['Connection', 'X-Hop, Content-Length', 'X-Hop', 'a', 'Accept', 'b', 'TE', 'trailers'],
    ...['Content-Length', '3', 'Proxy-Authorization', 'c', 'Accept', 'd', 'Host', 'e'],
  ]);
  expect(passed).toEqual(['Accept', 'b', 'Content-Length', '3', 'Accept', 'd']);
});

test.each([
  ['203.0.114.1', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.100.100.200', false],
  ['168.63.129.16', false],
  ['192.0.0.192', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fd00:ec2::254', false],
  ['fe80::1%eth0', false],
  ['2001:4860:4860::8888', true],
  ['203.0.114.9', false],
  ['10.9.0.1', true],
])('PRX-19: the address %s may be reached: %s', (address, isPermitted) => {
  const rules = reachableAddresses(['10.9.0.0/16'], [{ address: '203.0.114.9' }]);
  expect(rules.isPermitted(address)).toBe(isPermitted);
});
