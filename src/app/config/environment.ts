import { existsSync } from 'node:fs';
import { z } from 'zod';
import { commandLimitsSchema } from '../../../schema/command-limits.ts';
import { MAIL_ADDRESS } from '../../../schema/notify.ts';
import { roleSchema } from '../../../schema/role.ts';
import { ConfigError, type Environment, type LogLevel } from '../../contract/config.ts';
import { hostsOf } from '../../store/database-url.ts';

/** Characters of a token, at least. */
export const MINIMUM_TOKEN_LENGTH = 16;
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

const databaseUrl = z
  .string()
  .refine((url) => hostsOf(url) !== null)
  .transform((url) => url.replace(/\/+$/, ''));

const seconds = z.coerce.number().int().min(1).max(1800);
const patience = z.coerce.number().int().min(0).max(3600);

const keyList = z
  .string()
  .transform((list) => list.split(',').map((key) => key.trim()))
  .refine((keys) => keys.every((key) => key.length >= MINIMUM_KEY_LENGTH));

const PLACES = [/^file:\/.+/, /^git:\/[^#]+#[\w./-]+$/, /^https:\/\/\S+$/];
const placeList = z
  .string()
  .transform((list) => list.split(',').map((place) => place.trim()))
  .refine((places) => places.every((place) => PLACES.some((form) => form.test(place))));

/** In the service's file, a path is one from the folder of that file. */
const file = <Setting extends z.ZodType>(setting: Setting): Setting =>
  setting.meta({ isFile: true });

const pem = file(z.string().min(1).optional());

/** JSON, or a file that holds it. */
const inJson = file(z.string().optional());

export const environmentSchema = z.object({
  DATABASE_URL: databaseUrl.optional(),
  OWNER_DATABASE_URL: databaseUrl.optional(),
  READER_DATABASE_URL: databaseUrl.optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(\[[^\]]+\]|[^\s:/]+):\d{1,5}$/)
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_UI_URL: urlWith(/^https?$/).optional(),
  TEMPORAL_TLS: z.enum(['on', 'off']).optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: pem,
  TEMPORAL_TLS_CLIENT_CERT_PATH: pem,
  TEMPORAL_TLS_CLIENT_KEY_PATH: pem,
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
  GOALKEEPER_FALLBACK_MODEL: z
    .string()
    .regex(/^[a-z]+\/\S+$/)
    .optional(),
  GOALKEEPER_PRICES: file(z.string().refine(existsSync).optional()),
  GOALKEEPER_LEDGER_KEY: keyList.optional(),
  GOALKEEPER_ANCHORS: placeList.optional(),
  GOALKEEPER_ANCHORS_SECRET: z.string().min(MINIMUM_KEY_LENGTH).optional(),
  GOALKEEPER_SEALED_KEYS: keyList.optional(),
  GOALKEEPER_TEMPORAL_KEYS: keyList.optional(),
  GOALKEEPER_PROOF_SIGN_COMMAND: z.string().min(1).optional(),
  GOALKEEPER_PROOF_PUBLIC_KEY: file(z.string().refine(existsSync).optional()),
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
  GOALKEEPER_TOOL_POLICY: inJson,
  GOALKEEPER_NOTIFY: inJson,
  GOALKEEPER_PUBLIC_URL: urlWith(/^https?$/).optional(),
  GOALKEEPER_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/?#]+\/?$/)
    .refine((url) => URL.canParse(url))
    .optional(),
  GOALKEEPER_MAIL_FROM: z.string().regex(MAIL_ADDRESS).optional(),
  GOALKEEPER_LINK_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  GOALKEEPER_ALLOWED_ADDRESSES: z.string().optional(),
  GOALKEEPER_NOTIFY_ALLOW: z.string().optional(),
  GOALKEEPER_MCP: inJson,
  GOALKEEPER_AGENTS: inJson,
  GOALKEEPER_OIDC: inJson,
  GOALKEEPER_OIDC_SECRET: z.string().min(1).optional(),
  GOALKEEPER_NOTIFICATION_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  GOALKEEPER_LOG: logLevelSchema.default('info'),
  GOALKEEPER_POOL: z
    .string()
    .regex(/^[\w.:-]{1,120}$/)
    .optional(),
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
  GOALKEEPER_START_SECONDS: patience.default(60),
  GOALKEEPER_DRAIN_SECONDS: patience.default(300),
  GOALKEEPER_WORKER_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlWith(/^https?$/).optional(),
  GOALKEEPER_MAX_WAL_MB: z.coerce.number().int().min(64).max(1_048_576).optional(),
  OPENAI_API_KEY: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: urlWith(/^https?$/).optional(),
  ANTHROPIC_BASE_URL: urlWith(/^https?$/).optional(),
  GOOGLE_GENERATIVE_AI_BASE_URL: urlWith(/^https?$/).optional(),
  OPENAI_COMPATIBLE_BASE_URL: urlWith(/^https?$/).optional(),
  OPENAI_COMPATIBLE_API_KEY: z.string().optional(),
});

export type Parsed = z.infer<typeof environmentSchema>;

