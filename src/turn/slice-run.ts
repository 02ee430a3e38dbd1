import type { UsageFields } from '../../schema/budget.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TodoList } from '../../schema/todo.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { Tally } from '../attempt/tally.ts';
import type { SliceInput } from '../contract/activities.ts';
import type { Compaction } from '../contract/compaction-record.ts';
import type { RequestedCall, StoredMessage } from '../contract/conversation.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { CallUsage } from '../contract/journal.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { CallEnd } from '../contract/tool-call.ts';
import type { FinishReason, TurnKind } from '../contract/turn-facts.ts';
import { addUsage } from '../goal/budget/budget.ts';
import type { ToolVerdict } from '../policy/tool-policy.ts';
import type { TurnPorts } from './turn-ports.ts';

export interface BegunCall {
  readonly callId: string;
  /** Verdict of the tool rules. */
  readonly verdict: ToolVerdict;
}

/** The memory of one slice: a mirror of what its journal already holds. */
export interface SliceRun {
  readonly ports: TurnPorts;
  readonly attempt: Attempt;
  readonly input: SliceInput;
  /** The kind under which the turn was opened. */
  readonly kind: TurnKind;
  /** Read again when the goal has moved on. */
  brief: GoalBrief;
  /** The goal's revision when the slice began. */
  readonly openedAt: number;
  readonly signal: AbortSignal;
  readonly startedAt: number;
  readonly tally: Tally;
  readonly messages: StoredMessage[];
  /** Contents of their files, by SHA-256. */
  readonly contents: Map<string, Uint8Array>;
  /** Calls of this turn that an earlier attempt started. */
  readonly started: readonly LedgerRow[];
  /** Resolves when the baseline is recorded; the first write waits for it. */
  readonly baseline: Promise<void>;
  /** Stop for an unknown effect of an earlier turn that a person has to decide first. */
  readonly asks: SliceStop | null;
  /** The compaction that hides a part of the conversation. */
  compaction: Compaction | null;
  /** The newest one; null = there is none. */
  checkpoint: { readonly turn: number; readonly writeSeq: number } | null;
  /** The workspace was looked at before the first write of this slice. */
  isCheckpointed: boolean;
  usage: UsageFields;
  todos: TodoList;
  plan: string | null;
  writeSeq: number;
  /** Criteria changed since the slice began: its requests name the earlier ones. */
  isBehind: boolean;
  /** Number of the last committed step of the turn. */
  step: number;
  stepsInSlice: number;
  /** Attempts of the next step that were lost or failed. */
  failedAttempts: number;
  /** Newest consecutive attempts among them under which a worker died. */
  lostAttempts: number;
  /** The provider failed the next step and charged for it. */
  hasPaidInVain: boolean;
  /** Time slept between retries, which isn't active time, milliseconds. */
  sleptMs: number;
  protocolErrors: number;
  finishReason: FinishReason;
  /** The last committed step asked for nothing: the turn is over. */
  hasYielded: boolean;
  /** Set while the last committed step has calls that are not settled. */
  pending: readonly RequestedCall[];
  /** The call that was journaled as begun together with the last step. */
  begun: BegunCall | null;
  /** End of a call that the next step settles as it begins; a stop before that settles it. */
  owed: CallEnd | null;
}

/** Settles the owed call before the record is read again or the slice ends. */
export async function settleOwed(run: SliceRun): Promise<void> {
  if (run.owed === null) return;
  await run.ports.journal.settleCall(run.attempt.fence, run.owed);
  run.owed = null;
}

export function charge(run: SliceRun, usage: CallUsage): void {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = usage;
  const tokens = inputTokens - cachedInputTokens + outputTokens;
  const counted = { inputTokens, cachedInputTokens, outputTokens, tokens, costUsd };
  run.usage = addUsage(run.usage, { ...counted, turns: 0, steps: 1, activeSeconds: 0 });
}

/** Why a signal stopped this slice: a person, or the worker's own end. */
export function stopped(run: SliceRun): SliceStop | null {
  if (run.ports.stopping.aborted) return { end: 'shutdown' };
  return run.signal.aborted ? { end: 'interrupted' } : null;
}
