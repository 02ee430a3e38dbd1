import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { AddressRefused, ANYWHERE, addressRules } from '../../src/net/addresses.ts';
import { judgedDispatcher } from '../../src/net/dispatcher.ts';
import { fetchThrough, RedirectRefused } from '../../src/net/fetch.ts';
import { sendRequest } from '../../src/net/send-request.ts';

const everywhere = addressRules(ANYWHERE);
const fetchBy = (rules = everywhere) => fetchThrough(judgedDispatcher(rules), () => () => {});

async function listening(answer: RequestListener, host = '127.0.0.1') {
  const server = createServer(answer).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a redirection to another origin is refused, and nobody connects to it', async () => {
  let requests = 0;
  const answer: RequestListener = (_, response) => {
    requests += 1;
    response.end('secret');
  };
  await using hidden = await listening(answer);
  await using server = await listening((_, response) => {
    response.writeHead(307, { location: hidden.url }).end();
  });
  const failure = fetchBy()(server.url, { method: 'POST', body: '{}' });
  await expect(failure).rejects.toMatchObject({ cause: expect.any(RedirectRefused) });
  expect(requests).toBe(0);
});

test.each([
  [307, 'POST {}'],
  [303, 'GET '],
])('a redirection by %i within the origin is followed: %s', async (status, asked) => {
  await using server = await listening(async (request, response) => {
    const body = await text(request);
    if (request.url === '/new') response.end(`${request.method} ${body}`);
    else response.writeHead(status, { location: '/new' }).end('moved');
  });
  const answer = await fetchBy()(server.url, { method: 'POST', body: '{}' });
  expect(await answer.text()).toBe(asked);
});

test('redirections without an end are refused', async () => {
  await using server = await listening((_, response) => {
    response.writeHead(302, { location: '/' }).end();
  });
  await expect(fetchBy()(server.url)).rejects.toMatchObject({ cause: expect.any(RedirectRefused) });
});

test.each([
  'http://localhost:1/',
  'http://[::1]:1/',
  'http://127.0.0.2:1/',
  'http://2130706433:1/',
])('%s is refused before a connection is tried', async (url) => {
  const failure = fetchBy(addressRules([]))(url);
  await expect(failure).rejects.toMatchObject({ cause: expect.any(AddressRefused) });
});

test.each([204, 304])('an answer of status %i has no body', async (status) => {
  await using server = await listening((_, response) => response.writeHead(status).end());
  const answer = await fetchBy()(server.url);
  expect([answer.status, answer.body]).toEqual([status, null]);
});

test('what a watcher throws is what the body fails with', async () => {
  await using server = await listening((_, response) => response.end('too much'));
  const watch = () => () => {
    throw new RangeError('enough');
  };
  const answer = await fetchThrough(judgedDispatcher(everywhere), watch)(server.url);
  await expect(answer.text()).rejects.toThrow(RangeError);
});

test('name and password of a URL are sent as HTTP has it', async () => {
  const seen: unknown[] = [];
  await using server = await listening((request, response) => {
    seen.push(request.headers.authorization);
    response.end();
  });
  const url = `http://me:a%40b@127.0.0.1:${server.port}/`;
  await sendRequest({ url, timeoutMs: 60_000, addresses: everywhere });
  expect(seen).toEqual([`Basic ${Buffer.from('me:a@b').toString('base64')}`]);
});