/** The expected form of each value, in words that never repeat a secret. */
export const WAY_OUT: Record<keyof Parsed, string> = {
  DATABASE_URL:
    'Give it as postgresql://USER:PASSWORD@HOST:PORT/DATABASE (several hosts as HOST:PORT,HOST:PORT, with ?target_session_attrs=read-write), or unset it to use the embedded one.',
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
  GOALKEEPER_FALLBACK_MODEL: 'Give it as provider/model, such as openai/gpt-5.1.',
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
    'Give a JSON object with some of memoryMb, tasks, fileMb, diskMb, diskFiles, openFiles and cpuSeconds, such as {"memoryMb":4096}.',
  GOALKEEPER_TOOL_POLICY:
    'Give a JSON list of rules, such as [{"tool":"run_command","command":"curl","decision":"ask"}], or a file that holds one.',
  GOALKEEPER_NOTIFY:
    'Give a JSON list of targets, such as [{"url":"https://…","secretEnv":"GOALKEEPER_NOTIFY_SECRET"},{"slack":"team","urlEnv":"GOALKEEPER_NOTIFY_SLACK"},{"mailto":"ada@example.com"}], or a file that holds one.',
  GOALKEEPER_PUBLIC_URL:
    'Give the https address at which browsers reach the service, such as https://goals.example.com.',
  GOALKEEPER_SMTP_URL:
    'Give smtps://USER:PASSWORD@HOST:465, or smtp://USER:PASSWORD@HOST:587 for STARTTLS, with what is no letter or digit in user and password as %XX.',
  GOALKEEPER_MAIL_FROM: 'Give the one address that e-mail comes from, such as goals@example.com.',
  GOALKEEPER_LINK_HOURS: 'Give whole hours from 1 to 720.',
  GOALKEEPER_ALLOWED_ADDRESSES:
    'Give addresses or ranges, separated by commas, such as 127.0.0.1,10.0.0.0/8.',
  GOALKEEPER_NOTIFY_ALLOW: 'Give addresses or ranges, separated by commas, such as 10.0.0.0/8.',
  GOALKEEPER_MCP:
    'Give JSON such as {"docs":{"command":"npx","args":["…"]}} or {"crm":{"url":"https://…"}}, or a file that holds it.',
  GOALKEEPER_AGENTS:
    'Give JSON such as {"opencode":{"command":"opencode","args":["acp"]}}, or a file that holds it.',
  GOALKEEPER_OIDC:
    'Give JSON such as {"issuer":"https://…","clientId":"…","url":"https://…","roles":{"admins":"admin"}}, or a file that holds it.',
  GOALKEEPER_OIDC_SECRET: 'Give the secret that the provider knows this client by.',
  GOALKEEPER_NOTIFICATION_DAYS: 'Give whole days from 1 to 3650.',
  GOALKEEPER_LOG: `Choose one of ${logLevelSchema.options.join(', ')}.`,
  GOALKEEPER_POOL: 'Use letters, digits, ".", "_", ":" and "-", or unset it.',
  GOALKEEPER_WORKER_ID: 'Use letters, digits, ".", "_", ":" and "-", or unset it.',
  GOALKEEPER_MODEL_SILENCE_SECONDS: 'Give whole seconds from 1 to 1800.',
  GOALKEEPER_MODEL_OUTPUT_SECONDS: 'Give whole seconds from 1 to 1800.',
  GOALKEEPER_MODEL_RESPONSE_BYTES: 'Give a whole number from 65536 to 2147483648.',
  GOALKEEPER_START_SECONDS: 'Give whole seconds from 0 to 3600.',
  GOALKEEPER_DRAIN_SECONDS: 'Give whole seconds from 0 to 3600.',
  GOALKEEPER_WORKER_HEALTH_PORT:
    'Give a port from 1 to 65535 that nothing else uses, 0 for any free one, or unset it.',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Give the base URL of a collector, such as http://localhost:4318.',
  GOALKEEPER_MAX_WAL_MB: 'Give whole megabytes from 64 to 1048576.',
  OPENAI_API_KEY: 'Set the key of your account.',
  ANTHROPIC_API_KEY: 'Set the key of your account.',
  GOOGLE_GENERATIVE_AI_API_KEY: 'Set the key of your account.',
  OPENAI_BASE_URL: 'Give the URL of a gateway for OpenAI, or unset it.',
  ANTHROPIC_BASE_URL: 'Give the URL of a gateway for Anthropic, or unset it.',
  GOOGLE_GENERATIVE_AI_BASE_URL: 'Give the URL of a gateway for Google, or unset it.',
  OPENAI_COMPATIBLE_BASE_URL: 'Give the URL up to its version, such as http://localhost:11434/v1.',
  OPENAI_COMPATIBLE_API_KEY: 'Set the key that this service expects.',
};

/** What would be a secret in a file, or says where the file is. */
export const VARIABLES_ONLY: ReadonlySet<string> = new Set<keyof Parsed>([
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
  'GOALKEEPER_SMTP_URL',
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
]);

/** Those that may stand in the service's file. */
export const FILE_VARIABLES = Object.keys(environmentSchema.shape).filter(
  (variable) => !VARIABLES_ONLY.has(variable),
);

/** Is the variable's value the path of a file? */
export const isFileSetting = (variable: string): boolean =>
  Object.hasOwn(environmentSchema.shape, variable) &&
  environmentSchema.shape[variable as keyof Parsed].meta()?.isFile === true;

/** @throws ConfigError */
export function parse(environment: Environment): Parsed {
  const result = environmentSchema.safeParse(environment);
  if (result.success) return result.data;
  const variable = String(result.error.issues[0]?.path[0]) as keyof Parsed;
  throw new ConfigError(variable, 'is not usable', WAY_OUT[variable]);
}
