import { createHash } from 'node:crypto';
import { unmaskedInput } from '../attempt/secrets.ts';
import { tallyCall } from '../attempt/tally.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { Closed } from '../contract/failures.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { ToolVerdict } from '../policy/tool-policy.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { endIfBegun, endUnknown, startedRow } from './begun-call.ts';
import { asksAfter, stopAfter, stopFor, stopForApproval } from './call-stops.ts';
import { judgeCall, refusalBy, underRule } from './judge-call.ts';
import { perform } from './perform-call.ts';
import { settle } from './settle-call.ts';
import { type SliceRun, stopped } from './slice-run.ts';

/** Runs the calls of the last step in order, after those already settled. */
export async function runPendingCalls(run: SliceRun): Promise<SliceStop | null> {
  const [call, ...later] = run.pending;
  if (call === undefined) return null;
  const stop = stopped(run);
  if (stop?.end === 'shutdown') return stop;
  const ended = stop ?? (await runOrInterrupt(run, call));
  if (ended === null) {
    run.pending = later;
    return await runPendingCalls(run);
  }
  const isOpen = ended.openCall === call.callId;
  await closeCalls(
    run,
    stop === null && (isOpen || ended.end !== 'interrupted') ? later : run.pending,
  );
  run.pending = [];
  return ended;
}

async function runOrInterrupt(run: SliceRun, call: RequestedCall): Promise<SliceStop | null> {
  try {
    return await runCall(run, call);
  } catch (error) {
    if (!(error instanceof Closed)) throw error;
    return { end: 'interrupted' };
  }
}

/** Closes calls without running them; a call that an earlier attempt began may have happened. */
export async function closeCalls(
  run: SliceRun,
  calls: readonly RequestedCall[],
): Promise<SliceStop | null> {
  let asks: SliceStop | null = null;
  for (const call of calls) {
    const tool = run.ports.tools.find(call.tool);
    const result = endIfBegun(run, call, tool) ?? NOT_RUN;
    await settle(run, call, tool, result);
    asks ??= asksAfter(run, call, tool, result);
  }
  return asks;
}

const NOT_RUN: ToolResult = {
  outcome: 'refused',
  text: 'Not run: the turn ended before this call. Ask again if it is still needed.',
  receipt: { reason: 'the turn ended before this call' },
};

async function runCall(run: SliceRun, call: RequestedCall): Promise<SliceStop | null> {
  const tool = run.ports.tools.find(call.tool);
  const input = unmaskedInput(run.ports.secrets, run.input.goalId, call);
  if (input === null) return await finish(run, call, tool, await endUnknown(run, call, tool));
  const parsed = await run.ports.tools.parse(call.tool, input);
  if (tool === undefined || !parsed.ok) {
    // The tool may have been removed since the call began.
    const begun = endIfBegun(run, call, tool);
    if (begun !== null) return await finish(run, call, tool, begun);
    const reason = parsed.ok ? `unknown tool ${call.tool}` : parsed.message;
    return await finish(run, call, tool, { outcome: 'failed', text: reason, receipt: { reason } });
  }
  const reason = deniedBy(run, tool);
  if (reason !== null) {
    const denied = { outcome: 'refused', text: reason, receipt: { reason } } as const;
    return await finish(run, call, tool, denied);
  }
  const verdict = await verdictOn(run, call, tool, parsed.args);
  const refusal = refusalBy(verdict);
  if (refusal !== null) return await finish(run, call, tool, refusal);
  if (verdict.decision === 'ask') return stopForApproval(call, parsed.args, verdict);
  const result = await perform(run, call, tool, parsed.args);
  return await finish(run, call, tool, underRule(result, verdict));
}

export function deniedBy(run: SliceRun, tool: Tool): string | null {
  if (!tool.modes.includes(run.brief.mode)) {
    return `${tool.name} is not available in the mode "${run.brief.mode}"`;
  }
  const isQuietTurn = run.kind === 'wrap_up';
  return isQuietTurn && (tool.effect !== 'read' || tool.isLifecycle === true)
    ? 'Refused: a budget is used up. Answer in text: what is done, what is left, what comes next.'
    : null;
}

/** A call that began was allowed then; only its end is missing. */
async function verdictOn(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool,
  args: unknown,
): Promise<ToolVerdict> {
  if (run.begun?.callId === call.callId) return run.begun.verdict;
  if (startedRow(run, call.callId) !== undefined) return { decision: 'allow', rule: null };
  return await judgeCall(run, tool, args);
}

async function finish(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  result: ToolResult,
): Promise<SliceStop | null> {
  if (result.end !== undefined) return stopFor(run, result.end, call);
  const digest = createHash('sha256').update(result.text).digest('hex');
  const receipt = { ...result.receipt, outputSha256: result.receipt.outputSha256 ?? digest };
  const times = tallyCall(run.tally, {
    tool: call.tool,
    input: call.input,
    outcome: result.outcome,
    receipt,
    isLifecycle: tool?.isLifecycle === true,
    isPlanned: tool?.plan !== undefined,
  });
  const { repeatsNoted } = run.brief.policy.continuation;
  const repeated = `The same call has had the same result ${times} times. Do something else.`;
  const notes = [...(result.notes ?? []), ...(times === repeatsNoted ? [repeated] : [])];
  await settle(run, call, tool, { ...result, receipt, notes }, 'may wait');
  return stopAfter(run, call, tool, result, times);
}
