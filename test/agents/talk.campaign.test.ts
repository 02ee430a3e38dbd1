import { type AnyMessage, PROTOCOL_VERSION, type Stream } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
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
