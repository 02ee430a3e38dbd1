// Stands in for the CLI's `worker` and `api`: the supervisor's view of a child and nothing more.
import { createServer } from 'node:http';

if (process.argv[2] === 'api') {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'));
  server.listen(Number(process.env.GOALKEEPER_PORT), process.env.GOALKEEPER_HOST);
} else {
  console.log(`worker ${process.env.GOALKEEPER_WORKER_ID}`);
  setInterval(() => undefined, 60_000);
}
process.on('SIGTERM', () => process.exit(0));
