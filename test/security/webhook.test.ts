import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect } from 'vitest';
import { reply } from '../../demo/script.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { type Mode, playClass } from './attempts.ts';
import { type Callers, openCallers, plainGoal } from './callers.ts';
import { openService, type Service, TOKENS } from './service.ts';

const MODE: Mode = { user: 'ordinary', sandbox: true };
const SECRET = 'a-secret-of-the-target-0000';

/** Everything that isn't public is refused by one; the other may reach this machine's receiver. */
let service: Service;
let open: Service;
let callers: Callers;
let receiver: Receiver;
let inner: Server;
let reached = 0;
beforeAll(async () => {
  receiver = await startReceiver();
  inner = createServer((_, response) => {
    reached += 1;
    response.end('CANARY-INNER');
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.2', resolve));
  service = await openService(MODE);
  open = await openService(MODE, { GOALKEEPER_ALLOWED_ADDRESSES: '127.0.0.1' });
  callers = await openCallers(service);
}, 300_000);
afterAll(async () => {
  await service.close();
  await open.close();
  receiver.close();
  inner.close();
});

const innerUrl = () => `http://127.0.0.2:${(inner.address() as AddressInfo).port}/`;
const target = (url: string, more: object = {}) => ({ notify: [{ url, secret: SECRET, ...more }] });
const start = (more: object, as: string = TOKENS.operator) =>
  service.call('POST /v1/goals', { as, body: plainGoal({ name: 'shop' }, more) });

async function refused(...urls: string[]): Promise<number> {
  for (const url of urls) {
    const { status } = await start(target(url));
    expect([url, status]).toEqual([url, expect.toSatisfy((s: number) => s >= 400 && s < 500)]);
  }
  return urls.length;
}

/** What the model is told of waits for these; nothing of this machine is reached. */
async function waitsRefused(at: Service, ...urls: string[]): Promise<number> {
  const before = reached;
  const calls = urls.map((url) => reply.call('wait_for', { url, timeoutSeconds: 5 }));
  const { results } = await at.play(calls);
  for (const text of results) expect(text).not.toContain('CANARY-INNER');
  expect(reached).toBe(before);
  return urls.length;
}

playClass('webhook', MODE, {
  'WHK-1': () =>
    refused(
      'https://127.0.0.1/x',
      'https://127.1/x',
      'https://0.0.0.0/x',
      'https://localhost/x',
      'https://localhost./x',
      'https://a.localhost/x',
      'https://127.255.255.254/',
      'https://0/',
    ),
  'WHK-2': () =>
    refused(
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
      'https://0x7f.1/',
      'https://017700000001/',
      'https://127.0.0.1%2f/',
      'https://①②⑦.⓪.⓪.①/',
    ),
  'WHK-3': () =>
    refused(
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[::127.0.0.1]/',
      'https://[0:0:0:0:0:0:0:1]/',
    ),
  'WHK-4': () =>
    refused(
      'https://169.254.169.254/latest/meta-data',
      'https://[fd00:ec2::254]/',
      'https://169.254.170.2/',
      'https://100.100.100.200/',
      'https://[::ffff:169.254.169.254]/',
    ),
  'WHK-5': () =>
    refused(
      'https://10.0.0.1/',
      'https://172.16.0.1/',
      'https://172.31.255.255/',
      'https://192.168.1.1/',
      'https://100.64.0.1/',
      'https://[fc00::1]/',
      'https://[fe80::1]/',
      'https://[fdff::1]/',
    ),
  'WHK-6': () =>
    refused(
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://198.18.0.1/',
      'https://[ff02::1]/',
      'https://192.0.2.1/',
      'https://240.0.0.1/',
      'https://[2001:db8::1]/',
    ),
  'WHK-7': () =>
    refused(
      'http://example.com/',
      'file:///etc/passwd',
      'gopher://example.com/',
      'ftp://example.com/',
      'data:text/plain,x',
      'javascript:1',
      '//example.com',
    ),
  'WHK-8': () =>
    refused(
      'https://user:password@example.com/',
      'https://user@example.com/',
      'https://example.com@127.0.0.1/',
      'https://:x@example.com/',
    ),
  'WHK-9': async () => {
    const bad = [
      target('https://example.com/\r\nx: y'),
      target('https://example.com/x', { secret: 'a\r\nb'.repeat(8) }),
      target('https://exa\nmple.com/'),
    ];
    for (const more of bad) {
      const { status, body } = await start(more);
      // An address is read as browsers do: what is left of it holds no line break.
      if (status === 201) expect(JSON.stringify(body.notify)).not.toMatch(/\\r|\\n/);
    }
    return bad.length;
  },
  'WHK-10': async () => {
    const { status, body } = await start(target(`https://${hostname()}/x`));
    if (status >= 400) return 1;
    await service.call(`POST /v1/goals/${body.goalId}/pause`, { body: {} });
    const { items } = await waitUntil(async () => {
      const { body: page } = await service.call(`GET /v1/goals/${body.goalId}/notifications`);
      return JSON.stringify(page).includes('attempts') ? page : null;
    }, 30_000).catch(() => ({ items: [] }));
    expect(JSON.stringify(items)).not.toMatch(/"status":"delivered"/);
    return 1;
  },
  'WHK-11': async () => {
    receiver.answers = () => 204;
    const redirecting = createServer((_, response) =>
      response.writeHead(302, { location: innerUrl() }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/x`;
    const before = reached;
    const { status, body } = await open.call('POST /v1/goals', {
      body: plainGoal({ name: 'shop' }, target(url)),
    });
    expect(status).toBe(201);
    await open.call(`POST /v1/goals/${body.goalId}/pause`, { body: {} });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    redirecting.close();
    redirecting.closeAllConnections();
    expect(reached).toBe(before);
    return 1;
  },
  'WHK-12': async () => {
    const { body } = await open.call('POST /v1/goals', {
      body: plainGoal({ name: 'till' }, target(`${receiver.url}/signed`)),
    });
    await open.call(`POST /v1/goals/${body.goalId}/pause`, { body: {} });
    const got = await waitUntil(
      () => receiver.received.find(({ path }) => path === '/signed'),
      60_000,
    );
    expect(verify(got.headers as never, got.body, SECRET)).toBe(true);
    expect(verify(got.headers as never, got.body.replace('paused', 'complete'), SECRET)).toBe(
      false,
    );
    expect(verify(got.headers as never, got.body, 'another-secret-0000')).toBe(false);
    expect(verify({ ...got.headers, 'webhook-id': 'x' } as never, got.body, SECRET)).toBe(false);
    expect(verify(got.headers as never, got.body, SECRET, Date.now() + 400_000)).toBe(false);
    return 4;
  },
  'WHK-13': async () => {
    const endless = createServer((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 20);
      response.on('close', () => clearInterval(timer));
    });
    let closed = 0;
    endless.on('connection', (socket) => socket.on('close', () => (closed += 1)));
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/x`;
    const { body } = await open.call('POST /v1/goals', {
      body: plainGoal({ path: open.folder() }, target(url)),
    });
    const begin = Date.now();
    await open.call(`POST /v1/goals/${body.goalId}/pause`, { body: {} });
    expect(Date.now() - begin).toBeLessThan(20_000);
    await waitUntil(() => closed > 0, 40_000);
    endless.close();
    endless.closeAllConnections();
    return 2;
  },
  'WHK-14': async () => {
    const url = 'https://example.com/hidden-path?key=hidden-query';
    const { body } = await start(target(url));
    for (const path of ['', '/notifications', '/history', '/timeline']) {
      const { text } = await service.call(`GET /v1/goals/${body.goalId}${path}`, {
        as: TOKENS.viewer,
      });
      expect([path, text.includes(SECRET), text.includes('hidden')]).toEqual([path, false, false]);
      const { text: ofPerson } = await service.call(`GET /v1/goals/${body.goalId}${path}`, {
        as: TOKENS.operator,
      });
      expect([path, ofPerson.includes(SECRET), ofPerson.includes('hidden-query')]).toEqual([
        path,
        false,
        false,
      ]);
    }
    return 8;
  },
  'WHK-15': async () => {
    for (const secretEnv of [
      'PATH',
      'GOALKEEPER_TOKENS',
      'GOALKEEPER_LEDGER_KEY',
      'DATABASE_URL',
      'GOALKEEPER_NOTIFY_',
      'goalkeeper_notify_x',
      'GOALKEEPER_NOTIFY_SECRET=x',
      '',
    ]) {
      const { status } = await start({ notify: [{ url: 'https://example.com/', secretEnv }] });
      expect([secretEnv, status]).toEqual([secretEnv, 400]);
    }
    return 8;
  },
  'WHK-16': () =>
    waitsRefused(
      service,
      innerUrl(),
      `${service.url}/healthz`,
      'http://169.254.169.254/latest',
      'http://[::1]:80/',
      'http://2130706434/',
      'http://0x7f000002/',
      'http://localhost/',
      'http://10.0.0.1/',
    ),
  'WHK-17': async () => {
    const redirecting = createServer((_, response) =>
      response.writeHead(302, { location: innerUrl() }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
    const tried = await waitsRefused(open, url).finally(() => {
      redirecting.close();
      redirecting.closeAllConnections();
    });
    return tried;
  },
  'WHK-18': () =>
    waitsRefused(
      service,
      'file:///etc/passwd',
      'ftp://127.0.0.2/',
      'gopher://127.0.0.2/',
      'data:text/plain,x',
      'javascript:1',
      'ws://127.0.0.2/',
    ),
  'WHK-19': async () => {
    const { goalId } = callers;
    for (const line of [
      `GET /v1/goals/${goalId}/notifications`,
      `POST /v1/goals/${goalId}/notifications/x/resend`,
    ]) {
      for (const as of [callers.otherAgent, callers.bounded]) {
        const { status } = await service.call(line, {
          as,
          ...(line.startsWith('POST') && { body: {} }),
        });
        expect([403, 404]).toContain(status);
      }
    }
    return 4;
  },
  'WHK-20': async () => {
    const { status } = await start({
      notify: Array.from({ length: 11 }, (_, n) => ({
        url: `https://example.com/${n}`,
        secret: SECRET,
      })),
    });
    expect(status).toBe(400);
    return 1;
  },
});

/** As docs/webhooks.md has receivers do it. */
function verify(
  headers: Readonly<Record<string, string>>,
  body: string,
  secret: string,
  now = Date.now(),
): boolean {
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false;
  const wanted = createHmac('sha256', secret)
    .update(`${headers['webhook-id']}.${timestamp}.${body}`)
    .digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
