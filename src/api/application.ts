import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { Caller, Role } from '../../schema/role.ts';
import type { AddressRules } from '../contract/addresses.ts';
import type { AnchorsPort } from '../contract/anchors.ts';
import type { AppliesPort } from '../contract/applies.ts';
import type { AttachmentsPort } from '../contract/attachments.ts';
import type { CallStopsOfPeople } from '../contract/call-stops.ts';
import type { ChangesPort } from '../contract/changes.ts';
import type { ChecksPort } from '../contract/checks.ts';
import type { FeedPort } from '../contract/feed.ts';
import type { GoalsPort } from '../contract/goals.ts';
import type { GoalEpoch, HistoriesPort } from '../contract/histories.ts';
import type { IntakePort, NewGoal } from '../contract/intake.ts';
import type { LedgerVerifier } from '../contract/ledger-verifier.ts';
import type { ModelPort } from '../contract/model.ts';
import type { ApprovalLinksPort, NotificationsPort } from '../contract/notices.ts';
import type { OidcPort } from '../contract/oidc.ts';
import type { ProofExporter, ProofLinksPort } from '../contract/proof-export.ts';
import type { QueuesPort } from '../contract/queues.ts';
import type { ReaderPort } from '../contract/reads.ts';
import type { RemovedGoalsPort } from '../contract/removed-goals.ts';
import type { ScheduleRunsPort, SchedulesPort } from '../contract/schedules.ts';
import type { ScopeLookPort } from '../contract/scope-look.ts';
import type { SealedPort } from '../contract/sealed.ts';
import type { SecurityLogPort } from '../contract/security-log.ts';
import type { SessionsPort } from '../contract/sessions.ts';
import type { StoredRulesOfPeople } from '../contract/stored-rules.ts';
import type { TemplatesPort } from '../contract/templates.ts';
import type { TokensPort } from '../contract/tokens.ts';
import type { ToolPinsOfPeople } from '../contract/tool-pins.ts';
import type { TriggersPort } from '../contract/triggers.ts';
import type { WorkspacesPort } from '../contract/workspaces.ts';
import type { BeginningLookPort } from '../contract/worktrees.ts';
import type { ApiMetrics } from '../telemetry/api-metrics.ts';
import type { OperationId } from './roles.ts';
import type { ApiSettings } from './settings.ts';

/** Everything the API acts through; a function takes the ports that it uses, `Ports<…>`. */
export interface ApiPorts {
  readonly settings: ApiSettings;
  readonly schedules: SchedulesPort;
  /** What carries out the due times of schedules. */
  readonly scheduleRuns: ScheduleRunsPort;
  readonly reader: ReaderPort;
  /** Throws with the way out where the database's schema isn't this version's; absent = not asked. */
  readonly schema?: () => Promise<void>;
  readonly intake: IntakePort;
  /** Uploads, and the files of goals. */
  readonly attachments: AttachmentsPort;
  readonly sessions: SessionsPort;
  readonly tokens: TokensPort;
  readonly toolPins: ToolPinsOfPeople;
  readonly callStops: CallStopsOfPeople;
  readonly storedRules: StoredRulesOfPeople;
  readonly triggers: TriggersPort;
  /** Tells a goal that it may look at once at what it waits for; it may be lost. */
  readonly lookNow: (goal: GoalEpoch) => Promise<void>;
  /** Where people sign in; null = with tokens alone. */
  readonly oidc: OidcPort | null;
  readonly securityLog: SecurityLogPort;
  readonly anchors: AnchorsPort;
  readonly goals: GoalsPort;
  readonly workspaces: WorkspacesPort;
  readonly templates: TemplatesPort;
  /** Looks at workspaces of this machine. */
  readonly scopes: ScopeLookPort;
  readonly beginnings: BeginningLookPort;
  /** Current and recent task queue backlogs, as Temporal counts them. */
  readonly queues: QueuesPort;
  /** Tries criteria that belong to no goal yet. */
  readonly checks: ChecksPort;
  /** Brings branches of goals into their workspaces. */
  readonly applies: AppliesPort;
  readonly models: Pick<ModelPort, 'assertUsable' | 'price'>;
  /** Models that only applications' own workers know, as far as those workers are alive. */
  readonly servedModels: () => readonly string[];
  /** Input tokens that the first model call of a goal is estimated to take. */
  readonly firstCallTokens: (goal: NewGoal) => number;
  readonly feed: FeedPort;
  readonly changes: ChangesPort;
  /** Temporal's events, as long as it keeps them. */
  readonly histories: HistoriesPort;
  readonly notifications: NotificationsPort;
  /** Links by which people decide. */
  readonly links: ApprovalLinksPort;
  /** Links by which people read a proof. */
  readonly proofLinks: ProofLinksPort;
  /** Addresses that webhooks may lead to. */
  readonly addresses: AddressRules;
  /** Removes secrets, and text that looks like one. */
  readonly mask: (text: string) => string;
  /** Seals the secret of a target before it is stored. */
  readonly sealTarget: (target: NotifyTarget) => NotifyTarget;
  /** Checks that the ledger is as it was written, or names the first row that isn't. */
  readonly ledger: LedgerVerifier;
  /** Criteria that models never see; `open` and `runs` are for people. */
  readonly sealed: Pick<SealedPort, 'seal' | 'find' | 'open' | 'runs'>;
  readonly proofs: ProofExporter;
  readonly removedGoals: RemovedGoalsPort;
  readonly metrics: ApiMetrics;
}

export type Application = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type Ports<Needs extends keyof ApiPorts> = Pick<ApiPorts, Needs>;

/** Every route file exports one of these, and names what it needs. */
export type Route<Needs extends keyof ApiPorts> = (
  application: Application,
  ports: Ports<Needs>,
) => void;

/** A call of the service to its own API. */
export interface OwnCall {
  /** Name of the token by whose rights it is made. */
  readonly owner: string;
  /** The most that it acts as. */
  readonly role: Role;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: object;
  readonly key?: string;
}

/** Null: the owner's token has ended. */
export type CallAs = (
  call: OwnCall,
) => Promise<{ readonly status: number; readonly body: unknown } | null>;

/** What the service reads of itself, as somebody who sees all goals and steers none. */
export type ReadOwn = (
  url: string,
) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>;

/** Null: the token has ended. */
export type OwnerOf = (name: string) => Promise<Caller | null>;

declare module 'fastify' {
  interface FastifyInstance {
    callAs: CallAs;
    ownerOf: OwnerOf;
    readOwn: ReadOwn;
  }
  interface FastifyRequest {
    /** Set by authentication before any handler of an operation runs. */
    principal: Caller | null;
    /** The end of the browser's session; null if the request carries a token. */
    sessionEndsAt: string | null;
    /** The goal that was asked for exists, and not for this caller. */
    isOutOfSight: boolean;
    /** The thread's goal that the caller was judged by; null where it sees all goals. */
    judgedGoalId: string | null;
  }
  interface FastifyContextConfig {
    /** Names the row of the role table. */
    operation?: OperationId;
    /** Open to everyone; a route with neither is refused. */
    isOpen?: true;
  }
}

export function principalOf(request: FastifyRequest): Caller {
  if (request.principal === null) throw new Error(`${request.url} has no principal`);
  return request.principal;
}
