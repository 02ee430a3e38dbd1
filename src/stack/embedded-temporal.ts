import type { LocalProcess } from '../contract/process-identity.ts';
import { identify } from '../process/process-identity.ts';
import { whyNoOwnNetwork } from '../sandbox/namespace.ts';
import { type LoopbackGuard, startLoopbackGuard } from './loopback-guard.ts';
import { onSamePort } from './ports.ts';
import { openTemporal } from './reach.ts';
import { supervise } from './supervisor.ts';
import { PREFERRED_PORT, type RunningTemporal, startTemporal } from './temporal.ts';

export interface EmbeddedTemporalOptions {
  readonly home: string;
  readonly onProgress: (message: string) => void;
  /** Everybody on this machine reaches it; progress unless told. */
  readonly onOpen?: (message: string) => void;
  /** Somebody was refused; progress unless told. */
  readonly onRefused?: (message: string) => void;
  /** The children that use it, at this moment; this process does too. */
  readonly children: () => readonly LocalProcess[];
}

/**
 * Keeps a server up for this process and its children alone, at one address. Where the machine
 * allows no network for it, every process of the machine reaches it, which is told.
 */
export async function keepTemporal(
  options: EmbeddedTemporalOptions,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const { home, onProgress } = options;
  onProgress('Starting Temporal');
  const guard = await guardHere(options);
  const start = (port: { port?: number }) => startTemporal({ home, onProgress, guard, ...port });
  try {
    const temporal = await supervise(
      {
        name: 'Temporal',
        start: (previous: RunningTemporal | null) => onSamePort(previous, start),
      },
      onProgress,
    );
    const { address } = temporal.current;
    const stop = async () => {
      await temporal.stop();
      guard?.close();
    };
    return { address, stop };
  } catch (error) {
    guard?.close();
    throw error;
  }
}

async function guardHere({
  onProgress,
  onOpen = onProgress,
  onRefused = onProgress,
  children,
}: EmbeddedTemporalOptions): Promise<LoopbackGuard | null> {
  const why = await whyNoOwnNetwork();
  if (why !== null) {
    onOpen(`Temporal: ${openTemporal(why)}`);
    return null;
  }
  const self = identify(process.pid);
  const own = () => [...(self ? [self] : []), ...children()];
  return startLoopbackGuard({ port: PREFERRED_PORT, own, onRefused });
}
