// Stands in for the CLI's `worker` and `api`: the supervisor's view of a child and nothing more.
import { createServer, type ServerResponse } from 'node:http';
import { Connection } from '@temporalio/client';

if (process.argv[2] === 'api') {
  const server = createServer((request, response) =>
    request.url === '/temporal' ? reachTemporal(response) : response.end('{"status":"ok"}'),
  );
  server.listen(Number(process.env.GOALKEEPER_PORT), process.env.GOALKEEPER_HOST);
} else {
  console.log(`worker ${process.env.GOALKEEPER_WORKER_ID}`);
  setInterval(() => undefined, 60_000);
}
process.on('SIGTERM', () => process.exit(0));

/** As only a child of the stack can. */
async function reachTemporal(response: ServerResponse): Promise<void> {
  try {
    const address = process.env.TEMPORAL_ADDRESS ?? '';
    const connection = await Connection.connect({ address, connectTimeout: 60_000 });
    await connection.close();
    response.end('{}');
  } catch (error) {
    response.writeHead(503).end(String(error));
  }
}
