import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../client.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { failureOf } from '../failure.ts';
import { workspaceAround } from '../hooks/adopted-goal.ts';
import type { HookAnswer } from '../hooks/answer.ts';
import { answerEvent } from '../hooks/answer-event.ts';
import { type HookEvent, hookEventSchema } from '../hooks/event.ts';
import { findService } from '../service.ts';
import { printable } from '../terminal.ts';

/** Seconds that a hook may take: some less than what is written into the agent's settings. */
const STOP_SECONDS = 570;
const OTHER_SECONDS = 20;
/** Beyond its time an answer that is on its way is no longer waited for. */
const GRACE_MS = 5000;

/**
 * What the settings of Claude Code and Codex call. It never stands in the way of a session: whatever
 * goes wrong is a warning, and the exit code is 0.
 */
export async function hookRun({ within }: { readonly within?: number }): Promise<ExitCode> {
  try {
    const event = parse(await text(process.stdin));
    const workspace = workspaceAround(event.cwd);
    // Nothing is adopted here, so a service that is away concerns nobody.
    if (workspace === null) return EXIT.complete;
    const isStop = event.hook_event_name === 'Stop';
    const ms = (within ?? (isStop ? STOP_SECONDS : OTHER_SECONDS)) * 1000;
    const client = createClient(findService(process.env));
    const asked = { client, event, workspace, until: Date.now() + ms };
    const answer = await Promise.race([answerEvent(asked), late(ms + GRACE_MS)]);
    if (answer === LATE) {
      warn('the service did not answer in time; the session goes on without it.');
      process.exit(EXIT.complete);
    }
    if (answer !== null) print(answer);
  } catch (error) {
    const { what, wayOut } = failureOf(error);
    warn(`${what} ${wayOut}`);
  }
  return EXIT.complete;
}

const LATE = Symbol('late');

const late = (ms: number): Promise<typeof LATE> => pause(ms, LATE, { ref: false });

function parse(input: string): HookEvent {
  const found = hookEventSchema.safeParse(parsed(input));
  if (found.success) return found.data;
  throw new UsageError(
    'This is no hook event.',
    'It is called by the settings that "goalkeeper hook install" writes.',
  );
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return null;
  }
}

const print = (answer: HookAnswer): void =>
  void process.stdout.write(`${JSON.stringify(answer)}\n`);

const warn = (words: string): void =>
  void process.stderr.write(`goalkeeper: ${printable(words)}\n`);
