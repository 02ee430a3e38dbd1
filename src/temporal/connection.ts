import { Client, Connection } from '@temporalio/client';

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

/** Connects at the first call, so that the API serves what Postgres knows while Temporal is away. */
export function createTemporalClient({ address, namespace }: TemporalAddress): Client {
  return new Client({ connection: Connection.lazy({ address }), namespace });
}
