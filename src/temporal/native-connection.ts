import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { type TemporalTls, TemporalTlsError } from '../contract/temporal-tls.ts';
import { startRounds } from '../process/rounds.ts';
import type { TemporalAddress } from './connection.ts';
import { diagnoseTls } from './diagnose-tls.ts';
import { isSame, readTlsFiles, type TlsFiles } from './tls-files.ts';

const LOOK_EVERY_MS = 2000;

/** @throws TemporalTlsError where TLS is what stands between */
export async function connectNative(temporal: TemporalAddress): Promise<NativeConnection> {
  const { address, tls } = temporal;
  if (!tls) return NativeConnection.connect({ address });
  const files = readTlsFiles(tls);
  try {
    return await NativeConnection.connect(optionsOf(address, tls, files));
  } catch (error) {
    throw (await diagnoseTls(address, tls)) ?? error;
  }
}

const optionsOf = (address: string, tls: TemporalTls, { ca, client }: TlsFiles) => ({
  address,
  tls: {
    serverRootCACertificate: ca,
    ...(tls.serverName === null ? {} : { serverNameOverride: tls.serverName }),
    ...(client === null ? {} : { clientCertPair: { crt: client.cert, key: client.key } }),
  },
  ...(tls.apiKey === null ? {} : { apiKey: tls.apiKey }),
});

export interface Followed {
  /** Gives the workers a new connection. */
  use(connection: NativeConnection): Promise<void>;
  /** Throws where the one that they have gets no answer. */
  ask(): Promise<unknown>;
}

/**
 * Gives the workers a new connection when the files changed and what they hold is accepted. Tells
 * once why no connection is trusted, also where the files are as they were and Temporal's own
 * certificate is what ended.
 */
export function followTlsFiles(
  temporal: TemporalAddress,
  { use, ask }: Followed,
  log: Pick<Logger, 'info' | 'warn'>,
): { stop(): Promise<void> } {
  const { tls } = temporal;
  if (!tls) return { stop: async () => {} };
  let used: TlsFiles | null = readTlsFiles(tls);
  let told = '';
  const tell = (problem: string, error: unknown) => {
    if (problem !== told) log.warn({ problem, err: error }, 'no connection with the certificates');
    told = problem;
  };
  const untell = (said: string) => {
    if (told !== '') log.info(said);
    told = '';
  };
  const lookAtServer = async () => {
    const isAnswered = await ask().then(
      () => true,
      () => false,
    );
    if (isAnswered) return untell('Temporal is reached again');
    const found = await diagnoseTls(temporal.address, tls);
    if (found !== null) tell(found.problem, found);
  };
  return startRounds(async () => {
    try {
      const found = readTlsFiles(tls);
      if (used !== null && isSame(found, used)) {
        await lookAtServer();
        return false;
      }
      await use(await connectNative(temporal));
      used = found;
      told = '';
      log.info('Temporal is reached with the new certificates');
    } catch (error) {
      // What is mended to the same bytes is a change too.
      used = null;
      tell(error instanceof TemporalTlsError ? error.problem : 'unreachable', error);
    }
    return false;
  }, LOOK_EVERY_MS);
}
