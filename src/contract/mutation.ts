import type { ApprovalKind } from '../../schema/approval.ts';
import type { AttachmentRef } from '../../schema/attachment.ts';
import type { BudgetInput, UsageFields } from '../../schema/budget.ts';
import type { DisputeDecision } from '../../schema/dispute.ts';
import type { Mode } from '../../schema/goal.ts';
import type { PolicyInput } from '../../schema/policy.ts';
import type { Role } from '../../schema/role.ts';
import type { GoalState } from './goal-state.ts';

/**
 * A mutation by a person or program. Texts stay in the `request` row that `commitId` names; only
 * what the rules need travels.
 */
export type Mutation = {
  /** Commit id, request id and Temporal update id. */
  readonly commitId: string;
  readonly role: Role;
  /** Name of the principal. */
  readonly by: string;
  readonly expectedRevision?: number | undefined;
} & MutationKind;

export interface JudgedPrices {
  readonly model: string;
  readonly fallbackModel: string | null;
  readonly costUsd: string | null;
}

export type MutationKind =
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume'; readonly acknowledge: boolean }
  | {
      readonly kind: 'amend';
      /** Prices that the API judged as fit for the cost limit. */
      readonly judged?: JudgedPrices | undefined;
      readonly budget?: BudgetInput | undefined;
      readonly policy?: PolicyInput | undefined;
      readonly changesCriteria: boolean;
      readonly changesRequirements?: boolean | undefined;
      readonly changesModel?: boolean | undefined;
      readonly changesObjective?: boolean | undefined;
      readonly mode?: Mode | undefined;
    }
  | ({
      readonly kind: 'message';
      readonly delivery: 'pause' | 'steer';
      /** The command that runs is ended first. */
      readonly stopsCommand?: true | undefined;
      /** Of a schedule: it wakes a goal that waits, and is nobody's word. */
      readonly isHeartbeat?: true;
    } & WithFiles)
  /** No turn has read it. */
  | { readonly kind: 'take_back'; readonly messageId: string }
  | ({ readonly kind: 'answer'; readonly questionId: string } & WithFiles)
  /** A person said it in the session that works on the goal, which has heard it. */
  | { readonly kind: 'prompt'; readonly sessionId: string }
  /** The session that works on the goal has stopped, in this turn. */
  | { readonly kind: 'end_turn'; readonly sessionId: string; readonly turn: number }
  | {
      readonly kind: 'approval';
      readonly approvalId: string;
      readonly decision: 'approve' | 'deny';
      /** Calls like this one run without a question from now on; who asked for it came from there. */
      readonly always?: { readonly address: string } | undefined;
    }
  | {
      readonly kind: 'dispute';
      readonly disputeId: string;
      readonly decision: DisputeDecision;
    }
  | { readonly kind: 'cancel_chain' }
  | ({ readonly kind: 'rewind' } & RewindTo)
  | { readonly kind: 'complete' }
  | { readonly kind: 'clear' };

interface WithFiles {
  /** Files that came with the words, by their hashes; absent = none. */
  readonly attachments?: readonly AttachmentRef[] | undefined;
}

export interface ApprovalSubject {
  readonly kind: 'approval';
  readonly approvalKind: ApprovalKind;
  readonly isOpen: boolean;
  /** Nobody decided: the goal went on without it. */
  readonly isSuperseded?: boolean;
  /** Other undecided approvals that the goal is paused for. */
  readonly openBeside: number;
  /** Call id of the claim that the approval is about. */
  readonly callId: string | null;
  /** Call id of the claim that the goal stands at; absent = at none. */
  readonly standingClaim?: string | null;
  /** The goal has changed files itself; absent = nobody asked, because it is about no plan. */
  readonly hasWritten?: boolean;
}

/** A question or dispute. */
export interface AskedSubject {
  readonly kind: 'question' | 'dispute';
  readonly isOpen: boolean;
  readonly isSuperseded?: boolean;
}

/** A message of a person or a program. */
export interface MessageSubject {
  readonly kind: 'message';
  /** Null = by an earlier version, which kept no name. */
  readonly sentBy: string | null;
  readonly voice: 'person' | 'agent';
  /** Of the turn that read it; 0 = it was taken back; null = it waits. */
  readonly turn: number | null;
  /** The goal was paused until it came, and no other message leads it on. */
  readonly leadsAlone: boolean;
}

/** The part of the row that the pure mutation rules need, read under the row's lock. */
export interface MutationContext {
  readonly state: GoalState;
  readonly usage: UsageFields;
  /** The approval, question, dispute or message that the mutation names; null when there is none. */
  readonly subject: ApprovalSubject | MessageSubject | AskedSubject | null;
}

/** The target of a rewind. */
export type RewindTo = { readonly to: { readonly turn: number } | 'before_rewind' };
