import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthAnswer {
  readonly isGood: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Health {
  /** Should this process go on? A supervisor ends one that should not. */
  alive(): HealthAnswer;
  /** Does it work at this moment? */
  ready(): Promise<HealthAnswer>;
  /** What it counted, in Prometheus' text format. */
  metrics(): Promise<string>;
}

/**
 * Answers `/healthz`, `/readyz` and `/metrics` for a process that serves nothing else; nobody signs
 * in, so answers name states and counts, and nothing of goals.
 * @throws when the port is taken
 */
export async function listenForHealth(
  { host, port }: { readonly host: string; readonly port: number },
  health: Health,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return send(response, health.alive());
    try {
      if (path === '/metrics') {
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
        return response.end(await health.metrics());
      }
      if (path !== '/readyz') return send(response, { isGood: false, body: {} }, 404);
      send(response, await health.ready());
    } catch {
      send(response, { isGood: false, body: { status: 'unavailable' } });
    }
  });
  // Probes are short, and nobody else calls.
  server.requestTimeout = 10_000;
  server.listen(port, host);
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(response: ServerResponse, { isGood, body }: HealthAnswer, code?: number): void {
  response.writeHead(code ?? (isGood ? 200 : 503), { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
