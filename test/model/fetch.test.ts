import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createFetch } from '../../src/model/fetch.ts';

test('an answer comes with its status, its headers and its body', async () => {
  await using server = await listening((_, response) => {
    response.writeHead(418, 'Teapot', { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
    response.end('short and stout');
  });
  const answer = await createFetch({})(server.url);
  expect([answer.status, answer.statusText, answer.ok]).toEqual([418, 'Teapot', false]);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await answer.text()).toBe('short and stout');
});

test('a body arrives while it is still being sent', async () => {
  let finish = () => {};
  await using server = await listening((_, response) => {
    response.write('first');
    finish = () => response.end('last');
  });
  const answer = await createFetch({})(server.url);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first');
  finish();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('last');
  expect((await reader.read()).done).toBe(true);
});

test('a body that breaks off fails, and does not look like an end', async () => {
  await using server = await listening((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const answer = await createFetch({})(server.url);
  await expect(answer.text()).rejects.toThrow();
});

test('a reader that loses interest lets go of the connection', async () => {
  await using server = await listening((_, response) => void response.write('endless'));
  const closed = once(server.server, 'request').then(([request]: IncomingMessage[]) =>
    once(request?.socket as NonNullable<typeof request>['socket'], 'close'),
  );
  const answer = await createFetch({})(server.url);
  await answer.body?.cancel();
  await closed;
});

test('aborting ends the call and its body with the reason that was given', async () => {
  await using server = await listening((request, response) => {
    if (request.url === '/started') response.write('first');
  });
  const early = new AbortController();
  const unanswered = createFetch({})(server.url, { signal: early.signal });
  early.abort(new Error('not any more'));
  await expect(unanswered).rejects.toThrow('not any more');
  const late = new AbortController();
  const answer = await createFetch({})(`${server.url}/started`, { signal: late.signal });
  late.abort();
  await expect(answer.text()).rejects.toMatchObject({ name: 'AbortError' });
});

test('whom it cannot reach it reports as fetch does, with the cause', async () => {
  const server = await listening(() => {});
  await server[Symbol.asyncDispose]();
  const failure = await createFetch({})(server.url).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
});

test('a gateway that moved is not followed: neither question nor key goes where nobody said', async () => {
  let requests = 0;
  await using elsewhere = await listening((_, response) => {
    requests += 1;
    response.end('{}');
  });
  await using server = await listening((_, response) => {
    response.writeHead(307, { location: elsewhere.url.replace('127.0.0.1', 'localhost') });
    response.end();
  });
  const failure = createFetch({})(server.url, {
    method: 'POST',
    headers: { authorization: 'Bearer secret' },
    body: 'the question',
  });
  await expect(failure).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/redirects to http:.*which no setting names/) },
  });
  expect(requests).toBe(0);
});

test.each(['HTTP_PROXY', 'http_proxy'])(
  '%s is used, except for hosts in NO_PROXY',
  async (name) => {
    const seen: string[] = [];
    await using server = await listening((_, response) => void response.end('from the server'));
    await using proxy = await listening(() => {});
    proxy.server.on('connect', (request, client) => {
      seen.push(request.url ?? '');
      const upstream = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
    });
    process.env[name] = proxy.url;
    try {
      expect(await (await createFetch()(server.url)).text()).toBe('from the server');
      expect(seen).toEqual([new URL(server.url).host]);
      process.env.NO_PROXY = '127.0.0.1';
      expect(await (await createFetch()(server.url)).text()).toBe('from the server');
      expect(seen).toHaveLength(1);
    } finally {
      delete process.env[name];
      delete process.env.NO_PROXY;
    }
  },
);

async function listening(
  answer: RequestListener,
): Promise<AsyncDisposable & { readonly url: string; readonly server: Server }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await once(server, 'listening');
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      // Tunnels of a proxy are no longer the server's own connections.
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
