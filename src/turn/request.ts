import { buildRequest } from '../context/context.ts';
import type { SliceRun } from './slice-run.ts';

/** Input of the next request, as the record has it now. */
export function requestGround(run: SliceRun) {
  return {
    brief: { ...run.brief, todos: run.todos, plan: run.plan, usage: run.usage },
    kind: run.kind,
    messages: run.messages,
    compaction: run.compaction,
    tools: run.ports.tools.declarations(run.brief.mode),
    model: run.ports.model,
    hostMark: run.ports.hostMark?.(run.input.goalId),
  };
}

export const requestOf = (run: SliceRun) => buildRequest(requestGround(run));

/**
 * Reads the conversation from the record again: it includes messages of others and equals what a
 * restart would read.
 */
export async function readConversation(run: SliceRun): Promise<void> {
  const { compaction, messages } = await run.ports.journal.conversation(run.input.goalId);
  run.compaction = compaction;
  run.messages.splice(0, run.messages.length, ...messages);
}

export async function takeSteering(run: SliceRun): Promise<void> {
  const { ports, attempt, input } = run;
  if ((await ports.journal.takeSteering(attempt.fence, input.turn)) > 0) {
    await readConversation(run);
  }
}
