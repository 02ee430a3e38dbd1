import type { AttachmentRef } from '../../schema/attachment.ts';
import type { Budget, UsageFields } from '../../schema/budget.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Mode } from '../../schema/goal.ts';
import type { Policy } from '../../schema/policy.ts';
import type { Requirement } from '../../schema/requirement.ts';
import type { StoredScope } from '../../schema/scope.ts';
import type { TodoList } from '../../schema/todo.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';
import type { Fallback } from './goal-state.ts';
import type { ProofGround } from './original.ts';
import type { LimitReached } from './turn-facts.ts';
import type { StoredWakeRequest } from './wake-request.ts';

export interface GoalBrief {
  readonly goalId: string;
  readonly objective: string;
  /** The goal whose approved plan it carries out; absent = it was planned by none. */
  readonly plannedBy?: string;
  /** The goal before it in its thread, whose conversation it goes on; absent = it begins its own. */
  readonly continues?: string;
  /** The agent of the settings that works on it; absent = the own loop. */
  readonly agent?: string;
  /** A person's own session works on it. */
  readonly isExternal?: true;
  /** The agent's newest session; absent = it has none yet. */
  readonly agentSession?: AgentSession;
  /** Files that came with the objective; absent = none. */
  readonly attached?: readonly AttachmentRef[];
  /** All files of people and programs, its own objective's too; absent = none. */
  readonly attachments?: readonly AttachmentRef[];
  readonly mode: Mode;
  readonly model: string;
  readonly fallbackModel: string | null;
  /** Set while, or after, the fallback model stands in. */
  readonly fallback: Fallback | null;
  /** Revision of the goal at which this was read. */
  readonly revision: number;
  /** It is asked for something else than a turn has told. */
  readonly isAmended?: true;
  readonly criteria: readonly TrackedCriterion[];
  readonly criteriaRevision: number;
  readonly budget: Budget;
  /** Usage, including delegates. */
  readonly usage: UsageFields;
  /** The part of its budget that running delegates may still spend; absent = nothing. */
  readonly setAside?: UsageFields;
  readonly policy: Policy;
  /** What the caller said that the goal may change; null = the host infers it. */
  readonly scope?: StoredScope | null;
  /** Commands that install what a proof needs; none = lock files speak. */
  readonly setup?: readonly string[];
  /** Which calls run, ask or are refused; absent = none of its own. */
  readonly toolRules?: readonly ToolRule[];
  /** What the objective asks for, piece by piece; absent = it was not split. */
  readonly requirements?: readonly Requirement[];
  readonly todos: TodoList;
  /** The plan as the model last wrote it; null where it wrote none. */
  readonly plan: string | null;
  readonly workspace: {
    readonly name: string;
    readonly path: string;
    readonly marker: string;
    readonly writeSeq: number;
    /** For a worktree: the workspace it was made from, and its branch. */
    readonly origin?: string | null;
    readonly branch?: string | null;
  };
  /** The newest checkpoint; null = there is none. */
  readonly checkpoint?: { readonly turn: number; readonly writeSeq: number } | null;
  /** A person ordered a rewind, and nobody has carried it out yet. */
  readonly isRewinding?: boolean;
  /** The limit that is being wrapped up. */
  readonly limit: LimitReached | null;
  /** Number of the chain of wakes. Ending a chain raises it, which voids earlier wake requests. */
  readonly generation: number;
  readonly textTokens: boolean;
  /** The newest wake that the model asked for. */
  readonly election: StoredWakeRequest | null;
  /** Null until the baseline is recorded. */
  readonly baseline: StoredBaseline | null;
  /** No criteria were given: the baseline looks for the project's own checks. */
  readonly detectsCriteria: boolean;
  /** The decision of the last settled turn, which opened the newest one. */
  readonly lastDecision: {
    readonly rule: number;
    readonly action: string;
    readonly sentence: string;
    readonly missing: readonly string[];
    readonly reasons: Readonly<Record<string, string>>;
    readonly score: number;
  } | null;
}

export interface AgentSession {
  readonly id: string;
  /** What it had cost when its newest turn was charged, as the agent says; exact decimal. */
  readonly costUsd: string;
}

export interface SeenAtBaseline {
  /** SHA-256 of a protected path; null = it did not exist. */
  readonly hash?: string | null;
  readonly git?: GitBasis;
  /** Files of the original that the check itself rewrites. */
  readonly rewrites?: readonly string[];
  /** Files that the check made on the original; absent where nobody looked. */
  readonly made?: readonly string[];
  /** The host had to end the check on the original. */
  readonly wasEnded?: true;
  /** Names of the checkers that were found. */
  readonly checkers?: readonly string[];
  /** How often each error was there, by a digest of checker, file, rule and text. */
  readonly errors?: Readonly<Record<string, number>>;
}

export interface StoredBaseline {
  readonly states: Readonly<Record<string, 'met' | 'unmet' | 'not_run'>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Changes beyond the scope, by name, as a person accepted their contents; null = gone. */
  readonly accepted?: Readonly<Record<string, string | null>>;
  /** State at the baseline that each criterion is compared with, by criterion id. */
  readonly seen?: Readonly<Record<string, SeenAtBaseline>>;
  /** Absent where no proof run is possible; `reason` says why. */
  readonly proof?: ProofGround | { readonly reason: string };
}

/** State of git at the baseline that a criterion is compared with. */
export interface GitBasis {
  readonly head: string | null;
  /** Files that were not committed at the baseline → SHA-256; criteria ignore them. */
  readonly loose: Readonly<Record<string, string | null>>;
}
