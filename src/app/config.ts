import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { commandLimitsSchema } from '../../schema/command-limits.ts';
import { roleSchema } from '../../schema/role.ts';
import {
  type Config,
  ConfigError,
  type Environment,
  type LogLevel,
  type ModelSettings,
  type Patience,
  type ServiceSettings,
  type TokenGrant,
} from '../contract/config.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import type { TemporalTls } from '../contract/temporal-tls.ts';
import { builtInRules, resolveRules } from '../intake/service-rules.ts';
import { readPriceFile } from '../model/price-file.ts';
import { readFileIfAny, writePrivateFile } from '../process/private-file.ts';
import { commandLimits } from '../sandbox/limits.ts';
import { type ConfigFile, readConfigFile, settingName } from './config-file.ts';
import { oidcOf, readServiceSettings, SettingError } from './service-settings.ts';

/** The service's own secrets, which must never reach a model or a goal's record. */
export function knownSecrets(config: Config): string[] {
  const { databaseUrl, ownerDatabaseUrl, readerDatabaseUrl } = config;
  const { tokens, ledgerKeys, sealedKeys, temporalKeys } = config;
  const apiKey = config.temporal.tls?.apiKey ?? null;
  return [
    ...(apiKey === null ? [] : [apiKey]),
    ...tokens.map(({ token }) => token),
    ...(config.oidcSecret === null ? [] : [config.oidcSecret]),
    ...ledgerKeys,
    ...sealedKeys,
    ...temporalKeys,
    ...[databaseUrl, ownerDatabaseUrl, readerDatabaseUrl].filter((url) => url !== null),
  ];
}

const MINIMUM_TOKEN_LENGTH = 16;
const MINIMUM_KEY_LENGTH = 16;

const logLevels = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const satisfies LogLevel[];
const logLevelSchema = z.enum(logLevels);

const urlWith = (protocol: RegExp) =>
  z.url({ protocol }).transform((url) => url.replace(/\/+$/, ''));

const seconds = z.coerce.number().int().min(1).max(1800);

const keyList = z
  .string()
  .transform((list) => list.split(',').map((key) => key.trim()))
  .refine((keys) => keys.every((key) => key.length >= MINIMUM_KEY_LENGTH));

