import { type Config, ConfigError } from '../contract/config.ts';
import type { TemporalTls } from '../contract/temporal-tls.ts';
import type { TemporalAddress } from '../temporal/connection.ts';

/**
 * The servers that a worker without `up` needs to be told.
 * @throws ConfigError
 */
export function serversOf({ databaseUrl, temporal: { address, namespace, tls } }: Config): {
  readonly databaseUrl: string;
  readonly temporal: TemporalAddress & { readonly tls: TemporalTls | null };
} {
  if (databaseUrl === null) throw missing('DATABASE_URL');
  if (address === null) throw missing('TEMPORAL_ADDRESS');
  return { databaseUrl, temporal: { address, namespace, tls } };
}

const missing = (variable: string) =>
  new ConfigError(
    variable,
    'is not set',
    'A worker alone needs it; `goalkeeper up` brings its own servers.',
  );
