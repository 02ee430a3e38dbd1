import type { z } from 'zod';
import type { CheckerSetting } from '../../schema/checker.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { BlockerKind, Mode } from '../../schema/goal.ts';
import type { Effect, LedgerRow, Outcome, Receipt } from '../../schema/ledger.ts';
import type { RequirementInput } from '../../schema/requirement.ts';
import type { TodoItem, TodoList } from '../../schema/todo.ts';
import type { ToolDecision } from '../../schema/tool-rule.ts';
import type { JudgedAttachment } from '../contract/attachments.ts';
import type { DisputePort } from '../contract/dispute.ts';
import type { EffectsPort } from '../contract/effects.ts';
import type { ProposedRequirementChange, RequirementGround } from '../contract/requirements.ts';
import type { ProposedScope, ScopePort } from '../contract/scope-proposal.ts';
import type { DelegateRequest, Recalled, WritePlan } from '../contract/tool-call.ts';
import type { OfferedTool } from '../contract/tool-pins.ts';
import type { Disputed, WakeRequest } from '../contract/turn-facts.ts';
import type { KnownErrors } from '../diagnostics/known-errors.ts';

/** The ports of a tool. Everything that changes files goes through `effects`. */
export interface ToolContext {
  readonly workspace: { readonly name: string; readonly path: string };
  readonly effects: EffectsPort;
  readonly signal: AbortSignal;
  /** Name of the person who had this call ended; null = nobody. */
  readonly stoppedBy?: () => string | null;
  readonly callId: string;
  /** The idempotency key of this call, the same for all its attempts. */
  readonly idempotencyKey: string;
  /** The canonical list as it is now. */
  readonly todos: TodoList;
  /** Settled rows of the goal, oldest first. */
  readonly receipts: () => Promise<readonly LedgerRow[]>;
  readonly criteria: readonly Criterion[];
  /** Criteria that this goal proposed and that are not decided yet. */
  readonly openProposals: () => Promise<readonly Criterion[]>;
  readonly maxOpenProposals: number;
  /** Files whose changes count even where git ignores them, relative to the workspace. */
  readonly watched: readonly string[];
  /** Writes of the workspace so far; raised by the call that is running only when it settles. */
  readonly writeSeq: number;
  /** Reads a part of a stored output; absent where there is no record. */
  readonly recall?: (
    ref: string,
    /** Bytes. */
    range: { readonly offset: number; readonly limit: number },
  ) => Promise<Recalled | null>;
  /** Programs that the workspace's policy adds to those that look for errors. */
  readonly checkers?: readonly CheckerSetting[];
  /** The policy's decision on a file, relative to the workspace; absent if it has no such rules. */
  readonly guard?: ((path: string) => ToolDecision) | undefined;
  /** Absent if the goal can't delegate. */
  readonly delegation?: {
    readonly mode: Mode;
    /** Delegates that this turn asked for before this call. */
    readonly staged: () => Promise<number>;
    readonly perTurn: number;
    /** Seconds. */
    readonly delay: { readonly least: number; readonly most: number };
  };
  /** Absent where the objective can't be split. */
  readonly requirements?: () => Promise<RequirementGround>;
  /** Absent where no wider scope can be asked for. */
  readonly scopes?: ScopePort;
  /** Absent where no criterion can be disputed. */
  readonly disputes?: DisputePort;
  /** Errors of the goal's start, where a criterion asks for no new ones; null = none does. */
  readonly knownErrors?: () => Promise<KnownErrors | null>;
  readonly onOutput?: (chunk: string) => void;
  /** Masks secrets before a tool cuts a text, because half a secret is not recognised any more. */
  readonly mask?: (text: string) => string;
  /** Masks secrets and keeps the number of lines. */
  readonly maskLines?: (text: string) => string;
}

/** How a tool ends the slice; the call stays open and recordTurn writes its result. */
export type ToolEnd =
  | { readonly kind: 'claim'; readonly result: string; readonly command?: string | undefined }
  | {
      readonly kind: 'question';
      readonly text: string;
      readonly options: readonly string[];
      readonly hasDefault: boolean;
      readonly timeoutSeconds?: number | undefined;
    }
  | { readonly kind: 'blocker'; readonly text: string; readonly blocker: BlockerKind }
  | ({ readonly kind: 'dispute'; readonly text: string } & Omit<Disputed, 'callId'>)
  | ({ readonly kind: 'election'; readonly text: string } & Pick<
      WakeRequest,
      'on' | 'seconds' | 'until'
    >);

export interface ToolResult {
  readonly outcome: Outcome;
  /** The text that the model reads; at most `MAX_TEXT` characters. */
  readonly text: string;
  /** The host's own words about the result, which nothing in `text` can pass for. */
  readonly notes?: readonly string[];
  readonly receipt: Receipt;
  readonly output?: Uint8Array;
  /** Images that a model is shown, if it can see; `text` names them for the others. */
  readonly images?: readonly JudgedAttachment[];
  readonly todos?: readonly TodoItem[];
  /** A criterion to be put to a person. */
  readonly proposal?: Criterion;
  /** Requirements that the model adds. */
  readonly requirements?: readonly RequirementInput[];
  /** A change of the requirements to be put to a person. */
  readonly requirementChange?: ProposedRequirementChange;
  /** A wider scope to be put to a person. */
  readonly scopeProposal?: ProposedScope;
  readonly plan?: string;
  /** Work to be handed over when the turn has settled. */
  readonly delegate?: DelegateRequest;
  readonly wrote?: boolean;
  readonly end?: ToolEnd;
}

/** Arguments as they are run with, or what is wrong with them, for the model. */
export type CheckedInput =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly why: string };

/**
 * One tool a file. `effect` decides what a crash means: `read` runs again, `write` is settled by
 * comparing hashes with its plan, `once` is never repeated.
 */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly modes: readonly Mode[];
  readonly schema: z.ZodType<Arguments>;
  /** JSON Schema for the model; made from `schema` by default. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Of a tool whose words come from elsewhere: goals see it as it was trusted, or not at all. */
  readonly offer?: OfferedTool;
  /** Instead of `schema`, where others wrote it: bounded, and never on this thread. */
  check?(input: unknown): Promise<CheckedInput>;
  /** True for the calls that the lifecycle breaker watches. */
  readonly isLifecycle?: boolean;
  /** The call only speaks to the host or a person: no wildcard of a rule matches it. */
  readonly isSpeaking?: boolean;
  /** The call stays open until its turn settles, over any number of slices. */
  readonly endsTurn?: boolean;
  /** Calls of it are made by the host alone: no model is told of it. */
  readonly isHostsOwn?: boolean;
  /** The tool by whose rules a call is judged; its own by default. */
  judgedAs?(args: Arguments): string;
  /** The tool only reports to the host, so it can't be the cause of a worker's death. */
  readonly isForHost?: boolean;
  /** Plans a resumable write, before `started` is stored. */
  plan?(args: Arguments, context: ToolContext): Promise<WritePlan | ToolResult>;
  run(args: Arguments, context: ToolContext, plan: WritePlan | undefined): Promise<ToolResult>;
}