const PLACES = [/^file:\/.+/, /^git:\/[^#]+#[\w./-]+$/, /^https:\/\/\S+$/];
const placeList = z
  .string()
  .transform((list) => list.split(',').map((place) => place.trim()))
  .refine((places) => places.every((place) => PLACES.some((form) => form.test(place))));

const environmentSchema = z.object({
  DATABASE_URL: urlWith(/^postgres(ql)?$/).optional(),
  OWNER_DATABASE_URL: urlWith(/^postgres(ql)?$/).optional(),
  READER_DATABASE_URL: urlWith(/^postgres(ql)?$/).optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(\[[^\]]+\]|[^\s:/]+):\d{1,5}$/)
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_UI_URL: urlWith(/^https?$/).optional(),
  TEMPORAL_TLS: z.enum(['on', 'off']).optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().min(1).optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().min(1).optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().min(1).optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  GOALKEEPER_HOME: z.string().optional(),
  GOALKEEPER_HOST: z.string().min(1).default('127.0.0.1'),
  GOALKEEPER_PORT: z.coerce.number().int().min(0).max(65_535).default(7420),
  GOALKEEPER_TOKENS: z.string().optional(),
  GOALKEEPER_APPROVERS: z.enum(['anybody', 'others']).default('anybody'),
  GOALKEEPER_MODEL: z
    .string()
    .regex(/^[a-z]+\/\S+$/)
    .optional(),
  GOALKEEPER_PRICES: z.string().refine(existsSync).optional(),
  GOALKEEPER_LEDGER_KEY: keyList.optional(),
  GOALKEEPER_ANCHORS: placeList.optional(),
  GOALKEEPER_ANCHORS_SECRET: z.string().min(MINIMUM_KEY_LENGTH).optional(),
  GOALKEEPER_SEALED_KEYS: keyList.optional(),
  GOALKEEPER_TEMPORAL_KEYS: keyList.optional(),
  GOALKEEPER_PROOF_SIGN_COMMAND: z.string().min(1).optional(),
  GOALKEEPER_PROOF_PUBLIC_KEY: z.string().refine(existsSync).optional(),
  GOALKEEPER_LOCAL_URLS: z.enum(['allow', 'refuse']).default('refuse'),
  GOALKEEPER_SANDBOX: z.enum(['programs', 'auto', 'require', 'off']).default('programs'),
  GOALKEEPER_COMMAND_LIMITS: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(commandLimitsSchema)
    .optional(),
  GOALKEEPER_TOOL_POLICY: z.string().optional(),
  GOALKEEPER_NOTIFY: z.string().optional(),
  GOALKEEPER_ALLOWED_ADDRESSES: z.string().optional(),
  GOALKEEPER_NOTIFY_ALLOW: z.string().optional(),
  GOALKEEPER_MCP: z.string().optional(),
  GOALKEEPER_OIDC: z.string().optional(),
  GOALKEEPER_OIDC_SECRET: z.string().min(1).optional(),
  GOALKEEPER_NOTIFICATION_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  GOALKEEPER_LOG: logLevelSchema.default('info'),
  GOALKEEPER_WORKER_ID: z
    .string()
    .regex(/^[\w.:-]{1,120}$/)
    .optional(),
  GOALKEEPER_MODEL_SILENCE_SECONDS: seconds.optional(),
  GOALKEEPER_MODEL_OUTPUT_SECONDS: seconds.optional(),
  GOALKEEPER_MODEL_RESPONSE_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .max(2_147_483_648)
    .optional(),
  OPENAI_API_KEY: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().optional(),
  OPENAI_COMPATIBLE_BASE_URL: urlWith(/^https?$/).optional(),
  OPENAI_COMPATIBLE_API_KEY: z.string().optional(),
});

type Parsed = z.infer<typeof environmentSchema>;

