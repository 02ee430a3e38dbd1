import type { lookup } from 'node:dns';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainRuleOf } from '../../../schema/domain.ts';
import { PROXY_LIMITS } from '../../../src/net/proxy/limits.ts';
import type { Attempt, Ports } from './attempts.ts';

/** An address that operators name here, and one that nobody does. */
export const NAMED = '127.0.0.1';
const CANARY_AT = '127.0.0.2';
/** How long an attempt waits for what it wants. */
const PATIENCE_MS = 400;

/** Servers behind a proxy, and what they heard. */
export interface Stage {
  readonly ports: Ports;
  /** Heads of requests, and all bytes of tunnels, since it was asked last. */
  heard(): string;
  close(): void;
}

export async function openStage(): Promise<Stage> {
  let heard = '';
  const hear = (text: string) => {
    heard += text;
  };
  const http = createHttp({ insecureHTTPParser: true }, (request, answer) => {
    hear(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
    request.resume().on('end', () => answer.end('answered'));
  });
  const raw = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (piece) => {
        hear(piece.toString('latin1'));
        socket.write('answered');
      });
  });
  const canaries = [0, 1].map(() =>
    createServer((socket) => {
      socket.on('error', () => {}).on('data', () => socket.end(CANARY));
    }),
  );
  const ports = { http: await listening(http), raw: await listening(raw) };
  await listening(canaries[0] as Server, ports.http, CANARY_AT);
  await listening(canaries[1] as Server, ports.raw, CANARY_AT);
  const all = [http, raw, ...canaries];
  return {
    ports,
    heard() {
      const said = heard;
      heard = '';
      return said;
    },
    close: () => all.forEach((server) => void server.close()),
  };
}

const CANARY = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nCANARY';

export async function listening(
  server: Server | HttpServer,
  port = 0,
  host = NAMED,
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return (server.address() as AddressInfo).port;
}

export const domainsOf = ({ http, raw }: Ports): string[] => [
  ...[`allowed.example:${http}`, `allowed.example:${raw}`, 'web.example'],
  ...[`*.wild.example:${http}`, `*.wild.example:${raw}`, `bücher.example:${http}`],
];

export const rulesOf = (ports: Ports) =>
  domainsOf(ports).flatMap((entry) => domainRuleOf(entry) ?? []);

export const OWN_ADDRESS = '203.0.114.9';
const LED: Readonly<Record<string, readonly string[]>> = {
  'loop.wild.example': [CANARY_AT],
  'private.wild.example': ['10.1.2.3'],
  'mapped.wild.example': [`::ffff:${CANARY_AT}`],
  'both.wild.example': [CANARY_AT, NAMED],
  'own.wild.example': [OWN_ADDRESS],
};

/** Leads all names to the servers, some to where nobody may go, and one there after its first time. */
export function testResolver(onAsked: (name: string) => void = () => {}): typeof lookup {
  const asked = new Set<string>();
  const resolve = (name: string, _: unknown, done: (...said: unknown[]) => void) => {
    onAsked(name);
    const isRebound = name.startsWith('rebound.') && asked.has(name);
    asked.add(name);
    const isBad = name.startsWith('evil') || name === 'wild.example' || isRebound;
    const addresses = LED[name] ?? [isBad ? CANARY_AT : NAMED];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return resolve as unknown as typeof lookup;
}

export const LIMITS = { ...PROXY_LIMITS, connectMs: 2000 };

/** What came back. */
export async function play(port: number, ports: Ports, attempt: Attempt): Promise<string> {
  const socket = connect(port, NAMED);
  let back = '';
  socket.on('data', (piece) => {
    back += piece.toString('latin1');
  });
  socket.on('error', () => {});
  for (const bytes of attempt.sends(ports)) {
    const before = back.length;
    socket.write(bytes);
    await Promise.race([ended(socket), sleep(PATIENCE_MS), until(() => back.length > before)]);
  }
  await Promise.race([ended(socket), sleep(PATIENCE_MS)]);
  socket.destroy();
  return back;
}

const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 40 && !isTrue(); tries += 1) await sleep(10);
}
