import type { TodoItem } from '../../schema/todo.ts';
import { inboxCounts } from '../attempt/inbox-counts.ts';
import type { StoredMessage } from '../contract/conversation.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { TurnFacts } from '../contract/turn-facts.ts';
import { readSignals } from '../reply/phrases.ts';
import type { SliceRun } from './slice-run.ts';

/** Number of events that the score takes into account. */
const RATIO_EVENTS = 10;

/** Facts about the turn for the pure rules: numbers, flags and ids, never texts. */
export async function gatherFacts(
  run: SliceRun,
  stop: SliceStop,
  activeMs: number,
): Promise<TurnFacts> {
  const { tally, todos, input } = run;
  const openCall = stop.openCall ?? null;
  const open = todos.items.filter(
    (item) => item.status === 'pending' || item.status === 'in_progress',
  );
  return {
    turn: input.turn,
    kind: run.kind,
    end: stop.end,
    ...(run.brief.agent === undefined ? {} : { byAgent: true as const }),
    ...(run.brief.isExternal === true ? { byAgent: true, inSession: true } : {}),
    mode: run.brief.mode,
    steps: run.step,
    toolCalls: tally.toolCalls + (openCall === null ? 0 : 1),
    receipts: tally.receipts,
    finishReason: run.finishReason,
    signals: readSignals(lastText(run), run.ports.ownPhrases?.()),
    followsToolResult: followsToolResult(run.messages),
    toolRatio: toolRatio(run.messages),
    claim: stop.end === 'claim' && openCall !== null ? { callId: openCall } : null,
    question: stop.end === 'question' && openCall !== null ? questionOf(stop, openCall) : null,
    ...(stop.end === 'approval' && openCall !== null
      ? { approval: { callId: openCall, rule: stop.rule ?? '' } }
      : {}),
    blocker: stop.end === 'blocker' && openCall !== null ? blockerOf(stop, openCall) : null,
    ...(stop.dispute === undefined ? {} : { dispute: stop.dispute }),
    election: stop.election ?? null,
    limit: stop.limit ?? null,
    provider: stop.provider ?? null,
    failedTargets: [...tally.failedWrites, ...failedCitation(run, stop)],
    openTodos: open.map((item) => item.id),
    manualTodos: todos.items.filter(needsPerson).map((item) => item.id),
    hasTodos: todos.items.length > 0,
    doneTodos: todos.items.filter((item) => item.status === 'completed').length,
    ...(await inboxCounts(run.ports, input.goalId)),
    wrote: tally.wrote,
    activeMs: Math.round(activeMs),
    detail: stop.detail ?? null,
  };
}

function questionOf({ question }: SliceStop, callId: string): TurnFacts['question'] {
  const { hasDefault = false, timeoutSeconds } = question ?? {};
  return {
    questionId: '',
    callId,
    ...(hasDefault ? { hasDefault } : {}),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
}

const blockerOf = ({ blocker: kind }: SliceStop, callId: string): TurnFacts['blocker'] =>
  kind === undefined ? { callId } : { callId, kind };

const needsPerson = (item: TodoItem): boolean =>
  item.status === 'completed' && item.isVerified === false && item.acceptedBy === undefined;

/** A check that the claim itself cites and whose newest run in this turn failed (C4). */
function failedCitation(run: SliceRun, { citedCommand }: SliceStop): string[] {
  const cited = citedCommand?.trim();
  return [...run.tally.failedCommands].filter((command) => command.trim() === cited);
}

function lastText(run: SliceRun): string {
  const last = run.messages.findLast((message) => message.voice === 'model');
  return last !== undefined && last.turn === run.input.turn ? last.content.text : '';
}

function followsToolResult(messages: readonly StoredMessage[]): boolean {
  const last = messages.findLastIndex((message) => message.voice === 'model');
  return messages[last - 1]?.voice === 'tool';
}

function toolRatio(messages: readonly StoredMessage[]): number {
  const recent = messages.slice(-RATIO_EVENTS);
  const models = recent.filter((message) => message.voice === 'model').length;
  return models === 0 ? 0 : recent.filter((message) => message.voice === 'tool').length / models;
}
