import { unmaskedInput } from '../attempt/secrets.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import type { SliceStop } from '../contract/slice-stop.ts';
import type { AskedCall } from '../contract/tool-call.ts';
import type { TurnKind } from '../contract/turn-facts.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { sha256 } from '../workspace/paths.ts';
import { endIfBegun, endUnknown } from './begun-call.ts';
import { asksAfter, stopFor } from './call-stops.ts';
import { judgeCall, refusalBy, underRule } from './judge-call.ts';
import { perform } from './perform-call.ts';
import { closeCalls, deniedBy } from './run-calls.ts';
import { settle } from './settle-call.ts';
import { type SliceRun, stopped } from './slice-run.ts';

/**
 * Settles the calls that an earlier turn left open. An approved call runs once: it is journaled
 * like any other, so a death in the middle leaves an unknown end.
 */
export async function closeLeftOpen(left: SliceRun, kind: TurnKind): Promise<SliceStop | null> {
  let asks: SliceStop | null = null;
  for (const call of left.pending) {
    const asked = await left.ports.journal.askedAbout(left.input.goalId, call.callId);
    if (asked?.state === 'approved') {
      const stop = stopped(left);
      if (stop !== null) return stop;
    }
    const stop =
      asked === null
        ? await closeCalls(left, [call])
        : await settleAsked({ ...left, kind }, call, asked);
    asks ??= stop;
  }
  return asks;
}

async function settleAsked(
  run: SliceRun,
  call: RequestedCall,
  asked: AskedCall,
): Promise<SliceStop | null> {
  const tool = run.ports.tools.find(call.tool);
  const { approvalId, by, rule } = asked;
  const ended = await resultOf(run, call, tool, asked);
  // A call that ends a turn ends this one too; settling the turn writes the result.
  if (ended.end !== undefined) return stopFor(run, ended.end, call);
  const result = underRule(
    ended,
    { decision: 'ask', rule },
    { approvalId, ...(by === null ? {} : { by }) },
  );
  await settle(run, call, tool, result);
  return asksAfter(run, call, tool, result);
}

async function resultOf(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  asked: AskedCall,
): Promise<ToolResult> {
  const ready = await readyToRun(run, call, tool, asked);
  if (!('outcome' in ready)) return await perform(run, call, ready.tool, ready.args);
  // The call may have run before the obstacle appeared.
  return endIfBegun(run, call, tool) ?? ready;
}

interface Ready {
  readonly tool: Tool;
  readonly args: unknown;
}

async function readyToRun(
  run: SliceRun,
  call: RequestedCall,
  tool: Tool | undefined,
  asked: AskedCall,
): Promise<Ready | ToolResult> {
  if (asked.state !== 'approved') return refusedBecause(whyNot(asked));
  if (asked.wasSpokenSince) return refusedBecause(SPOKEN_SINCE);
  const input = unmaskedInput(run.ports.secrets, run.input.goalId, call);
  if (input === null) return await endUnknown(run, call, tool);
  const parsed = await run.ports.tools.parse(call.tool, input);
  if (tool === undefined || !parsed.ok) return refusedBecause('it can no longer be run');
  if (sha256(Buffer.from(call.input)) !== asked.inputSha256) {
    return refusedBecause('its arguments are not those that were approved');
  }
  const denied = deniedBy(run, tool);
  if (denied !== null) return refusedBecause(denied);
  // Rules may be stricter by now; an approved call needs no second approval.
  const verdict = await judgeCall(run, tool, parsed.args);
  return refusalBy(verdict) ?? { tool, args: parsed.args };
}

const SPOKEN_SINCE = 'a person spoke after the approval. Ask again if it is still needed';

function whyNot({ state, by, note }: AskedCall): string {
  if (state === 'denied') {
    const words = note === null || note.trim() === '' ? '' : `. Their words: ${note}`;
    return by === 'Clock' ? (note ?? 'nobody decided in time') : `a person denied it${words}`;
  }
  return 'nobody decided about it before the goal went on. Ask again if it is still needed';
}

const refusedBecause = (reason: string): ToolResult => ({
  outcome: 'refused',
  text: `Not run: ${reason}.`,
  receipt: { reason: reason.slice(0, 2000) },
});
