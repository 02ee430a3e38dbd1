import { buildRequest } from '../context/context.ts';
import { showAttached, shownHashes } from '../context/shown-attachments.ts';
import { modelNow } from '../goal/waits/provider-policy.ts';
import type { SliceRun } from './slice-run.ts';

/** Input of the next request to a model, as the record has it now. */
export function requestGround(run: SliceRun, model = modelNow(run.brief, run.ports.now())) {
  const { contents, ports } = run;
  return {
    brief: { ...run.brief, todos: run.todos, plan: run.plan, usage: run.usage },
    kind: run.kind,
    messages: showAttached(run.messages, { contents, sight: ports.model.sees(model) }),
    compaction: run.compaction,
    tools: ports.tools.declarations(run.brief.mode),
    model: ports.model,
    hostMark: ports.hostMark?.(run.input.goalId),
  };
}

export const requestOf = (run: SliceRun, model: string) => buildRequest(requestGround(run, model));

/**
 * Reads the conversation from the record again: it includes messages of others and equals what a
 * restart would read.
 */
export async function readConversation(run: SliceRun): Promise<void> {
  const { compaction, messages } = await run.ports.journal.conversation(run.input.goalId);
  run.compaction = compaction;
  run.messages.splice(0, run.messages.length, ...messages);
  await readContents(run);
}

/** Reads contents of files that the next request may show: the same bytes in each attempt. */
export async function readContents(
  run: SliceRun,
  model = modelNow(run.brief, run.ports.now()),
): Promise<void> {
  const hashes = shownHashes(run.messages, run.ports.model.sees(model));
  for (const known of run.contents.keys()) if (!hashes.has(known)) run.contents.delete(known);
  const missing = [...hashes].filter((hash) => !run.contents.has(hash));
  if (missing.length === 0) return;
  const read = (await run.ports.attached?.read(run.input.goalId, missing)) ?? [];
  for (const [hash, content] of read) run.contents.set(hash, content);
}

export async function takeSteering(run: SliceRun): Promise<void> {
  const { ports, attempt, input } = run;
  await ports.journal.takeSteering(attempt.fence, input.turn);
  await readConversation(run);
}
