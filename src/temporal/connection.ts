import { Client, Connection } from '@temporalio/client';
import type { SealedKeys } from '../sealed/keys.ts';
import { sealedConverter } from './data-converter.ts';

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

/** Connects at the first call, so that the API serves what Postgres knows while Temporal is away. */
export function createTemporalClient(
  { address, namespace }: TemporalAddress,
  keys: SealedKeys,
): Client {
  const dataConverter = sealedConverter(keys, { is: 'client' });
  return new Client({ connection: Connection.lazy({ address }), namespace, dataConverter });
}
