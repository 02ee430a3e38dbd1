import type { Socket } from 'node:net';
import type { ChannelCredentials, experimental } from '@grpc/grpc-js';

const PATIENCE_MS = 10_000;

/**
 * The same credentials, whose connections are given up where the server says nothing in the
 * beginning. gRPC's own pings begin behind the greeting: a line that is silent before (a proxy that
 * accepted it, and nobody behind it) would be waited for without an end, by all calls.
 */
export function greetedInTime(
  credentials: ChannelCredentials,
  patienceMs = PATIENCE_MS,
): ChannelCredentials {
  const make = credentials._createSecureConnector.bind(credentials);
  credentials._createSecureConnector = (...given) => watched(make(...given), patienceMs);
  return credentials;
}

const watched = (
  connector: experimental.SecureConnector,
  patienceMs: number,
): experimental.SecureConnector => ({
  async connect(socket) {
    const secured = giveUpBehind(socket, patienceMs, () => true);
    try {
      const made = await connector.connect(socket);
      const before = made.socket.bytesRead;
      giveUpBehind(made.socket, patienceMs, () => made.socket.bytesRead === before);
      return made;
    } finally {
      secured.stop();
    }
  },
  waitForReady: () => connector.waitForReady(),
  getCallCredentials: () => connector.getCallCredentials(),
  destroy: () => connector.destroy(),
});

function giveUpBehind(
  socket: Socket,
  patienceMs: number,
  isSilent: () => boolean,
): { stop(): void } {
  const look = () => {
    if (isSilent()) socket.destroy(new Error('the server said nothing'));
  };
  const timer = setTimeout(look, patienceMs).unref();
  const stop = () => clearTimeout(timer);
  socket.once('close', stop);
  return { stop };
}
