import type { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { AgentFault } from './agent-fault.ts';

/** Of one turn, in all that the agent sends. */
export const MOST_BYTES = 32 * 1024 * 1024;
const MOST_OF_A_MESSAGE = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/** The talk with an agent, up to so many bytes from it, and so many in one message. */
export function boundedStream(socket: Socket, onFault: (fault: AgentFault) => void): Stream {
  let bytes = 0;
  /** Of the message that has not ended yet. */
  let begun = 0;
  const excess = (chunk: Uint8Array): string | null => {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return `more than ${inMegabytes(MOST_BYTES)} MB in one turn`;
    const end = chunk.indexOf(NEWLINE);
    const message = begun + (end === -1 ? chunk.byteLength : end);
    if (message > MOST_OF_A_MESSAGE)
      return `a message of more than ${inMegabytes(MOST_OF_A_MESSAGE)} MB`;
    begun = end === -1 ? message : chunk.byteLength - chunk.lastIndexOf(NEWLINE) - 1;
    return null;
  };
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const what = excess(chunk);
      if (what === null) {
        controller.enqueue(chunk);
        return;
      }
      onFault(new AgentFault('flooded', `it sent ${what}`));
      controller.terminate();
      socket.destroy();
    },
  });
  const input = Readable.toWeb(socket) as ReadableStream<Uint8Array>;
  const output = Writable.toWeb(socket) as WritableStream<Uint8Array>;
  void input.pipeTo(counted.writable).catch(() => {});
  return ndJsonStream(output, counted.readable, { maxMessageBytes: MOST_OF_A_MESSAGE });
}

const inMegabytes = (size: number): number => size / 1024 / 1024;
