import { createHash } from 'node:crypto';
import type { Effect, LedgerRow, Receipt } from '../../schema/ledger.ts';
import { unmaskedInput } from '../attempt/secrets.ts';
import { tallyCall } from '../attempt/tally.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { Closed, Superseded } from '../contract/failures.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { CallEnd, WritePlan } from '../contract/tool-call.ts';
import { checkersOf } from '../diagnostics/configured.ts';
import { refuseProtected } from '../evidence/protection.ts';
import type { ToolVerdict } from '../policy/tool-policy.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { endOfPlan } from '../tools/planned-write.ts';
import type { Tool, ToolContext, ToolEnd, ToolResult } from '../tools/tool.ts';
import { EffectsLost } from '../workspace/helper/errors.ts';
import { checkpointBeforeWrite } from './checkpoint.ts';
import { guardOf, judgeCall, refusalBy, underRule } from './judge-call.ts';
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

/** The end of a call that doesn't go on; null when it had not begun or changes nothing. */
export function endIfBegun(
  run: SliceRun,
  { callId }: RequestedCall,
  tool: Tool | undefined,
): ToolResult | null {
  const started = startedRow(run, callId);
  const isOnlyRead = (tool?.effect ?? started?.effect) === 'read';
  return started === undefined || isOnlyRead ? null : unseenEnd(started);
}

const effectOf = (run: SliceRun, { callId }: RequestedCall, tool: Tool | undefined): Effect =>
  tool?.effect ?? startedRow(run, callId)?.effect ?? 'read';

const NOT_RUN: ToolResult = {
  outcome: 'refused',
  text: 'Not run: the turn ended before this call. Ask again if it is still needed.',
  receipt: { reason: 'the turn ended before this call' },
};

async function runCall(run: SliceRun, call: RequestedCall): Promise<SliceStop | null> {
  const tool = run.ports.tools.find(call.tool);
  const input = unmaskedInput(run.ports.secrets, run.input.goalId, call);
  if (input === null) return await finish(run, call, tool, await endUnknown(run, call, tool));
  const parsed = run.ports.tools.parse(call.tool, input);
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

/**
 * The call's arguments held a secret, so they were not stored, and the process that knew them is
 * gone.
 */
export async function endUnknown(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
): Promise<ToolResult> {
  const plan = startedRow(run, call.callId)?.plan;
  const end = plan === undefined ? null : await endOfPlan(plan, run.brief.workspace.path);
  if (end === 'undone') return NOT_STORED;
  return end ?? endIfBegun(run, call, tool) ?? NOT_STORED;
}

const NOT_STORED: ToolResult = {
  outcome: 'refused',
  text: 'Not run: its arguments held a secret, which is never stored, and the process that knew it ended. Ask again if it is still needed.',
  receipt: { reason: 'its arguments held a secret, which is never stored' },
};

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

/** Journals the call and runs it, or settles one that an earlier attempt began. */
export async function perform(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool,
  args: unknown,
): Promise<ToolResult> {
  const started = startedRow(run, call.callId);
  const lost = started === undefined ? null : await lostResult(run, tool, started);
  if (lost !== null) return lost;
  if (tool.effect !== 'read') {
    await run.baseline;
    await checkpointBeforeWrite(run);
  }
  const context = contextOf(run, call);
  const plan = await planOf(run, call, tool, args, context, started);
  if (plan !== undefined && 'outcome' in plan) return plan;
  return await runTool(tool, args, context, plan);
}

const startedRow = (run: SliceRun, callId: string): LedgerRow | undefined =>
  run.started.find((row) => row.callId === callId);

export function deniedBy(run: SliceRun, tool: Tool): string | null {
  if (!tool.modes.includes(run.brief.mode)) {
    return `${tool.name} is not available in the mode "${run.brief.mode}"`;
  }
  const isQuietTurn = run.kind === 'wrap_up';
  return isQuietTurn && (tool.effect !== 'read' || tool.isLifecycle === true)
    ? 'Refused: a budget is used up. Answer in text: what is done, what is left, what comes next.'
    : null;
}

/**
 * Settles a call that an earlier attempt started. Reads and planned writes run again; the end of
 * any other call is unknown, and its process group is gone.
 */
async function lostResult(
  run: SliceRun,
  tool: Tool,
  started: LedgerRow,
): Promise<ToolResult | null> {
  if (tool.effect !== 'read' && started.plan === undefined) return unseenEnd(started);
  const isInnocent = tool.endsTurn === true || tool.isForHost === true;
  if (isInnocent || (await deathsUnder(run, started)) < 2) return null;
  const reason = 'killed its worker twice';
  return {
    outcome: 'failed',
    text: `Not run again: two attempts died under this call (${reason}).`,
    receipt: { reason },
  };
}

/**
 * Number of attempts that ran the call and died: the one that began it, and those that recorded a
 * repeat. A call that began in the commit of its step may never have run there.
 */
async function deathsUnder(run: SliceRun, { callId, effect }: LedgerRow): Promise<number> {
  const isFirst = callId.endsWith('.1');
  const repeats = await run.ports.journal.repeatCall(run.attempt.fence, callId);
  return repeats + (isFirst && effect === 'read' ? 0 : 1);
}

/** A call that may have run is never reported as not run, whatever number of attempts died. */
function unseenEnd(started: LedgerRow): ToolResult {
  const reason = 'the process died while this ran; its end was not seen';
  return {
    outcome: 'unknown',
    text: `Outcome unknown: ${reason}. It was stopped and may have run in part. Look before you run it again.`,
    receipt: { reason, ...commandOf(started) },
    wrote: true,
  };
}

function commandOf({ arguments: args }: LedgerRow): Pick<Receipt, 'command'> {
  const { command } = (args ?? {}) as { command?: unknown };
  return typeof command === 'string' ? { command } : {};
}

function contextOf(run: SliceRun, call: RequestedCall): ToolContext {
  const { goalId, workspace } = run.brief;
  const limits = run.brief.policy.continuation;
  const { tellOutput } = run.ports;
  const { turn } = run.input;
  const { callId } = call;
  return {
    workspace: { name: workspace.name, path: workspace.path },
    effects: run.attempt.effects,
    signal: run.signal,
    callId: call.callId,
    idempotencyKey: `${goalId}/${call.callId}`,
    ...(tellOutput && { onOutput: (text: string) => tellOutput({ goalId, turn, callId, text }) }),
    todos: run.todos,
    receipts: () => run.ports.journal.receipts(goalId),
    criteria: run.brief.criteria.map(({ spec }) => spec),
    openProposals: () => run.ports.journal.openProposals(goalId),
    maxOpenProposals: run.brief.policy.continuation.openProposals,
    watched: watchedPaths(run.brief.criteria),
    writeSeq: run.writeSeq,
    recall: (ref, range) => run.ports.journal.recall(goalId, ref, range),
    guard: guardOf(run, call.tool),
    checkers: checkersOf(run.ports, run.brief),
    delegation: {
      mode: run.brief.mode,
      staged: async () => (await run.ports.journal.delegates(goalId)).staged,
      perTurn: limits.delegatesPerTurn,
      delay: { least: limits.delayMinSeconds, most: limits.delayMaxSeconds },
    },
  };
}

/** Plans a resumable write before `started` is stored. */
async function planOf(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool,
  args: unknown,
  context: ToolContext,
  started: LedgerRow | undefined,
): Promise<WritePlan | ToolResult | undefined> {
  if (started !== undefined) return started.plan;
  if (run.begun?.callId === call.callId) return undefined;
  const plan = await tool.plan?.(args, context);
  if (plan !== undefined && 'outcome' in plan) return plan;
  const refusal = plan === undefined ? null : await refuseProtected(run.brief, plan);
  if (refusal !== null) return refusal;
  const place = { callId: call.callId, turn: run.input.turn, step: run.step };
  const asked = { tool: tool.name, effect: tool.effect, arguments: args };
  await run.ports.journal.startCall(run.attempt.fence, { ...place, ...asked, plan });
  return plan;
}

async function runTool(
  tool: Tool,
  args: unknown,
  context: ToolContext,
  plan: WritePlan | undefined,
): Promise<ToolResult> {
  try {
    return await tool.run(args, context, plan);
  } catch (error) {
    // The next attempt starts a helper of its own and settles this call.
    const isOver = error instanceof EffectsLost || error instanceof Superseded;
    if (isOver || error instanceof Closed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const outcome = tool.effect === 'read' ? 'failed' : 'unknown';
    return {
      outcome,
      text: `${tool.name} broke: ${reason}`,
      receipt: { reason },
      wrote: outcome === 'unknown',
    };
  }
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
  });
  const { repeatsNoted } = run.brief.policy.continuation;
  const note =
    times === repeatsNoted
      ? `\n\n[host] The same call has had the same result ${times} times. Do something else.`
      : '';
  await settle(run, call, tool, { ...result, receipt, text: result.text + note }, 'may wait');
  return stopAfter(run, call, tool, result, times);
}

