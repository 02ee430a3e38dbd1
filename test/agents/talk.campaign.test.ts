import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyMessage, PROTOCOL_VERSION, type Stream } from '@agentclientprotocol/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { AgentFault } from '../../src/agents/agent-fault.ts';
import { boundedStream } from '../../src/agents/bounded-stream.ts';
import { type TalkOrder, talkTo } from '../../src/agents/talk.ts';

const ANSWERS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} },
  'session/new': { sessionId: 's-1' },
};

const update = {
  ...{ jsonrpc: '2.0' as const, method: 'session/update' },
  params: {
    sessionId: 's-1',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: '.' } },
  },
};

/** An agent that sends one update as soon as another is taken, and never ends its turn. */
function endlessAgent(): { readonly stream: Stream; sent(): number } {
  let sent = 0;
  let isAsked = false;
  let send: (message: AnyMessage) => void = () => {};
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      send = (message) => controller.enqueue(message);
    },
    pull(controller) {
      if (!isAsked) return;
      sent += 1;
      controller.enqueue(update);
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if (!('method' in message) || !('id' in message)) return;
      const { id, method } = message;
      isAsked = method === 'session/prompt';
      if (isAsked) send(update);
      else send({ jsonrpc: '2.0', id, result: ANSWERS[method] ?? null });
    },
  });
  return { stream: { readable, writable }, sent: () => sent };
}

const order: TalkOrder = {
  ...{ cwd: '/', mcpServers: [], sessionId: null, mode: null, signIn: null },
  promptFor: () => 'Go.',
  onSession: async () => {},
  onUpdate: () => {},
  onPermission: () => expect.unreachable(),
  host: {
    read: () => expect.unreachable(),
    write: () => expect.unreachable(),
    run: () => expect.unreachable(),
  },
  stop: new AbortController().signal,
};

test('AGT-36 updates without end, each of a few bytes, end the turn at a number', async () => {
  const { stream, sent } = endlessAgent();
  await expect(talkTo(stream, order)).rejects.toMatchObject({
    kind: 'flooded',
    message: 'it sent more than 200000 updates in one turn',
  });
  expect(sent()).toBeLessThan(201_000);
});

/** Sends the third argument over and over, as fast as it is taken, once it has its prompt. */
const FLOOD = `
const [path, answers, piece] = process.argv.slice(1);
const socket = require('node:net').connect(path);
const pieces = Buffer.from(piece.repeat(Math.ceil(65536 / piece.length)));
const flood = () => {
  while (socket.write(pieces));
  socket.once('drain', flood);
};
require('node:readline').createInterface({ input: socket }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'session/prompt') return flood();
  socket.write(JSON.stringify({ jsonrpc: '2.0', id, result: JSON.parse(answers)[method] }) + '\\n');
});
socket.on('error', () => process.exit());
`;

/** A process that floods, at the other end of a socket. */
async function floodOf(piece: string): Promise<Socket> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-flood-'));
  const server = createServer().listen(join(folder, 'agent'));
  const came = once(server, 'connection') as Promise<[Socket]>;
  const args = ['-e', FLOOD, join(folder, 'agent'), JSON.stringify(ANSWERS), piece];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    server.close();
    await rm(folder, { recursive: true });
  });
  const [socket] = await came;
  socket.on('error', () => {});
  return socket;
}

const told = (words: number) => {
  const content = { type: 'text', text: 'x'.repeat(words) };
  const more = { sessionUpdate: 'agent_message_chunk', content };
  return `${JSON.stringify({ ...update, params: { sessionId: 's-1', update: more } })}\n`;
};

const MB = 1024 * 1024;

test.each([
  ['updates of 100 kB', told(100_000), /more than 32 MB in one turn/],
  ['updates of 1 kB', told(1000), /more than 32 MB in one turn/],
  ['a line without an end', 'x', /a message of more than 8 MB/],
])('AGT-37 a flood of %s is ended, in bounded memory', async (name, piece, why) => {
  const socket = await floodOf(piece);
  let fault: AgentFault | null = null;
  const stream = boundedStream(socket, (it) => {
    fault = it;
  });
  let begun = 0;
  const before = process.memoryUsage().rss;
  let most = before;
  const looks = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  const talked = talkTo(stream, {
    ...order,
    promptFor() {
      begun = performance.now();
      return 'Go.';
    },
  });
  await expect(talked).rejects.toBeInstanceOf(AgentFault);
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(looks);
  expect(fault).toMatchObject({ kind: 'flooded', message: expect.stringMatching(why) });
  expect(most - before).toBeLessThan(400 * MB);
  const megabytes = socket.bytesRead / MB;
  process.stdout.write(
    `${name}: ${megabytes.toFixed(1)} MB in ${seconds.toFixed(2)} s, ${(megabytes / seconds).toFixed(0)} MB/s, ${((most - before) / MB).toFixed(0)} MB more memory\n`,
  );
});
