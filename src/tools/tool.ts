import type { z } from 'zod';
import type { CheckerSetting } from '../../schema/checker.ts';
import type { Criterion } from '../../schema/criteria.ts';
import type { Mode } from '../../schema/goal.ts';
import type { Effect, LedgerRow, Outcome, Receipt } from '../../schema/ledger.ts';
import type { TodoItem, TodoList } from '../../schema/todo.ts';
import type { ToolDecision } from '../../schema/tool-rule.ts';
import type { EffectsPort } from '../contract/effects.ts';
import type { DelegateRequest, Recalled, WritePlan } from '../contract/tool-call.ts';
import type { WakeRequest } from '../contract/turn-facts.ts';

/** What a tool may reach. Everything that changes files goes through `effects`. */
export interface ToolContext {
  readonly workspace: { readonly name: string; readonly path: string };
  readonly effects: EffectsPort;
  readonly signal: AbortSignal;
  readonly callId: string;
  /** The same for every try of this call, and no other one's: for services that take such a key. */
  readonly idempotencyKey: string;
  /** The canonical list as it is now. */
  readonly todos: TodoList;
  /** Settled rows of the goal, oldest first. */
  readonly receipts: () => Promise<readonly LedgerRow[]>;
  readonly criteria: readonly Criterion[];
  /** Proposed by this goal and decided by nobody yet. */
  readonly openProposals: () => Promise<readonly Criterion[]>;
  readonly maxOpenProposals: number;
  /** Files whose changes count even where git ignores them, relative to the workspace. */
  readonly watched: readonly string[];
  /** Writes of the workspace so far; raised by the call that is running only when it settles. */
  readonly writeSeq: number;
  /** A part of what the record keeps; absent where there is no record. */
  readonly recall?: (
    ref: string,
    /** Bytes. */
    range: { readonly offset: number; readonly limit: number },
  ) => Promise<Recalled | null>;
  /** Programs that the workspace's policy adds to those that look for errors. */
  readonly checkers?: readonly CheckerSetting[];
  /** What the policy says of a file, relative to the workspace; absent where it is about none. */
  readonly guard?: ((path: string) => ToolDecision) | undefined;
  /** Absent where nobody could work for the goal. */
  readonly delegation?: {
    readonly mode: Mode;
    /** Asked for in this turn before this call. */
    readonly staged: () => Promise<number>;
    readonly perTurn: number;
    /** Seconds. */
    readonly delay: { readonly least: number; readonly most: number };
  };
  readonly onOutput?: (chunk: string) => void;
  /** Takes secrets out, for a tool that cuts what it shows: half of a secret is still one. */
  readonly mask?: (text: string) => string;
  /** The same for a text whose lines are counted. */
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
  | { readonly kind: 'blocker'; readonly text: string }
  | ({ readonly kind: 'election'; readonly text: string } & Pick<
      WakeRequest,
      'on' | 'seconds' | 'until'
    >);

export interface ToolResult {
  readonly outcome: Outcome;
  /** What the model reads; at most `MAX_TEXT` characters. */
  readonly text: string;
  readonly receipt: Receipt;
  readonly output?: Uint8Array;
  readonly todos?: readonly TodoItem[];
  /** A criterion to be put to a person. */
  readonly proposal?: Criterion;
  readonly plan?: string;
  /** Work to be handed over when the turn has settled. */
  readonly delegate?: DelegateRequest;
  readonly wrote?: boolean;
  readonly end?: ToolEnd;
}

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
  /** JSON Schema for the model; made from `schema` unless told. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** True for the calls that the lifecycle breaker watches. */
  readonly isLifecycle?: boolean;
  /** It stays open until its turn settles, however many slices that takes. */
  readonly endsTurn?: boolean;
  /** It only tells the host something: a worker that dies under it died of something else. */
  readonly isForHost?: boolean;
  /** Before `started` is stored, for resumable writes. */
  plan?(args: Arguments, context: ToolContext): Promise<WritePlan | ToolResult>;
  run(args: Arguments, context: ToolContext, plan: WritePlan | undefined): Promise<ToolResult>;
}
