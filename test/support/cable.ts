import { connect, createServer, type Socket } from 'node:net';

/** A way to a server of this machine that breaks as a test wants. */
export interface Cable {
  readonly port: number;
  /** Whoever is connected is cut off, and nobody gets through until it is mended. */
  cut(): void;
  /**
   * Nothing gets through any more, and nobody is told: not of what was sent, and not of connections
   * that are made from now on. What was open then stays so for good, as where a firewall forgot it.
   */
  silence(): void;
  /** Falls silent behind the next bytes to the server that hold these words, and resolves then. */
  silenceBehind(words: string): Promise<void>;
  /** New connections get through. */
  mend(): void;
  /** Connections so far. */
  readonly count: () => number;
  close(): Promise<void>;
}

/** @param target HOST:PORT */
export async function layCable(target: string, port = 0): Promise<Cable> {
  const [host, behindPort] = target.split(':');
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  let count = 0;
  let last: { readonly words: string; readonly told: () => void } | null = null;
  const ways = new Set<{ readonly ends: readonly Socket[]; isDead: boolean }>();
  const silence = () => {
    state = 'silent';
    for (const way of ways) way.isDead = true;
    last?.told();
    last = null;
  };
  const server = createServer((socket) => {
    count += 1;
    if (state === 'cut') return void socket.destroy();
    const way = { ends: [socket], isDead: state === 'silent' };
    ways.add(way);
    socket.on('error', () => {});
    socket.once('close', () => ways.delete(way));
    if (way.isDead) return;
    const behind = connect(Number(behindPort), host);
    way.ends = [socket, behind];
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (bytes) => {
        if (way.isDead) return;
        to.write(bytes);
        if (from === socket && last !== null && bytes.includes(last.words)) silence();
      });
      from.once('close', () => way.isDead || to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const endAll = () => {
    for (const { ends } of ways) for (const end of ends) end.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut';
      endAll();
    },
    silence,
    silenceBehind: (words) =>
      new Promise((told) => {
        last = { words, told };
      }),
    mend() {
      state = 'whole';
    },
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}

/** The same URL, by way of the cable. */
export function throughCable(url: string, { port }: Pick<Cable, 'port'>): string {
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return through.href;
}

export const addressIn = (url: string): string => new URL(url).host;
