import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What comes from now on is answered so; null: never. */
  answers: (received: Received) => number | null;
  close(): void;
}

/** Somebody's server that webhooks are sent to. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body };
      receiver.received.push(one);
      const status = receiver.answers(one);
      if (status !== null) response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answers: () => 204,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
