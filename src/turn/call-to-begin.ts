import type { RequestedCall } from '../contract/conversation.ts';
import type { CallStart } from '../contract/tool-call.ts';
import { judgeCall } from './judge-call.ts';
import { deniedBy } from './run-calls.ts';
import { type BegunCall, type SliceRun, stopped } from './slice-run.ts';

/**
 * The first call of an answer if it may begin in the commit of its step: it only reads, so a worker
 * that dies in between leaves nothing to clean up. Null for all others.
 */
export async function callToBegin(
  run: SliceRun,
  step: number,
  call: RequestedCall | undefined,
): Promise<(BegunCall & { readonly start: CallStart }) | null> {
  if (call === undefined || stopped(run) !== null) return null;
  const tool = run.ports.tools.find(call.tool);
  if (tool?.effect !== 'read' || tool.isLifecycle || tool.endsTurn) return null;
  const parsed = await run.ports.tools.parse(call.tool, call.input);
  if (!parsed.ok || deniedBy(run, tool) !== null) return null;
  const verdict = await judgeCall(run, tool, parsed.args);
  if (verdict.decision !== 'allow') return null;
  const { callId } = call;
  const place = { callId, turn: run.input.turn, step };
  const start = { ...place, tool: tool.name, effect: tool.effect, arguments: parsed.args };
  return { callId, verdict, start };
}
