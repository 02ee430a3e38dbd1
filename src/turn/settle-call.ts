import type { Attached, JudgedAttachment } from '../contract/attachments.ts';
import type { RequestedCall } from '../contract/conversation.ts';
import type { CallEnd } from '../contract/tool-call.ts';
import { hostNote, withoutMark } from '../model/host-mark.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { effectOf } from './begun-call.ts';
import type { SliceRun } from './slice-run.ts';

/** A call of an agent's has no provider: it leaves no message in the conversation. */
type SettledCall = Omit<RequestedCall, 'providerId'> & { readonly providerId: string | null };

/** Journals the end of a call, and adds its result to what the slice knows. */
export async function settle(
  run: SliceRun,
  call: SettledCall,
  tool: Tool | undefined,
  given: ToolResult,
  when: 'now' | 'may wait' = 'now',
): Promise<void> {
  const result = inHostsWords(given, run.ports.hostMark?.(run.input.goalId));
  const end = callEnd(run, call, tool, result);
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
  if (result.requirements !== undefined) await readRequirements(run);
  addToolMessage(run, call, result);
}

/** Rids a result of the host's mark, and adds what the host has to say of it. */
const inHostsWords = ({ notes = [], ...result }: ToolResult, mark?: string): ToolResult => ({
  ...result,
  text: withoutMark(result.text, mark) + notes.map((note) => hostNote(note, mark)).join(''),
});

/** Their ids are given where they are stored. */
async function readRequirements(run: SliceRun): Promise<void> {
  const { requirements = [] } = await run.ports.journal.brief(run.input.goalId);
  run.brief = { ...run.brief, requirements };
}

function callEnd(
  run: SliceRun,
  call: SettledCall,
  tool: Tool | undefined,
  result: ToolResult,
): CallEnd {
  const { outcome, receipt, text, output, todos, proposal, plan, delegate } = result;
  const { requirements, requirementChange, scopeProposal, images } = result;
  const { callId, providerId } = call;
  return {
    callId,
    turn: run.input.turn,
    step: run.step,
    tool: call.tool,
    effect: effectOf(run, call, tool),
    outcome,
    receipt: images === undefined ? receipt : { ...receipt, images: images.map(hashOf) },
    text,
    providerId,
    output,
    images,
    todos,
    proposal,
    requirements,
    requirementChange,
    scopeProposal,
    plan,
    delegate,
    wrote: result.wrote ?? false,
  };
}

const hashOf = ({ sha256 }: { readonly sha256: string }): string => sha256;

function addToolMessage(run: SliceRun, call: SettledCall, result: ToolResult): void {
  const { text, outcome, images = [] } = result;
  // As the record has them: the next request reads their contents from there.
  const files = images.length === 0 ? {} : { attachments: images.map(withoutContent) };
  const { callId, providerId, tool } = call;
  if (providerId === null) return;
  const { seq } = run.messages.at(-1) ?? { seq: 0 };
  run.messages.push({
    seq: seq + 1,
    turn: run.input.turn,
    step: run.step,
    voice: 'tool',
    content: { text, callId, providerId, tool, isError: outcome !== 'succeeded', ...files },
  });
}

const withoutContent = ({ content: _, ...ref }: JudgedAttachment): Attached => ref;

/**
 * True for the last call of a step if it only read: the next step settles it without an extra
 * commit.
 */
const isSettledByNextStep = ({ pending }: SliceRun, end: CallEnd): boolean =>
  end.effect === 'read' &&
  pending.length === 1 &&
  !end.wrote &&
  end.receipt.isolation === undefined &&
  [
    end.output,
    end.images,
    end.todos,
    end.plan,
    end.proposal,
    end.delegate,
    end.requirements,
    end.requirementChange,
    end.scopeProposal,
  ].every((more) => more === undefined);
