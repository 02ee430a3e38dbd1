import type { Effect, LedgerRow, Receipt } from '../../schema/ledger.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import { endOfPlan } from '../tools/planned-write.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { SliceRun } from './slice-run.ts';

export const startedRow = (run: SliceRun, callId: string): LedgerRow | undefined =>
  run.started.find((row) => row.callId === callId);

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

/** A call that may have run is never reported as not run, whatever number of attempts died. */
/** @param stoppedBy the person who had ordered its end */
export function unseenEnd(started: LedgerRow, stoppedBy: string | null = null): ToolResult {
  const unseen = 'the process died while this ran; its end was not seen';
  const reason = stoppedBy === null ? unseen : `a person (${stoppedBy}) stopped it, and ${unseen}`;
  return {
    outcome: 'unknown',
    text: `Outcome unknown: ${reason}. It was stopped and may have run in part. Look before you run it again.`,
    receipt: { reason, ...(stoppedBy !== null && { stoppedBy }), ...commandOf(started) },
    wrote: true,
  };
}

function commandOf({ arguments: args }: LedgerRow): Pick<Receipt, 'command'> {
  const { command } = (args ?? {}) as { command?: unknown };
  return typeof command === 'string' ? { command } : {};
}

export const effectOf = (
  run: SliceRun,
  { callId }: Pick<RequestedCall, 'callId'>,
  tool: Tool | undefined,
): Effect => tool?.effect ?? startedRow(run, callId)?.effect ?? 'read';

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
