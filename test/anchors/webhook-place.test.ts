import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Anchor } from '../../schema/anchor.ts';
import { webhookTarget } from '../../src/anchors/webhook-target.ts';
import { addressRules } from '../../src/net/addresses.ts';

const SECRET = Buffer.from('a secret of the place, 24 bytes').toString('base64');
const ANCHOR = { size: 3, root: 'ab', at: '2026-11-24T00:00:00.000Z' } as Anchor;

let server: Server;
let url: string;
let status = 200;
const got: { headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    got.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/heads?key=hidden`;
});
afterAll(() => void server.close());

const place = (rules = addressRules(['127.0.0.1/32'])) =>
  webhookTarget(url, `whsec_${SECRET}`, rules);

test('REC-56 a head is posted under one id, with a signature that its receiver can check', async () => {
  status = 200;
  await place().put(ANCHOR, async () => true);
  await place().put(ANCHOR, async () => true);
  const [first, second] = got.splice(0);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  const { headers, body } = first ?? { headers: {}, body: '' };
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mac = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${mac}`);
  expect(JSON.parse(body)).toEqual({ type: 'record.anchored', data: ANCHOR });
});

test('REC-56 a place that refuses, or may not be reached, has no head', async () => {
  status = 503;
  await expect(place().put(ANCHOR, async () => true)).rejects.toThrow('it answered 503');
  expect(got.splice(0)).toHaveLength(1);
  await expect(place(addressRules([])).put(ANCHOR, async () => true)).rejects.toThrow();
  expect(got).toEqual([]);
});

test('REC-56 its name shows no key of its address', () => {
  expect(place().name).not.toContain('hidden');
});
