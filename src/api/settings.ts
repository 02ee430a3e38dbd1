import type { Agents } from '../../schema/agents.ts';
import type { Role } from '../../schema/role.ts';
import type { Config } from '../contract/config.ts';
import type { ServiceRules } from '../contract/service-rules.ts';

/** The part of the configuration that the API needs. */
export interface ApiSettings {
  readonly version: string;
  readonly tokens: readonly { readonly role: Role; readonly token: string }[];
  /** The service listens on loopback only, so foreign Host headers are refused. */
  readonly isLoopback: boolean;
  /** `provider/model` for goals that name none. */
  readonly defaultModel: string | null;
  /** Stands in for the model of goals that name no other; null = none does. */
  readonly defaultFallback: string | null;
  /** Agents that goals may name. */
  readonly agents: Agents;
  /** Models shown by `GET /v1/models` besides the default. */
  readonly models: readonly string[];
  /** The operator's rules, as they are at the moment. */
  readonly rules: () => ServiceRules;
  /** Who may grant what a goal asks for: any person, or any but its starter. */
  readonly approvers: Config['approvers'];
  /** Of the workspaces whose files this API sees. */
  readonly host: string;
  /** Whether commands need a whole sandbox for as long as a program has a token. */
  readonly isSandboxForPrograms: boolean;
  readonly stream: StreamTimes;
  /** Folder of the built console; null = this installation has none. */
  readonly consoleFolder: string | null;
  /** Temporal's own web pages; null = not configured. */
  readonly temporalPages: { readonly url: string; readonly namespace: string } | null;
}

/** Milliseconds. */
export interface StreamTimes {
  /** The interval of polls of the record without a notification. */
  readonly poll: number;
  /** The interval of comments that keep proxies from closing a quiet stream. */
  readonly heartbeat: number;
}

export const defaultStreamTimes: StreamTimes = { poll: 2000, heartbeat: 15_000 };
