import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves what is put into `files`, by path without the leading slash. */
export async function serveFiles(): Promise<{
  readonly url: string;
  readonly files: Map<string, string | Buffer>;
}> {
  const files = new Map<string, string | Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const found = files.get(path) ?? files.get(path.replace(/\/$/, ''));
    response.statusCode = found === undefined ? 404 : 200;
    // Python's clients read a list of links by this type alone.
    if (typeof found === 'string' && found.startsWith('<')) {
      response.setHeader('content-type', 'text/html');
    }
    response.end(found ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files };
}