/** The expected form of each value, in words that never repeat a secret. */
const WAY_OUT: Record<keyof Parsed, string> = {
  DATABASE_URL:
    'Give it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or unset it to use the embedded one.',
  OWNER_DATABASE_URL:
    'Give the same database as DATABASE_URL by the user that owns its tables, or unset it.',
  READER_DATABASE_URL: 'Give the same database as DATABASE_URL by another user, or unset it.',
  TEMPORAL_ADDRESS: 'Give it as HOST:PORT, or unset it to use the embedded server.',
  TEMPORAL_NAMESPACE: 'Name an existing namespace, or unset it for "default".',
  TEMPORAL_UI_URL: "Give the address of Temporal's web pages, such as http://localhost:8233.",
  TEMPORAL_TLS: 'Choose on or off; certificates and an API key switch it on.',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: "Name a PEM file with the authority of Temporal's certificate.",
  TEMPORAL_TLS_CLIENT_CERT_PATH:
    'Name a PEM file, and its key as TEMPORAL_TLS_CLIENT_KEY_PATH, or unset both.',
  TEMPORAL_TLS_CLIENT_KEY_PATH:
    'Name a PEM file, and its certificate as TEMPORAL_TLS_CLIENT_CERT_PATH, or unset both.',
  TEMPORAL_TLS_SERVER_NAME: "Give the name in Temporal's certificate.",
  TEMPORAL_API_KEY: 'Set the API key of your Temporal Cloud account.',
  GOALKEEPER_HOME: 'Name a folder that you may write to.',
  GOALKEEPER_HOST: 'Name the address to listen on, such as 127.0.0.1.',
  GOALKEEPER_PORT: 'Give a port from 1 to 65535, or 0 for any free one.',
  GOALKEEPER_TOKENS:
    'Give role:token pairs, separated by commas; roles are ' +
    `${roleSchema.options.join(', ')}, tokens have at least ${MINIMUM_TOKEN_LENGTH} characters.`,
  GOALKEEPER_APPROVERS: 'Choose anybody or others.',
  GOALKEEPER_MODEL: 'Give it as provider/model, such as openai/gpt-5.1.',
  GOALKEEPER_PRICES: 'Name an existing JSON file with prices.',
  GOALKEEPER_LEDGER_KEY:
    `Give a secret of at least ${MINIMUM_KEY_LENGTH} characters without commas; ` +
    'former ones may follow it, separated by commas.',
  GOALKEEPER_ANCHORS:
    'Give file:/path, git:/path/to/repository#branch or https://… with GOALKEEPER_ANCHORS_SECRET, ' +
    'several separated by commas, and a GOALKEEPER_LEDGER_KEY, which signs them.',
  GOALKEEPER_ANCHORS_SECRET: `Give a secret of at least ${MINIMUM_KEY_LENGTH} characters.`,
  GOALKEEPER_SEALED_KEYS:
    `Give a secret of at least ${MINIMUM_KEY_LENGTH} characters without commas; ` +
    'former ones may follow it, separated by commas.',
  GOALKEEPER_TEMPORAL_KEYS:
    `Give a secret of at least ${MINIMUM_KEY_LENGTH} characters without commas; ` +
    'former ones may follow it, separated by commas.',
  GOALKEEPER_PROOF_SIGN_COMMAND:
    'Give a command that reads bytes on stdin and writes their signature, and its key as GOALKEEPER_PROOF_PUBLIC_KEY.',
  GOALKEEPER_PROOF_PUBLIC_KEY:
    'Name a PEM file with the public key of GOALKEEPER_PROOF_SIGN_COMMAND.',
  GOALKEEPER_LOCAL_URLS: 'Choose allow or refuse.',
  GOALKEEPER_SANDBOX: 'Choose programs, auto, require or off.',
  GOALKEEPER_COMMAND_LIMITS:
    'Give a JSON object with some of memoryMb, tasks, fileMb, diskMb, openFiles and cpuSeconds, such as {"memoryMb":4096}.',
  GOALKEEPER_TOOL_POLICY:
    'Give a JSON list of rules, such as [{"tool":"run_command","command":"curl","decision":"ask"}], or a file that holds one.',
  GOALKEEPER_NOTIFY:
    'Give a JSON list of targets, such as [{"url":"https://…","secretEnv":"GOALKEEPER_NOTIFY_SECRET"}], or a file that holds one.',
  GOALKEEPER_ALLOWED_ADDRESSES:
    'Give addresses or ranges, separated by commas, such as 127.0.0.1,10.0.0.0/8.',
  GOALKEEPER_NOTIFY_ALLOW: 'Give addresses or ranges, separated by commas, such as 10.0.0.0/8.',
  GOALKEEPER_MCP:
    'Give JSON such as {"docs":{"command":"npx","args":["…"]}} or {"crm":{"url":"https://…"}}, or a file that holds it.',
  GOALKEEPER_OIDC:
    'Give JSON such as {"issuer":"https://…","clientId":"…","url":"https://…","roles":{"admins":"admin"}}, or a file that holds it.',
  GOALKEEPER_OIDC_SECRET: 'Give the secret that the provider knows this client by.',
  GOALKEEPER_NOTIFICATION_DAYS: 'Give whole days from 1 to 3650.',
  GOALKEEPER_LOG: `Choose one of ${logLevelSchema.options.join(', ')}.`,
  GOALKEEPER_WORKER_ID: 'Use letters, digits, ".", "_", ":" and "-", or unset it.',
  GOALKEEPER_MODEL_SILENCE_SECONDS: 'Give whole seconds from 1 to 1800.',
  GOALKEEPER_MODEL_OUTPUT_SECONDS: 'Give whole seconds from 1 to 1800.',
  GOALKEEPER_MODEL_RESPONSE_BYTES: 'Give a whole number from 65536 to 2147483648.',
  OPENAI_API_KEY: 'Set the key of your account.',
  ANTHROPIC_API_KEY: 'Set the key of your account.',
  GOOGLE_GENERATIVE_AI_API_KEY: 'Set the key of your account.',
  OPENAI_COMPATIBLE_BASE_URL: 'Give the URL up to its version, such as http://localhost:11434/v1.',
  OPENAI_COMPATIBLE_API_KEY: 'Set the key that this service expects.',
};

