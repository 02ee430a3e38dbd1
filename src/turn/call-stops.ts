import type { RequestedCall } from '../contract/conversation.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { ToolVerdict } from '../policy/tool-policy.ts';
import type { Tool, ToolEnd, ToolResult } from '../tools/tool.ts';
import { effectOf } from './begun-call.ts';
import type { SliceRun } from './slice-run.ts';

export function stopForApproval(
  { callId, tool }: RequestedCall,
  args: unknown,
  { rule }: ToolVerdict,
): SliceStop {
  const { command, path } = (args ?? {}) as { command?: unknown; path?: unknown };
  const about = [command, path].find((value) => typeof value === 'string');
  const detail = about === undefined ? tool : `${tool} ${about}`;
  return {
    end: 'approval',
    openCall: callId,
    detail: detail.slice(0, 500),
    rule: (rule ?? '').slice(0, 400),
  };
}

export function stopFor(run: SliceRun, end: ToolEnd, { callId }: RequestedCall): SliceStop {
  const detail = end.kind === 'claim' ? end.result : end.text;
  const citedCommand = end.kind === 'claim' ? end.command : undefined;
  const stop = { end: end.kind, openCall: callId, detail: detail.slice(0, 500), citedCommand };
  if (end.kind === 'question') return { ...stop, question: end };
  if (end.kind === 'blocker') return { ...stop, blocker: end.blocker };
  if (end.kind === 'dispute') {
    const { criterionId, criteriaRevision } = end;
    return { ...stop, dispute: { callId, criterionId, criteriaRevision } };
  }
  if (end.kind !== 'election') return stop;
  const { on, seconds, until } = end;
  return { ...stop, election: { callId, on, seconds, until, generation: run.brief.generation } };
}

export function stopAfter(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  result: ToolResult,
  times: number,
): SliceStop | null {
  const { repeatsPaused, toolErrors } = run.brief.policy.continuation;
  if (run.signal.aborted && !run.ports.stopping.aborted) return { end: 'interrupted' };
  if (times >= repeatsPaused) {
    return { end: 'repetition', detail: `${call.tool} had the same result ${times} times` };
  }
  if (run.tally.malformedInRow >= 2) {
    return {
      end: 'lifecycle_breaker',
      detail: `${call.tool}: ${result.receipt.reason ?? 'malformed'}`,
    };
  }
  if (run.tally.errorsInRow >= toolErrors) {
    return {
      end: 'tool_error_cap',
      detail: `${toolErrors} tool errors in a row, the last by ${call.tool}`,
    };
  }
  return asksAfter(run, call, tool, result);
}

/** Asks a person about a call that can't be repeated and whose end is unknown. */
export function asksAfter(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  { outcome }: ToolResult,
): SliceStop | null {
  const asks =
    outcome === 'unknown' &&
    (effectOf(run, call, tool) === 'once' || run.brief.policy.onUnknown === 'ask');
  return asks ? { end: 'unknown_effect', detail: `${call.tool}: its end was not seen` } : null;
}
