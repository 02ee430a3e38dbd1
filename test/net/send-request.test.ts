import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ANYWHERE, addressRules, isAddressEntry } from '../../src/net/addresses.ts';
import { assertAskable, sendRequest, UrlRefused } from '../../src/net/send-request.ts';
import { lookAtUrl } from '../../src/waiting/look-at-url.ts';

const none = addressRules([]);
const everywhere = addressRules(ANYWHERE);

describe('addresses that the service does not ask for others', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.7',
    '192.168.1.4',
    '169.254.169.254',
    '224.0.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:a00:1::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fec0::1',
    'example.org',
    '',
  ])('%s is not permitted unless it is named', (address) => {
    expect(none.isPermitted(address)).toBe(false);
    expect(everywhere.isPermitted(address)).toBe(/^[\da-f:.]+(%\w+)?$/.test(address));
  });

  test.each(['93.184.216.34', '2606:4700::1111', '::ffff:93.184.216.34'])(
    '%s is permitted',
    (address) => {
      expect(none.isPermitted(address)).toBe(true);
    },
  );

  test('a named range permits what lies in it, and nothing beside', () => {
    const some = addressRules(['10.0.0.0/8', '::1']);
    expect(['10.9.9.9', '::1', '::ffff:10.9.9.9'].map(some.isPermitted)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['11.0.0.1', '127.0.0.1', '::2'].map(some.isPermitted)).toEqual([true, false, false]);
  });

  test('what an entry leaves open is no entry', () => {
    const entries = ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8x', '::/129', '10.1', 'host', '', '/8'];
    expect(entries.filter(isAddressEntry)).toEqual([]);
    expect(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'].every(isAddressEntry)).toBe(true);
  });

  test('an IPv4 range may be named as IPv6 has it, and names no other', () => {
    const some = addressRules(['::ffff:10.0.0.0/104', 'fd00::/8']);
    expect(['10.1.1.1', '::ffff:10.1.1.1', 'fd00::1'].every(some.isPermitted)).toBe(true);
    expect(['127.0.0.1', '::1', 'fc00::1'].some(some.isPermitted)).toBe(false);
  });

  test.each([
    'http://localhost/x',
    'http://LOCALHOST.:80/',
    'http://a.localhost/',
    'http://127.0.0.1:8080/',
    'http://10.0.0.7/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/latest',
    'ftp://example.org/',
    'file:///etc/passwd',
    'no url',
  ])('%s is refused before anything is sent', (url) => {
    expect(() => assertAskable(url, none)).toThrow(UrlRefused);
  });

  test('a name is judged by where it leads when the connection is made', async () => {
    const request = { url: 'http://ip6-localhost.invalid/', timeoutMs: 60_000, addresses: none };
    await expect(sendRequest(request)).rejects.toThrow();
  });

  test('allowed ones are asked: status and redirection come back, nothing is followed', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end('moved');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await sendRequest({ url, timeoutMs: 60_000, addresses: everywhere });
    expect(answer).toEqual({ status: 302, location: '/elsewhere' });
    server.close();
  });

  test('a redirection to an address that is not permitted is refused like the first', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.2/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    const addresses = addressRules(['127.0.0.1']);
    const look = await lookAtUrl(`http://127.0.0.1:${port}/`, { addresses, signal });
    expect(look).toMatchObject({ holds: false, isRefused: true });
    expect(look.seen).toContain('http://127.0.0.2/elsewhere leads to an address');
    server.close();
  });

  test('an answer that changes the protocol is an error, not a wait for ever', async () => {
    const server = createRawServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        ),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(sendRequest({ url, timeoutMs: 60_000, addresses: everywhere })).rejects.toThrow(
      'without an answer',
    );
    server.close();
  });

  test('who never answers is given up at the end of the patience', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(sendRequest({ url, timeoutMs: 200, addresses: everywhere })).rejects.toThrow();
    server.closeAllConnections();
    server.close();
  });
});
