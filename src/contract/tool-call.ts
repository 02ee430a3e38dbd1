import type { Approval } from '../../schema/approval.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { DelegateReturn } from '../../schema/delegate.ts';
import type { Mode } from '../../schema/goal.ts';
import type { Effect, Outcome, Receipt } from '../../schema/ledger.ts';
import type { RequirementInput } from '../../schema/requirement.ts';
import type { TodoItem } from '../../schema/todo.ts';
import type { JudgedAttachment } from './attachments.ts';
import type { ProposedRequirementChange } from './requirements.ts';
import type { ProposedScope } from './scope-proposal.ts';

export interface CallStart {
  readonly callId: string;
  readonly turn: number;
  readonly step: number;
  readonly tool: string;
  readonly effect: Effect;
  readonly arguments: unknown;
  /** For resumable writes: what the file held before and will hold afterwards. */
  readonly plan?: WritePlan | undefined;
  /** The call already ran: it is recorded even when the goal was closed meanwhile. */
  readonly hasRun?: boolean;
}

export interface WritePlan {
  readonly path: string;
  /** SHA-256 hex; null = the file does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface CallEnd {
  readonly callId: string;
  readonly turn: number;
  readonly step: number;
  readonly tool: string;
  readonly effect: Effect;
  readonly outcome: Outcome;
  readonly receipt: Receipt;
  /** The tool message for the model. */
  readonly text: string;
  /** Null for the host's own runs: they leave no message in the conversation. */
  readonly providerId: string | null;
  /** Whole output, masked; stored by reference. */
  readonly output?: Uint8Array | undefined;
  /** New canonical list, stored in the same transaction. */
  readonly todos?: readonly TodoItem[] | undefined;
  /** Criterion that is proposed to a person in the same transaction. */
  readonly proposal?: Criterion | undefined;
  /** Requirements that are added in the same transaction. */
  readonly requirements?: readonly RequirementInput[] | undefined;
  /** Change of the requirements that is proposed to a person in the same transaction. */
  readonly requirementChange?: ProposedRequirementChange | undefined;
  /** Wider scope that is proposed to a person in the same transaction. */
  readonly scopeProposal?: ProposedScope | undefined;
  /** New text of the plan, stored in the same transaction. */
  readonly plan?: string | undefined;
  /** Delegate that is staged in the same transaction; it begins when the turn settles. */
  readonly delegate?: DelegateRequest | undefined;
  /** Images among the result, stored in the same transaction. */
  readonly images?: readonly JudgedAttachment[] | undefined;
  /** True when files of the workspace changed: raises writeSeq in the same transaction. */
  readonly wrote: boolean;
}

/** A call that the policy put to a person. */
export interface AskedCall {
  readonly approvalId: string;
  readonly state: Approval['state'];
  readonly rule: string;
  /** SHA-256 of the arguments that were shown. */
  readonly inputSha256: string;
  readonly by: string | null;
  readonly note: string | null;
  /** Did a person pause the goal, or write to it, after the decision? */
  readonly wasSpokenSince: boolean;
}

export interface Recalled {
  /** Size of the whole text. */
  readonly bytes: number;
  readonly part: Uint8Array;
  /** The kept file is an image, which `part` is nothing of. */
  readonly image?: JudgedAttachment;
}

export interface DelegateRequest {
  readonly task: string;
  readonly files: readonly string[];
  readonly mode: Mode;
  readonly returns: DelegateReturn;
  /** 0 = when the turn has settled. */
  readonly delaySeconds: number;
}
