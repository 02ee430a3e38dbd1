import { ChannelCredentials } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import type { TemporalTls } from '../contract/temporal-tls.ts';
import type { SealedKeys } from '../sealed/keys.ts';
import { callInterceptors } from './closed-channel.ts';
import { sealedConverter } from './data-converter.ts';
import { greetedInTime } from './greeted-in-time.ts';
import { watchedCredentials } from './tls-credentials.ts';

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
  /** Absent and null: no TLS, as the embedded server has it. */
  readonly tls?: TemporalTls | null | undefined;
}

/** Connects at the first call, so that the API serves what Postgres knows while Temporal is away. */
export function createTemporalClient(
  { address, namespace, tls }: TemporalAddress,
  keys: SealedKeys,
): Client {
  const dataConverter = sealedConverter(keys, { is: 'client' });
  const interceptors = callInterceptors();
  const credentials = greetedInTime(ChannelCredentials.createInsecure());
  const how = tls ? secured(tls) : { credentials };
  const connection = Connection.lazy({ address, interceptors, ...how });
  return new Client({ connection, namespace, dataConverter });
}

export const secured = (tls: TemporalTls) => ({
  credentials: greetedInTime(watchedCredentials(tls)),
  ...(tls.apiKey === null ? {} : { metadata: { authorization: `Bearer ${tls.apiKey}` } }),
  ...(tls.serverName === null
    ? {}
    : { channelArgs: { 'grpc.ssl_target_name_override': tls.serverName } }),
});
