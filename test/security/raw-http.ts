import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Sends these bytes as they are and returns all that came back until the end, or until patience is over. */
export function rawHttp(url: string, bytes: string | Buffer, patienceMs = 3000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(patienceMs, end);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', end);
    socket.on('close', end);
    socket.write(bytes);
  });
}

export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** A byte at a time; resolves with the milliseconds until the service had enough. */
export async function dribble(url: string, bytes: string, everyMs: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const begin = Date.now();
  let isOver = false;
  socket.on('error', () => (isOver = true));
  socket.on('end', () => (isOver = true));
  socket.on('close', () => (isOver = true));
  socket.resume();
  for (const byte of bytes) {
    if (isOver) break;
    socket.write(byte);
    await delay(everyMs);
  }
  socket.destroy();
  return Date.now() - begin;
}
