// `up` in a process of its own, so that a test can kill it. Prints one JSON line when all runs.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/app/config.ts';
import { untilEnded } from '../../src/cli/until-ended.ts';
import { startStack } from '../../src/stack/up.ts';

const entry = fileURLToPath(new URL(`./stack-child${extname(import.meta.url)}`, import.meta.url));
const ended = untilEnded();
const stack = await startStack(loadConfig(), {
  entry,
  workers: 2,
  onProgress: (message) => console.error(message),
  handOver: async (workerId) => console.log(JSON.stringify({ handedOver: workerId })),
});
console.log(JSON.stringify({ url: stack.url, ...stack.addresses }));
await ended;
await stack.stop();
