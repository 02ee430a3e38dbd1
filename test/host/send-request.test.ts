import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isLocalAddress } from '../../src/net/local-address.ts';
import { assertAskable, sendRequest, UrlRefused } from '../../src/net/send-request.ts';

describe('addresses that the service does not ask for others', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '::1',
    '[::1]',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
  ])('%s is local', (address) => {
    expect(isLocalAddress(address)).toBe(true);
  });

  test.each(['93.184.216.34', '10.0.0.7', '192.168.1.4', '2606:4700::1111', 'example.org', ''])(
    '%s is not',
    (address) => {
      expect(isLocalAddress(address)).toBe(false);
    },
  );

  test.each([
    'http://localhost/x',
    'http://LOCALHOST.:80/',
    'http://a.localhost/',
    'http://127.0.0.1:8080/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/latest',
    'ftp://example.org/',
    'file:///etc/passwd',
    'no url',
  ])('%s is refused before anything is sent', (url) => {
    expect(() => assertAskable(url, false)).toThrow(UrlRefused);
  });

  test('a name is judged by where it leads when the connection is made', async () => {
    const request = { url: 'http://ip6-localhost.invalid/', timeoutMs: 5000, allowsLocal: false };
    await expect(sendRequest(request)).rejects.toThrow();
  });

  test('allowed ones are asked: status and redirection come back, nothing is followed', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end('moved');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await sendRequest({ url, timeoutMs: 5000, allowsLocal: true });
    expect(answer).toEqual({ status: 302, location: '/elsewhere' });
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
    await expect(sendRequest({ url, timeoutMs: 2000, allowsLocal: true })).rejects.toThrow(
      'without an answer',
    );
    server.close();
  });

  test('who never answers is given up at the end of the patience', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(sendRequest({ url, timeoutMs: 200, allowsLocal: true })).rejects.toThrow();
    server.closeAllConnections();
    server.close();
  });
});
