import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { reply, type ScriptedReply } from '../demo/script.ts';
import { openaiWire } from '../demo/scripted-wire.ts';

/**
 * A model in a process of its own that answers at once and keeps the time of every call. What it
 * does stands in the objective (`bench steps 5000`), so that one server serves every goal. It
 * looks only at the end of a request: parsing all of it would cost the machine more than a model
 * that runs elsewhere.
 */
interface Served {
  /** Request complete, milliseconds since the epoch. */
  readonly asked: number[];
  /** Answer handed to the socket. */
  readonly answered: number[];
  /** The client broke the answer off. */
  readonly stopped: number[];
  bytes: number;
}

const USAGE = { input: 100, output: 10 };
/** Files of {@link notes} that the answers read; each call differs, so that no rule about
 * repetition fires. */
const FILES = 50;
const LINES_READ = 3;

const nothing = (): Served => ({ asked: [], answered: [], stopped: [], bytes: 0 });
const goals = new Map<string, Served>();
const now = () => performance.timeOrigin + performance.now();

const readNext = (n: number) =>
  reply.call('read_file', {
    path: `notes/${n % FILES}.txt`,
    offset: 1 + Math.floor(n / FILES),
    limit: LINES_READ,
  });

const write = (path: string, content: string) => reply.call('write_file', { path, content });
const claim = reply.call('attempt_completion', { result: 'It is right.' });

/** The check fails, then passes by what git ignores, which is no proof, then by the work. */
const PROVES = [
  ...[write('packages/p0/src/f0/0.ts', 'wrong\n'), claim],
  ...[write('dist/built', 'by hand\n'), claim],
  ...[write('packages/p0/src/f0/0.ts', 'right\n'), claim],
];

const makeFiles = (count: number) =>
  reply.call('run_command', {
    command: `mkdir -p src/many && for at in $(seq 1 ${count}); do echo $at > src/many/file$at.js; done`,
  });

const ask = reply.call('ask_user', { question: 'What comes next?' });

/** @param n how often this goal was answered before */
function answerOf(script: string, count: number, n: number): ScriptedReply {
  switch (script) {
    case 'steps':
      return n < count ? readNext(n) : ask;
    case 'turns':
      if (n >= 2 * count) return ask;
      return n % 2 === 0 ? readNext(n) : reply.text(`Part ${n} was read.`);
    case 'paced':
      return { ...(n % 2 === 0 ? readNext(n) : reply.text(`Part ${n} was read.`)), delayMs: count };
    case 'files':
      return n === 0 ? makeFiles(count) : ask;
    case 'yields':
      return n < count ? reply.text(`Part ${n} was thought about.`) : ask;
    case 'waits':
      return n === 0
        ? reply.call('wait_for', { until: new Date(count * 1000).toISOString() })
        : ask;
    case 'sleeps':
      return reply.call('run_command', { command: `exec sleep 600.${n}` });
    case 'proves':
      return PROVES[n] ?? ask;
    case 'slow-steps':
      return { ...readNext(n), delayMs: count };
    default:
      return ask;
  }
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, path, goalId = ''] = request.url?.split('/') ?? [];
  if (path === 'served') {
    response.end(JSON.stringify(goals.get(goalId) ?? nothing()));
    return;
  }
  const body = await readBody(request);
  const at = now();
  const goal = lastMatch(body, '<goal id=\\"', /^<goal id=\\"([^"\\]+)/)[1] ?? '';
  const served = goals.get(goal) ?? nothing();
  goals.set(goal, served);
  const [, script = '', count = '0'] = lastMatch(
    body,
    '<objective>',
    /^<objective>\\nbench (\S+) (\d+)/,
  );
  const answer = answerOf(script, Number(count), served.asked.push(at) - 1);
  served.bytes = body.length;
  if (answer.delayMs !== undefined) await delay(answer.delayMs);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (script === 'streams') return await streamUntilStopped(response, served);
  const text = answer.text ? openaiWire.textPiece('instant', answer.text) : '';
  const ended = openaiWire.closing('instant', answer, USAGE);
  response.end(openaiWire.opening('instant', USAGE) + text + ended);
  served.answered.push(now());
}

/** Talks until nobody listens any more. */
async function streamUntilStopped(response: ServerResponse, served: Served): Promise<void> {
  response.once('close', () => served.stopped.push(now()));
  response.write(openaiWire.opening('instant', USAGE));
  while (!response.destroyed) {
    response.write(openaiWire.textPiece('instant', 'and so on '));
    await delay(20);
  }
}

function lastMatch(body: Buffer, start: string, pattern: RegExp): readonly string[] {
  const from = body.lastIndexOf(start);
  return from < 0 ? [] : (body.toString('utf8', from, from + 200).match(pattern) ?? []);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => process.exit(0));
