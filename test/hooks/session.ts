import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HookAnswer } from '../../src/cli/hooks/answer.ts';
import { compiled } from '../support/compiled.ts';

const entry = compiled('src/cli/main.ts');

interface Ran {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Answered extends Ran {
  /** Null: the hook has nothing to say, so the session does as it would. */
  readonly answer: HookAnswer | null;
}

/** A session of an agent, as its hooks see it: each event starts the real command. */
export interface Session {
  readonly id: string;
  /** @param more fields of the event; `grows: false` tells the same one again */
  hook(event: string, more?: object, grows?: boolean): Promise<Answered>;
  stop(words?: string, grows?: boolean): Promise<Answered>;
}

let sessions = 0;

export async function openSession(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Session> {
  sessions += 1;
  const id = `session-${sessions}`;
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-session-'));
  const transcript_path = join(folder, 'transcript.jsonl');
  writeFileSync(transcript_path, '{}\n');
  let blocks = 0;
  const hook: Session['hook'] = async (event, more = {}, grows = true) => {
    if (grows) appendFileSync(transcript_path, '{}\n');
    const input = { session_id: id, transcript_path, cwd, hook_event_name: event, ...more };
    const ran = await goalkeeper(['hook', 'run', 'claude', ...args], {
      environment,
      input: JSON.stringify(input),
    });
    const answer = ran.out === '' ? null : (JSON.parse(ran.out) as HookAnswer);
    return { ...ran, answer };
  };
  return {
    id,
    hook,
    async stop(words = 'Done.', grows = true) {
      const more = { stop_hook_active: blocks > 0, last_assistant_message: words };
      const answered = await hook('Stop', more, grows);
      blocks = answered.answer?.decision === 'block' ? blocks + 1 : 0;
      return answered;
    },
  };
}

/** The real command line in a process of its own. */
export async function goalkeeper(
  args: readonly string[],
  {
    environment,
    input = '',
    cwd,
  }: {
    readonly environment: Readonly<Record<string, string>>;
    readonly input?: string;
    readonly cwd?: string;
  },
): Promise<Ran> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env.PATH ?? '', GOALKEEPER_HOME: '/nonexistent', ...environment },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode, out, err };
}
