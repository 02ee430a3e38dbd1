import type { LedgerRow } from '../../schema/ledger.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { Closed, Superseded } from '../contract/failures.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { WritePlan } from '../contract/tool-call.ts';
import { checkersOf } from '../diagnostics/configured.ts';
import { type KnownErrors, mergeKnown } from '../diagnostics/known-errors.ts';
import { refuseProtected } from '../evidence/protection.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { DatabaseUnavailable } from '../store/client.ts';
import { endOfPlan } from '../tools/planned-write.ts';
import { failed } from '../tools/results.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import { EffectsLost } from '../workspace/helper/errors.ts';
import { startedRow, unseenEnd } from './begun-call.ts';
import { checkpointBeforeWrite } from './checkpoint.ts';
import { disputesOf } from './disputing.ts';
import { guardOf } from './judge-call.ts';
import { scopesOf } from './proposing-scope.ts';
import type { SliceRun } from './slice-run.ts';

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
  return await stoppably(run, call, (context) =>
    performIn(run, call, { tool, args, started }, context),
  );
}

async function performIn(
  run: SliceRun,
  call: RequestedCall,
  { tool, args, started }: Asked,
  context: ToolContext,
): Promise<ToolResult> {
  const plan = await planOf(run, call, tool, args, context, started);
  if (plan !== undefined && 'outcome' in plan) return plan;
  return await runTool(tool, args, context, plan);
}

interface Asked {
  readonly tool: Tool;
  readonly args: unknown;
  readonly started: LedgerRow | undefined;
}

/** A person may end this call alone from before it is journaled as begun. */
async function stoppably(
  run: SliceRun,
  call: RequestedCall,
  work: (context: ToolContext) => Promise<ToolResult>,
): Promise<ToolResult> {
  const context = contextOf(run, call);
  const entry = run.ports.callStops?.enter(run.input.goalId, call.callId);
  if (entry === undefined) return await work(context);
  const { stoppedBy } = entry;
  const signal = AbortSignal.any([context.signal, entry.signal]);
  try {
    return await work({ ...context, signal, stoppedBy });
  } finally {
    entry.leave();
  }
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
  if (tool.effect !== 'read' && started.plan === undefined) {
    const by = await run.ports.callStops?.askedBy(run.input.goalId, started.callId);
    return unseenEnd(started, by ?? null);
  }
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

/** Runs a call whose beginning is journaled. */
export const runStarted = (
  run: SliceRun,
  call: RequestedCall,
  tool: Tool,
  args: unknown,
  { signal, onOutput }: { signal: AbortSignal; onOutput: (text: string) => void },
): Promise<ToolResult> =>
  stoppably(run, call, (context) => {
    const heard = (text: string) => {
      onOutput(text);
      context.onOutput?.(text);
    };
    const both = AbortSignal.any([context.signal, signal]);
    return runTool(tool, args, { ...context, signal: both, onOutput: heard }, undefined);
  });

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
    knownErrors: async () => knownErrorsOf(await run.ports.journal.brief(goalId)),
    requirements: async () => {
      const brief = await run.ports.journal.brief(goalId);
      const proposed = await run.ports.journal.proposedChanges(goalId);
      return { requirements: brief.requirements ?? [], criteria: brief.criteria, ...proposed };
    },
    disputes: disputesOf(run, callId),
    scopes: scopesOf(run),
    delegation: {
      mode: run.brief.mode,
      staged: async () => (await run.ports.journal.delegates(goalId)).staged,
      perTurn: limits.delegatesPerTurn,
      delay: { least: limits.delayMinSeconds, most: limits.delayMaxSeconds },
    },
  };
}

function knownErrorsOf({ criteria, baseline }: GoalBrief): KnownErrors | null {
  const known = criteria.flatMap(({ criterionId, spec }) => {
    const errors = baseline?.seen?.[criterionId]?.errors;
    const isAsked = spec.kind === 'diagnostics' && spec.onlyNew === true;
    return isAsked && errors !== undefined ? [errors] : [];
  });
  return known.length === 0 ? null : mergeKnown(known);
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
    if (NOT_THE_TOOLS.some((kind) => error instanceof kind)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const text = `${tool.name} broke: ${reason}`;
    const end = plan === undefined ? null : await endOfPlan(plan, context.workspace.path);
    // A full disk, or missing rights: the file itself tells what became of the write.
    if (end === 'undone') return failed(`${text}. Nothing was changed`);
    if (end !== null) return end;
    const outcome = tool.effect === 'read' ? 'failed' : 'unknown';
    return { outcome, text, receipt: { reason }, wrote: outcome === 'unknown' };
  }
}

/** Errors of the attempt: the next one starts a helper of its own and settles the call. */
const NOT_THE_TOOLS = [EffectsLost, Superseded, Closed, DatabaseUnavailable];
