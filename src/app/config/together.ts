import { type Config, ConfigError, type ServiceSettings } from '../../contract/config.ts';
import type { TemporalTls } from '../../contract/temporal-tls.ts';
import { readServiceSettings, SettingError } from '../service-settings.ts';
import { type Parsed, WAY_OUT } from './environment.ts';

/*
 * Settings that several variables make together, and that fail together.
 */

/** @throws ConfigError */
export function anchorPlaces(parsed: Parsed): Config['anchors'] {
  const places = parsed.GOALKEEPER_ANCHORS ?? [];
  const secret = parsed.GOALKEEPER_ANCHORS_SECRET ?? null;
  const problem =
    places.length > 0 && parsed.GOALKEEPER_LEDGER_KEY === undefined
      ? 'needs a GOALKEEPER_LEDGER_KEY'
      : places.some((place) => place.startsWith('https:')) && secret === null
        ? 'needs a GOALKEEPER_ANCHORS_SECRET for https'
        : null;
  if (problem === null) return { places, secret };
  throw new ConfigError('GOALKEEPER_ANCHORS', problem, WAY_OUT.GOALKEEPER_ANCHORS);
}

/** @throws ConfigError */
export function temporalTls(parsed: Parsed): TemporalTls | null {
  const caFile = parsed.TEMPORAL_TLS_SERVER_CA_CERT_PATH ?? null;
  const certFile = parsed.TEMPORAL_TLS_CLIENT_CERT_PATH;
  const keyFile = parsed.TEMPORAL_TLS_CLIENT_KEY_PATH;
  const serverName = parsed.TEMPORAL_TLS_SERVER_NAME ?? null;
  const apiKey = parsed.TEMPORAL_API_KEY ?? null;
  for (const [variable, given, other] of [
    ['TEMPORAL_TLS_CLIENT_CERT_PATH', certFile, keyFile],
    ['TEMPORAL_TLS_CLIENT_KEY_PATH', keyFile, certFile],
  ] as const) {
    if (given === undefined && other !== undefined)
      throw new ConfigError(variable, 'is not set', WAY_OUT[variable]);
  }
  const client = certFile && keyFile ? { certFile, keyFile } : null;
  const isNamed = [caFile, client, serverName, apiKey].some((given) => given !== null);
  const isOn = parsed.TEMPORAL_TLS === undefined ? isNamed : parsed.TEMPORAL_TLS === 'on';
  return isOn ? { caFile, client, serverName, apiKey } : null;
}

/** @throws ConfigError */
export function proofSigner(parsed: Parsed): Config['proofSigner'] {
  const command = parsed.GOALKEEPER_PROOF_SIGN_COMMAND;
  const publicKey = parsed.GOALKEEPER_PROOF_PUBLIC_KEY;
  if (command !== undefined && publicKey !== undefined) return { command, publicKey };
  if (command === undefined && publicKey === undefined) return null;
  const variable =
    command === undefined ? 'GOALKEEPER_PROOF_PUBLIC_KEY' : 'GOALKEEPER_PROOF_SIGN_COMMAND';
  throw new ConfigError(variable, 'is set alone', WAY_OUT.GOALKEEPER_PROOF_SIGN_COMMAND);
}

/** @throws ConfigError */
export function serviceSettings(parsed: Parsed): ServiceSettings {
  const { GOALKEEPER_TOOL_POLICY, GOALKEEPER_NOTIFY } = parsed;
  const { GOALKEEPER_MCP, GOALKEEPER_AGENTS } = parsed;
  const { GOALKEEPER_ALLOWED_ADDRESSES, GOALKEEPER_NOTIFY_ALLOW } = parsed;
  return settingOf(() =>
    readServiceSettings({
      GOALKEEPER_TOOL_POLICY,
      GOALKEEPER_NOTIFY,
      GOALKEEPER_ALLOWED_ADDRESSES,
      GOALKEEPER_NOTIFY_ALLOW,
      GOALKEEPER_MCP,
      GOALKEEPER_AGENTS,
    }),
  );
}

/** @throws ConfigError */
export function settingOf<Setting>(read: () => Setting): Setting {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new ConfigError(error.variable, error.message, WAY_OUT[error.variable]);
  }
}
