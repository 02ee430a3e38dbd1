import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { z } from 'zod';

const text = z.string().nullish();

/** What Claude Code and Codex tell a hook on its input; further fields are theirs alone. */
export const hookEventSchema = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().min(1).max(200),
  cwd: z.string().min(1),
  transcript_path: text,
  stop_hook_active: z.boolean().nullish(),
  last_assistant_message: text,
  prompt: text,
  /** Of a session's start: `startup`, `resume`, `clear` or `compact`. */
  source: text,
  tool_name: text,
  tool_use_id: text,
  tool_input: z.unknown().optional(),
  tool_response: z.unknown().optional(),
});

export type HookEvent = z.infer<typeof hookEventSchema>;

/**
 * The same for an event that is told again. Its transcript tells two stops with the same words
 * apart; without one nothing does, and each counts as new.
 */
export function eventKey(event: HookEvent): string {
  const length = transcriptLength(event.transcript_path ?? null);
  if (length === null) return `hook-${randomUUID()}`;
  const { hook_event_name, session_id, last_assistant_message, prompt, stop_hook_active } = event;
  const said = [hook_event_name, session_id, last_assistant_message, prompt, stop_hook_active];
  const hash = createHash('sha256').update(JSON.stringify([...said, length]));
  return `hook-${hash.digest('hex')}`;
}

function transcriptLength(path: string | null): number | null {
  if (path === null) return null;
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
}
