import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { AgentFault } from './agent-fault.ts';

/** Of one turn, in all that the agent sends. */
export const MOST_BYTES = 32 * 1024 * 1024;
const MOST_OF_A_MESSAGE = 8 * 1024 * 1024;

/** The talk with an agent, up to so many bytes from it. */
export function boundedStream(socket: Socket, onFault: (fault: AgentFault) => void): Stream {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= MOST_BYTES) {
        controller.enqueue(chunk);
        return;
      }
      onFault(
        new AgentFault('flooded', `it sent more than ${MOST_BYTES / 1024 / 1024} MB in one turn`),
      );
      controller.terminate();
      socket.destroy();
    },
  });
  const input = Readable.toWeb(socket) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(socket) as WritableStream<Uint8Array>;
  void input.pipeTo(counted.writable).catch(() => {});
  return ndJsonStream(output, counted.readable, { maxMessageBytes: MOST_OF_A_MESSAGE });
}