/** What would be a secret in a file, or says where the file is. */
const VARIABLES_ONLY: ReadonlySet<string> = new Set<keyof Parsed>([
  'DATABASE_URL',
  'OWNER_DATABASE_URL',
  'READER_DATABASE_URL',
  'TEMPORAL_API_KEY',
  'GOALKEEPER_HOME',
  'GOALKEEPER_TOKENS',
  'GOALKEEPER_LEDGER_KEY',
  'GOALKEEPER_ANCHORS_SECRET',
  'GOALKEEPER_SEALED_KEYS',
  'GOALKEEPER_TEMPORAL_KEYS',
  'GOALKEEPER_OIDC_SECRET',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
]);

const FILE_VARIABLES = Object.keys(environmentSchema.shape).filter(
  (variable) => !VARIABLES_ONLY.has(variable),
);

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
  readonly file: Pick<ConfigFile, 'path' | 'rules'> | null;
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
  const file = readConfigFile(set, home, FILE_VARIABLES);
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
    `is not usable: ${issue.detail}`,
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
    service: serviceSettings(parsed),
    logLevel: parsed.GOALKEEPER_LOG,
    workerId: parsed.GOALKEEPER_WORKER_ID ?? `${hostname()}-${randomBytes(4).toString('hex')}`,
    warnings: warningsOf(home),
  };
}

/** @throws ConfigError */
function anchorPlaces(parsed: Parsed): Config['anchors'] {
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
function temporalTls(parsed: Parsed): TemporalTls | null {
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

function parse(environment: Environment): Parsed {
  const result = environmentSchema.safeParse(environment);
  if (result.success) return result.data;
  const variable = String(result.error.issues[0]?.path[0]) as keyof Parsed;
  throw new ConfigError(variable, 'is not usable', WAY_OUT[variable]);
}

function serviceSettings(parsed: Parsed): ServiceSettings {
  const { GOALKEEPER_TOOL_POLICY, GOALKEEPER_NOTIFY } = parsed;
  const { GOALKEEPER_MCP } = parsed;
  const { GOALKEEPER_ALLOWED_ADDRESSES, GOALKEEPER_NOTIFY_ALLOW } = parsed;
  return settingOf(() =>
    readServiceSettings({
      GOALKEEPER_TOOL_POLICY,
      GOALKEEPER_NOTIFY,
      GOALKEEPER_ALLOWED_ADDRESSES,
      GOALKEEPER_NOTIFY_ALLOW,
      GOALKEEPER_MCP,
    }),
  );
}

/** @throws ConfigError */
function settingOf<Setting>(read: () => Setting): Setting {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new ConfigError(error.variable, error.message, WAY_OUT[error.variable]);
  }
}

function parseTokens(list: string | undefined): TokenGrant[] {
  const entries = (list ?? '').split(',').map((entry) => entry.trim());
  const grants = entries.filter((entry) => entry !== '').map(parseToken);
  if (new Set(grants.map((grant) => grant.token)).size < grants.length) {
    throw new ConfigError('GOALKEEPER_TOKENS', 'names one token twice', WAY_OUT.GOALKEEPER_TOKENS);
  }
  return grants;
}

function parseToken(entry: string): TokenGrant {
  const [name = '', ...rest] = entry.split(':');
  const role = roleSchema.safeParse(name);
  const token = rest.join(':');
  const problem = !role.success
    ? 'has an entry without a known role'
    : token.length < MINIMUM_TOKEN_LENGTH || /\s/.test(token)
      ? `has a token of role ${role.data} that is too short or holds blanks`
      : null;
  if (problem === null && role.success) return { role: role.data, token };
  throw new ConfigError('GOALKEEPER_TOKENS', problem ?? '', WAY_OUT.GOALKEEPER_TOKENS);
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function refuseOpenListening(
  parsed: Parsed,
  isLoopback: boolean,
  tokens: readonly TokenGrant[],
): void {
  if (isLoopback || tokens.length > 0) return;
  throw new ConfigError(
    'GOALKEEPER_HOST',
    `is ${parsed.GOALKEEPER_HOST}, which other machines can reach, but no tokens are configured`,
    'Set GOALKEEPER_TOKENS (role:token,…), or listen on 127.0.0.1.',
  );
}

function proofSigner(parsed: Parsed): Config['proofSigner'] {
  const command = parsed.GOALKEEPER_PROOF_SIGN_COMMAND;
  const publicKey = parsed.GOALKEEPER_PROOF_PUBLIC_KEY;
  if (command !== undefined && publicKey !== undefined) return { command, publicKey };
  if (command === undefined && publicKey === undefined) return null;
  const variable =
    command === undefined ? 'GOALKEEPER_PROOF_PUBLIC_KEY' : 'GOALKEEPER_PROOF_SIGN_COMMAND';
  throw new ConfigError(variable, 'is set alone', WAY_OUT.GOALKEEPER_PROOF_SIGN_COMMAND);
}

const homeOf = (environment: Environment): string =>
  environment.GOALKEEPER_HOME
    ? resolve(environment.GOALKEEPER_HOME)
    : join(dataFolder(environment), 'goalkeeper');

function openHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    closeToOthers(home);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError(
      'GOALKEEPER_HOME',
      `(${home}) can't be made: ${reason}`,
      WAY_OUT.GOALKEEPER_HOME,
    );
  }
}

