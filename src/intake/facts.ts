import type { Agents } from '../../schema/agents.ts';
import type { AttachmentRef } from '../../schema/attachment.ts';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { RefusedWorkspace } from '../../schema/operations.ts';
import type { Principal } from '../../schema/role.ts';
import type { AddressRules } from '../contract/addresses.ts';
import type { NewGoal } from '../contract/intake.ts';
import type { ModelPort } from '../contract/model.ts';
import type { Reach } from '../contract/reads.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
import type { SealedTold } from '../contract/sealed.ts';
import type { ServiceRules } from '../contract/service-rules.ts';
import type { ParseShell } from '../shell/read/script.ts';
import type { Issue } from './issue.ts';

/** The service's facts about models for judging a request. */
export interface ModelFacts {
  /** Null if a goal may use the model. */
  issueOf(model: string): Issue | null;
  price: ModelPort['price'];
}

/** A sealed criterion that a request names. */
export interface KnownSealed {
  readonly told: SealedTold & { readonly sealedId: string };
  readonly paths: readonly string[];
  /** The reviewer that it names. */
  readonly model: string | null;
  /** Why its content can't be had; null = it can. */
  readonly problem: string | null;
}

export interface SealedFacts {
  readonly known: ReadonlyMap<string, KnownSealed>;
  /** False when workers live and none has a whole sandbox. */
  readonly hasSandbox: boolean;
}

/** All facts that a criterion is judged by. */
export interface CriteriaFacts {
  readonly models: ModelFacts;
  readonly parse: ParseShell;
  /** Removes secrets, and text that looks like one. */
  readonly mask: (text: string) => string;
  /** Some token has a role that may approve. */
  readonly hasApprover: boolean;
  readonly sealed: SealedFacts;
}

/** All facts that a start is judged by, read before anything is decided. */
export interface IntakeFacts extends CriteriaFacts {
  readonly principal: Principal;
  /** `provider/model` for goals that name none. */
  readonly defaultModel: string | null;
  /** The model that stands in for goals that name none. */
  readonly defaultFallback: string | null;
  /** Agents of the settings. */
  readonly agents: Agents;
  readonly rules: ServiceRules;
  readonly workspaces: readonly LookedWorkspace[];
  /** The workspace that is served at the asked path already; null = none. */
  readonly servedAt: LookedWorkspace | null;
  /** Workspaces that a worker was told to serve and refused. */
  readonly refused: readonly RefusedWorkspace[];
  /** Addresses that webhooks may lead to. */
  readonly addresses: AddressRules;
  /** Seals the secret of a target before it is stored. */
  readonly sealTarget: (target: NotifyTarget) => NotifyTarget;
  /** The goal that the start replaces; null where it replaces none, or there is none of that id. */
  readonly replaced: Pick<Reach, 'goalId' | 'createdByRole'> | null;
  /** Files that come with the objective. */
  readonly attached: readonly AttachmentRef[];
  /** Input tokens that the first model call of a goal is estimated to take. */
  readonly firstCallTokens: (goal: NewGoal) => number;
  /** Unused ids. */
  readonly ids: { readonly goal: string; readonly thread: string };
  readonly now: Date;
}