function stopForApproval(
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
  if (end.kind !== 'election') return stop;
  const { on, seconds, until } = end;
  return { ...stop, election: { callId, on, seconds, until, generation: run.brief.generation } };
}

function stopAfter(
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

export async function settle(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  result: ToolResult,
  when: 'now' | 'may wait' = 'now',
): Promise<void> {
  const end: CallEnd = {
    callId: call.callId,
    turn: run.input.turn,
    step: run.step,
    tool: call.tool,
    effect: effectOf(run, call, tool),
    outcome: result.outcome,
    receipt: result.receipt,
    text: result.text,
    providerId: call.providerId,
    output: result.output,
    todos: result.todos,
    proposal: result.proposal,
    plan: result.plan,
    delegate: result.delegate,
    wrote: result.wrote ?? false,
  };
  if (when === 'may wait' && isSettledByNextStep(run, end)) {
    run.owed = end;
  } else {
    const row = await run.ports.journal.settleCall(run.attempt.fence, end);
    run.writeSeq = row.receipt?.writeSeq ?? run.writeSeq;
  }
  run.plan = result.plan ?? run.plan;
  if (result.todos !== undefined) {
    run.todos = { revision: run.todos.revision + 1, items: [...result.todos] };
  }
  const { seq } = run.messages.at(-1) ?? { seq: 0 };
  run.messages.push({
    seq: seq + 1,
    turn: run.input.turn,
    step: run.step,
    voice: 'tool',
    content: {
      text: result.text,
      callId: call.callId,
      providerId: call.providerId,
      tool: call.tool,
      isError: result.outcome !== 'succeeded',
    },
  });
}

/**
 * True for the last call of a step if it only read: the next step settles it without an extra
 * commit.
 */
const isSettledByNextStep = ({ pending }: SliceRun, end: CallEnd): boolean =>
  end.effect === 'read' &&
  pending.length === 1 &&
  !end.wrote &&
  end.receipt.isolation === undefined &&
  [end.output, end.todos, end.plan, end.proposal, end.delegate].every((more) => more === undefined);
