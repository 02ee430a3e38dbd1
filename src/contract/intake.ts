import type { AttachmentRef } from '../../schema/attachment.ts';
import type { Budget } from '../../schema/budget.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Goal, Mode } from '../../schema/goal.ts';
import type { NotifyTarget } from '../../schema/notify.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Requirement, RequirementInput } from '../../schema/requirement.ts';
import type { Principal } from '../../schema/role.ts';
import type { StoredScope } from '../../schema/scope.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { Execution } from './record.ts';
import type { ReportedCall } from './session-report.ts';
import type { Sight } from './sight.ts';
import type { WorktreeProblem } from './worktrees.ts';

/** A goal that was validated and resolved (defaults filled in), ready to be accepted. */
export interface NewGoal {
  readonly goalId: string;
  readonly threadId: string;
  readonly parentGoalId: string | null;
  /** The goal whose approved plan it carries out. */
  readonly plannedBy?: string;
  /** Begins with the conversation of its thread's goal before; absent = with none. */
  readonly continuesThread?: boolean;
  /** A name of the settings; absent = the own loop. */
  readonly agent?: string;
  /** A person's own session works on it. */
  readonly driver?: 'external';
  /** W3C `traceparent` of the request that starts it. */
  readonly callerTrace?: string;
  readonly objective: string;
  readonly criteria: readonly TrackedCriterion[];
  /** What the objective asks for, as the caller says. */
  readonly requirements?: readonly RequirementInput[];
  /** The same as the goal has them whose plan it carries out. */
  readonly handedRequirements?: readonly Requirement[];
  /** No criteria were given: the baseline looks for the project's own checks. */
  readonly detectsCriteria?: boolean;
  readonly textTokens?: boolean;
  /** In the line for its workspace; absent = 0. */
  readonly priority?: number;
  /** Files that came with the objective. */
  readonly attachments?: readonly AttachmentRef[];
  readonly budget: Budget;
  readonly policy: Policy;
  /** Which files are the work, as the caller says. */
  readonly scope?: StoredScope;
  /** Commands that install what a proof needs, as the caller says. */
  readonly setup?: readonly string[];
  readonly toolRules?: readonly ToolRule[];
  readonly notify?: readonly NotifyTarget[];
  readonly model: string;
  readonly fallbackModel: string | null;
  readonly mode: Mode;
  readonly workspace: string;
  /**
   * The goal gets a git worktree of that workspace. `required` refuses the goal when there can be
   * none; `preferred` shares the workspace then.
   */
  readonly worktree?: 'required' | 'preferred';
  /** The worktree begins with the files of another goal as they were after a turn; absent = with the last commit. */
  readonly begins?: { readonly goalId: string; readonly turn: number };
  readonly isolation: Goal['isolation'];
  /** Goals that come right after it; each has its own id and thread only once it begins. */
  readonly following?: readonly NewGoal[];
}

/** A request that changes something, as the API received it. */
export interface StoredRequest {
  readonly principal: Principal;
  /** Method and path with ids filled in; the scope of the idempotency key. */
  readonly route: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly body: unknown;
  readonly commitId: string;
  readonly goalId: string | null;
}

export type Reserved =
  /** The request is new or unanswered: the caller acts under the first request's commit id. */
  | { readonly kind: 'proceed'; readonly commitId: string }
  /** The request was answered before; the first answer is repeated. */
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly answer: unknown };

/** The API's writes. */
export interface IntakePort {
  /**
   * One transaction: request row, thread slot, archive of what is replaced, workspace, goal and
   * journal row.
   * @throws Refusal goal_conflict (expectedGoalId, expectedRevision and their actual values),
   * idempotency_mismatch
   */
  startGoal(
    request: StoredRequest,
    goal: NewGoal,
    slot: {
      expectedGoalId: string | null | undefined;
      expectedRevision?: number | undefined;
      replace: boolean;
      /** A goal out of it is neither named nor replaced. */
      sight: Sight;
    },
    /** Registered with the goal; absent = its workspace is known. */
    tree?: Tree | null,
  ): Promise<{ goal: Goal; isNew: boolean; replaced: Execution | null }>;
  /** @throws Refusal idempotency_mismatch */
  reserveRequest(request: StoredRequest): Promise<Reserved>;
  /**
   * The answer that this request's commit stored in its own transaction; null = nothing committed.
   */
  answerOf(commitId: string): Promise<{ httpStatus: number; answer: unknown } | null>;
  /**
   * Keeps what the session of an external goal tells of a call; told twice, it is kept once.
   * @returns false where it was known, or the turn has too many
   */
  reportCall(
    goalId: string,
    call: ReportedCall & { readonly callId: string; readonly sessionId: string },
  ): Promise<boolean>;
  /** Forgets a refused request. */
  dropRequest(commitId: string): Promise<void>;
  /** @throws Refusal invalid_request when the name belongs to another tree */
  registerWorkspace(tree: Tree): Promise<void>;
}

/** A folder as it is registered under a name. */
export interface Tree {
  readonly name: string;
  readonly path: string;
  readonly host: string;
  /** Content of the file that binds the name to this tree. */
  readonly marker: string;
  /** The top of a git repository with a commit. */
  readonly isRepository?: boolean;
  /** Why worktrees of it would be wrong; null = they would be right. */
  readonly worktreeProblem?: WorktreeProblem | null;
}
