import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type Config, ConfigError, type Environment } from '../contract/config.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import { builtInRules, resolveRules } from '../intake/service-rules.ts';
import { readPriceFile } from '../model/price-file.ts';
import { commandLimits } from '../sandbox/limits.ts';
import {
  environmentSchema,
  FILE_VARIABLES,
  isFileSetting,
  parse,
  VARIABLES_ONLY,
} from './config/environment.ts';
import { homeOf, keptToken, openHome, warningsOf } from './config/home.ts';
import { modelConfig } from './config/model.ts';
import { noticeSettings } from './config/notices.ts';
import {
  anchorPlaces,
  proofSigner,
  serviceSettings,
  settingOf,
  temporalTls,
} from './config/together.ts';
import { isLoopbackHost, parseTokens, refuseOpenListening } from './config/tokens.ts';
import { type ConfigFile, readConfigFile, settingName } from './config-file.ts';
import { oidcOf } from './service-settings.ts';

/** A variable that wins, the file's where it says something, or the default. */
export interface SettingOrigin {
  readonly name: string;
  readonly variable: string;
  readonly origin: 'environment' | 'file' | 'default';
  readonly isSecret: boolean;
  /** As it is given; absent = not set. */
  readonly value: unknown;
}

/** The settings of this environment and its file, and where each comes from. */
export interface LoadedConfig {
  readonly config: Config;
  /** The service's file; null = there is none. */
  readonly file: ConfigFile | null;
  readonly settings: readonly SettingOrigin[];
}

/**
 * Reads the environment and the service's file once. Makes the home folder, and the token kept in it
 * when none are set.
 * @throws ConfigError, PriceFileError
 */
export const loadConfig = (environment: Environment = process.env): Config =>
  loadConfigWithOrigins(environment).config;

/** @throws ConfigError, PriceFileError */
export function loadConfigWithOrigins(environment: Environment): LoadedConfig {
  const set = withoutEmpty(environment);
  const home = homeOf(set);
  const file = readConfigFile(set, home, { names: FILE_VARIABLES, isFile: isFileSetting });
  const merged = { ...file?.variables, ...set };
  const defaults = new Map<string, unknown>(Object.entries(environmentSchema.parse({})));
  const settings = Object.keys(environmentSchema.shape).map((variable): SettingOrigin => {
    const origin =
      set[variable] !== undefined
        ? 'environment'
        : merged[variable] !== undefined
          ? 'file'
          : 'default';
    const isSecret = VARIABLES_ONLY.has(variable) && variable !== 'GOALKEEPER_HOME';
    const value = merged[variable] ?? defaults.get(variable);
    return { name: settingName(variable), variable, origin, isSecret, value };
  });
  try {
    const config = configOf(merged, home, rulesOf(file));
    return { config, file, settings };
  } catch (error) {
    if (!(error instanceof ConfigError) || file === null) throw error;
    const { origin, name } = settings.find(({ variable }) => variable === error.variable) ?? {};
    if (origin !== 'file') throw error;
    const place = `${file.path}: ${String(name)}`;
    throw new ConfigError(place, error.problem, error.wayOut);
  }
}

function rulesOf(file: ConfigFile | null): ServiceRules {
  if (file === null) return builtInRules;
  const { value, issue } = resolveRules(file.rules);
  if (issue === null) return value;
  throw new ConfigError(
    `${file.path}: ${String(issue.data.field)}`,
    `is not usable: ${issue.detail.replace(/\.$/, '')}`,
    'Let the default lie within its own bounds.',
  );
}

/** An empty variable is how compose files and shells say "unset". */
const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));

function configOf(environment: Environment, home: string, rules: ServiceRules): Config {
  const parsed = parse(environment);
  if (parsed.GOALKEEPER_PRICES !== undefined) readPriceFile(parsed.GOALKEEPER_PRICES);
  const isLoopback = isLoopbackHost(parsed.GOALKEEPER_HOST);
  const configured = parseTokens(parsed.GOALKEEPER_TOKENS);
  refuseOpenListening(parsed, isLoopback, configured);
  openHome(home);
  const service = serviceSettings(parsed);
  return {
    home,
    rules,
    databaseUrl: parsed.DATABASE_URL ?? null,
    ownerDatabaseUrl: parsed.OWNER_DATABASE_URL ?? null,
    readerDatabaseUrl: parsed.READER_DATABASE_URL ?? null,
    temporal: {
      address: parsed.TEMPORAL_ADDRESS ?? null,
      namespace: parsed.TEMPORAL_NAMESPACE,
      pagesUrl: parsed.TEMPORAL_UI_URL ?? null,
      tls: temporalTls(parsed),
    },
    host: parsed.GOALKEEPER_HOST,
    port: parsed.GOALKEEPER_PORT,
    isLoopback,
    tokens: configured.length > 0 ? configured : [{ role: 'admin', token: keptToken(home) }],
    approvers: parsed.GOALKEEPER_APPROVERS,
    oidc: settingOf(() => oidcOf(parsed.GOALKEEPER_OIDC)),
    oidcSecret: parsed.GOALKEEPER_OIDC_SECRET ?? null,
    model: parsed.GOALKEEPER_MODEL ?? null,
    fallbackModel: parsed.GOALKEEPER_FALLBACK_MODEL ?? null,
    models: modelConfig(parsed),
    ledgerKeys: parsed.GOALKEEPER_LEDGER_KEY ?? [],
    anchors: anchorPlaces(parsed),
    sealedKeys: parsed.GOALKEEPER_SEALED_KEYS ?? [],
    temporalKeys: parsed.GOALKEEPER_TEMPORAL_KEYS ?? [],
    proofSigner: proofSigner(parsed),
    allowsLocalUrls: parsed.GOALKEEPER_LOCAL_URLS === 'allow',
    notificationDays: parsed.GOALKEEPER_NOTIFICATION_DAYS,
    sandbox: {
      mode: parsed.GOALKEEPER_SANDBOX,
      limits: commandLimits(parsed.GOALKEEPER_COMMAND_LIMITS),
    },
    service,
    notices: noticeSettings(parsed, service),
    maxWalMb: parsed.GOALKEEPER_MAX_WAL_MB ?? null,
    startSeconds: parsed.GOALKEEPER_START_SECONDS,
    drainSeconds: parsed.GOALKEEPER_DRAIN_SECONDS,
    workerHealthPort: parsed.GOALKEEPER_WORKER_HEALTH_PORT ?? null,
    tracesUrl: parsed.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    logLevel: parsed.GOALKEEPER_LOG,
    pool: parsed.GOALKEEPER_POOL ?? null,
    workerId: parsed.GOALKEEPER_WORKER_ID ?? `${hostname()}-${randomBytes(4).toString('hex')}`,
    warnings: warningsOf(home),
  };
}