/** Others may at most pass, where somebody let them: what lies in it is nobody else's to see. */
function closeToOthers(home: string): void {
  const { mode, uid } = statSync(home);
  const isOwn = process.getuid?.() === uid || process.getuid?.() === 0;
  // A folder like /tmp serves others too.
  const isShared = (mode & 0o1000) !== 0;
  if (isOwn && !isShared && (mode & 0o066) !== 0) chmodSync(home, mode & 0o7711);
}

/** Relative values are to be ignored, says the XDG specification. */
function dataFolder(environment: Environment): string {
  const folder = environment.XDG_DATA_HOME;
  return folder && isAbsolute(folder) ? folder : join(homedir(), '.local', 'share');
}

function keptToken(home: string): string {
  const path = join(home, 'token');
  const stored = readFileIfAny(path)?.trim() ?? '';
  if (stored.length >= MINIMUM_TOKEN_LENGTH) {
    chmodSync(path, 0o600);
    return stored;
  }
  const token = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${token}\n`);
  return token;
}

function modelConfig(parsed: Parsed): ModelSettings {
  const mostBytes = parsed.GOALKEEPER_MODEL_RESPONSE_BYTES;
  return {
    openaiApiKey: parsed.OPENAI_API_KEY,
    anthropicApiKey: parsed.ANTHROPIC_API_KEY,
    googleApiKey: parsed.GOOGLE_GENERATIVE_AI_API_KEY,
    compatibleBaseUrl: parsed.OPENAI_COMPATIBLE_BASE_URL,
    compatibleApiKey: parsed.OPENAI_COMPATIBLE_API_KEY,
    pricesFile: parsed.GOALKEEPER_PRICES,
    patience: patienceOf(parsed),
    ...(mostBytes === undefined ? {} : { mostBytes }),
  };
}

function patienceOf(parsed: Parsed): Partial<Patience> {
  const silence = parsed.GOALKEEPER_MODEL_SILENCE_SECONDS;
  const output = parsed.GOALKEEPER_MODEL_OUTPUT_SECONDS;
  return {
    ...(silence === undefined
      ? {}
      : { firstByteTimeoutMs: silence * 1000, idleTimeoutMs: silence * 1000 }),
    ...(output === undefined ? {} : { outputTimeoutMs: output * 1000 }),
  };
}

function warningsOf(home: string): string[] {
  const repository = repositoryAround(home);
  if (!repository) return [];
  return [
    `The home folder ${home} lies in the git work tree ${repository}: an agent that works there ` +
      'could reach the records that judge it. Set GOALKEEPER_HOME to a folder outside.',
  ];
}

function repositoryAround(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (current === dirname(current)) return null;
  }
}
