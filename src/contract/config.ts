import type { Agents } from '../../schema/agents.ts';
import type { CommandLimits } from '../../schema/command-limits.ts';
import type { McpServers } from '../../schema/mcp-servers.ts';
import type { ServiceTarget } from '../../schema/notify.ts';
import type { OidcSettings } from '../../schema/oidc.ts';
import type { Role } from '../../schema/role.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { SandboxMode } from './effects.ts';
import type { ServiceRules } from './service-rules.ts';
import type { TemporalTls } from './temporal-tls.ts';

export interface Config {
  /** Absolute; exists, and only its owner can list it. */
  readonly home: string;
  /** null = the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The user that migrates; null = the one of `databaseUrl`. */
  readonly ownerDatabaseUrl: string | null;
  /** The user that the API reads with; null = the one of `databaseUrl`. */
  readonly readerDatabaseUrl: string | null;
  /** `address` null = the embedded Temporal. */
  readonly temporal: {
    readonly address: string | null;
    readonly namespace: string;
    /** Address of Temporal's web UI, for links; null = not configured. */
    readonly pagesUrl: string | null;
    readonly tls: TemporalTls | null;
  };
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  readonly isLoopback: boolean;
  /** Never empty: the kept token of role admin when none are configured. */
  readonly tokens: readonly TokenGrant[];
  /** `others`: nobody grants what a goal asks for that they started. */
  readonly approvers: 'anybody' | 'others';
  /** Where people sign in to the console; null = with tokens alone. */
  readonly oidc: OidcSettings | null;
  /** null = the provider knows the client by PKCE alone. */
  readonly oidcSecret: string | null;
  /** `provider/model` for goals that name none. */
  readonly model: string | null;
  /** Stands in for the model of goals that name no other. */
  readonly fallbackModel: string | null;
  readonly models: ModelSettings;
  /** Secrets that seal the ledger; the first one seals new rows. */
  readonly ledgerKeys: readonly string[];
  /** Where signed heads of the record are kept; `secret` signs those that are posted. */
  readonly anchors: { readonly places: readonly string[]; readonly secret: string | null };
  /** Secrets that encrypt sealed criteria; the first one seals. Empty = the home keeps one. */
  readonly sealedKeys: readonly string[];
  /** Secrets that encrypt what is sent to Temporal; likewise. */
  readonly temporalKeys: readonly string[];
  /** Who signs proofs; null = the key in the home. */
  readonly proofSigner: { readonly command: string; readonly publicKey: string } | null;
  /** Lets models wait for URLs at any address; the older, coarser setting. */
  readonly allowsLocalUrls: boolean;
  /** How long notifications are kept. */
  readonly notificationDays: number;
  readonly sandbox: { readonly mode: SandboxMode; readonly limits: CommandLimits };
  /** Defaults and bounds of goals. */
  readonly rules: ServiceRules;
  /** Rules about tools and webhooks for every goal. */
  readonly service: ServiceSettings;
  /** What notices for people need beside their targets. */
  readonly notices: NoticeSettings;
  /** Size that the embedded PostgreSQL's log may grow to between checkpoints, MB; null = 1024. */
  readonly maxWalMb: number | null;
  /** How long API and workers wait for database, schema and Temporal before they give up. */
  readonly startSeconds: number;
  /** How long a worker that was told to stop waits for its running calls. */
  readonly drainSeconds: number;
  /** Where a worker answers `/healthz` and `/readyz`; null = nowhere. */
  readonly workerHealthPort: number | null;
  /** Base URL of an OpenTelemetry collector for spans, by OTLP over HTTP; null = none. */
  readonly tracesUrl: string | null;
  readonly logLevel: LogLevel;
  /** Under which workspaces are served whatever machine it is; null = the machine's own name. */
  readonly pool: string | null;
  /** Stable for the life of one worker process. */
  readonly workerId: string;
  /** Warnings that are shown at start; none of them stops the service. */
  readonly warnings: readonly string[];
}

export interface TokenGrant {
  readonly role: Role;
  readonly token: string;
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that can't be used; `wayOut` tells how to fix it. */
export class ConfigError extends Error {
  /** The variable, or the file and the place in it. */
  readonly variable: string;
  readonly problem: string;
  readonly wayOut: string;

  constructor(variable: string, problem: string, wayOut: string) {
    super(`${variable} ${problem}. ${wayOut}`);
    this.name = 'ConfigError';
    this.variable = variable;
    this.problem = problem;
    this.wayOut = wayOut;
  }
}

export interface NoticeSettings {
  /** Where people's browsers reach the service, without a slash at its end; null = notices carry no links. */
  readonly publicUrl: string | null;
  /** null = no e-mail. */
  readonly mail: MailSettings | null;
  /** How long the link of an approval works. */
  readonly linkHours: number;
}

/** A mail server that takes messages for others. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS, or nothing where `isPlain`. */
  readonly isTls: boolean;
  /** Its address is one that the operator allows literally. */
  readonly isPlain: boolean;
  readonly user: string | null;
  readonly password: string | null;
  readonly from: string;
}

/** Settings that hold for every goal, beside its own. */
export interface ServiceSettings {
  readonly toolRules: readonly ToolRule[];
  readonly notify: readonly ServiceTarget[];
  /** Addresses and ranges that URLs of models and callers may lead to although they are not public. */
  readonly allowedAddresses: readonly string[];
  /** MCP servers whose tools every goal of a worker may use. */
  readonly mcpServers: McpServers;
  /** Programs that goals may name to work on them. */
  readonly agents: Agents;
}

/** How long a call may take, milliseconds. */
export interface Patience {
  /** Until the first sign of an answer. */
  readonly firstByteTimeoutMs: number;
  /** Longest silence afterwards. */
  readonly idleTimeoutMs: number;
  /**
   * Longest time without a piece of the answer, its reasoning or a call, however many signs of life
   * come: a provider that hides its thoughts sends nothing else while it thinks.
   */
  readonly outputTimeoutMs: number;
  /** Longest time of the whole call: a stream of nothing but signs of life ends as well. */
  readonly callTimeoutMs: number;
}

/** Keys and endpoints of model providers. */
export interface ModelSettings {
  readonly openaiApiKey?: string | undefined;
  readonly anthropicApiKey?: string | undefined;
  readonly googleApiKey?: string | undefined;
  readonly compatibleBaseUrl?: string | undefined;
  readonly compatibleApiKey?: string | undefined;
  /** `GOALKEEPER_PRICES`. */
  readonly pricesFile?: string | undefined;
  /** Other endpoints of the same providers: gateways, tests. */
  readonly baseUrls?: {
    readonly openai?: string | undefined;
    readonly anthropic?: string | undefined;
    readonly google?: string | undefined;
  };
  /** When a call counts as timed out. */
  readonly patience?: Partial<Patience>;
  /** Most bytes of one answer, with everything around its text. */
  readonly mostBytes?: number;
}
