import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createApi } from './calls.ts';
import { tokens } from './memory-ports.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening() {
  const api = createApi();
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => api.server.close());
  return { ...api, port: (api.server.server.address() as AddressInfo).port };
}

describe('limits', () => {
  test('of unknown bearers hold for their address, and lock out nobody who was let in (WHO-12)', async () => {
    const { call } = createApi();
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect((await call('GET /v1/goals', bearer(tokens.operator))).status).toBe(200);
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await call('GET /v1/goals', bearer(`guess-${guess}`))).status).toBe(401);
    }
    const over = await call('GET /v1/goals', bearer('guess-20'));
    expect(over.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    // Whether a new one is right isn't told.
    expect((await call('GET /v1/goals', bearer(tokens.admin))).status).toBe(429);
    expect((await call('GET /v1/goals', bearer(tokens.operator))).status).toBe(200);
  });

  test('of event streams hold for a principal, until one of them is left (WHO-13)', async () => {
    const { port } = await listening();
    const open = async (token: string) => {
      const leaving = new AbortController();
      const headers = { authorization: `Bearer ${token}` };
      const { signal } = leaving;
      const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers, signal });
      return { answer, leave: () => leaving.abort() };
    };
    const streams = await Promise.all(Array.from({ length: 100 }, () => open(tokens.viewer)));
    expect(streams.every(({ answer }) => answer.status === 200)).toBe(true);
    const over = await open(tokens.viewer);
    expect([over.answer.status, over.answer.headers.get('retry-after')]).toEqual([429, '10']);
    const other = await open(tokens.operator);
    expect(other.answer.status).toBe(200);
    streams[0]?.leave();
    await expect.poll(async () => (await open(tokens.viewer)).answer.status).toBe(200);
    for (const { leave } of [...streams, other]) leave();
  });

  test('of time end a request whose headers do not come (WHO-14)', async () => {
    const { port, server } = await listening();
    expect([server.server.headersTimeout, server.server.requestTimeout]).toEqual([10_000, 60_000]);
    const socket = connect(port, '127.0.0.1');
    let told = '';
    socket.setEncoding('utf8').on('data', (chunk) => (told += chunk));
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    await once(socket, 'close');
    expect(told).toContain('408');
  });

  test('of time end a request whose body does not come (WHO-14)', async () => {
    const { port, server } = await listening();
    server.server.requestTimeout = 500;
    server.server.headersTimeout = 500;
    const socket = connect(port, '127.0.0.1');
    let told = '';
    socket.setEncoding('utf8').on('data', (chunk) => (told += chunk));
    const head = `Authorization: Bearer ${tokens.operator}\r\nContent-Type: application/json`;
    socket.write(
      `POST /v1/goals HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}\r\nContent-Length: 99\r\n\r\n{`,
    );
    await once(socket, 'close');
    expect(told).toContain('408');
  });

  test('of caches: nothing that the service tells is kept (WHO-15)', async () => {
    const { call } = createApi();
    const { body } = await call('GET /openapi.json');
    const paths = Object.keys(body.paths as object).filter((path) => !path.endsWith('/events'));
    for (const path of ['/healthz', '/openapi.json', '/v1/nothing', '/', ...paths]) {
      const answer = await call(`GET ${path.replaceAll(/[{}]/g, '')}`);
      expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });
});
