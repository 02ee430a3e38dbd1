import { chmod, open, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Listening {
  /** Ends it, and every connection that was made. */
  close(): Promise<void>;
}

/**
 * A socket in a folder, whatever the length of the folder's path. Processes of another user, and of
 * another network, connect to it where they see the folder.
 *
 * @param most connections at once; others are ended
 */
export async function listenIn(
  folder: string,
  name: string,
  most: number,
  onConnection: (socket: Socket) => void,
): Promise<Listening> {
  await rm(join(folder, name), { force: true, recursive: true });
  const held = await open(folder, 'r');
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    if (sockets.size >= most) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  try {
    const path = `/proc/self/fd/${held.fd}/${name}`;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    await chmod(path, 0o666);
  } catch (error) {
    await held.close();
    throw error;
  }
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await held.close();
    },
  };
}
