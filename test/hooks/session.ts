import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { HookAnswer } from '../../src/cli/hooks/answer.ts';
import { compiled } from '../support/compiled.ts';

const entry = compiled('src/cli/main.ts');

export interface Ran {
  readonly exitCode: number | null;
  /** That ended it. */
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A command of a group of its own, as a shell starts it. */
export interface Begun {
  readonly ran: Promise<Ran>;
  /** Sends the signal to it and to all that it started, as a terminal does with Ctrl-C. */
  interrupt(signal: NodeJS.Signals): void;
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
  /** A stop whose answer the session may not live to see. */
  beginStop(words: string): Begun;
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
  const begin = (event: string, more: object, grows: boolean): Begun => {
    if (grows) appendFileSync(transcript_path, '{}\n');
    const input = { session_id: id, transcript_path, cwd, hook_event_name: event, ...more };
    return beginGoalkeeper(['hook', 'run', 'claude', ...args], {
      ...{ environment, cwd },
      input: JSON.stringify(input),
    });
  };
  const hook: Session['hook'] = async (event, more = {}, grows = true) => {
    const ran = await begin(event, more, grows).ran;
    const answer = ran.out === '' ? null : (JSON.parse(ran.out) as HookAnswer);
    return { ...ran, answer };
  };
  const stopped = (words: string) => ({
    stop_hook_active: blocks > 0,
    last_assistant_message: words,
  });
  return {
    id,
    hook,
    async stop(words = 'Done.', grows = true) {
      const answered = await hook('Stop', stopped(words), grows);
      blocks = answered.answer?.decision === 'block' ? blocks + 1 : 0;
      return answered;
    },
    beginStop: (words) => begin('Stop', stopped(words), true),
  };
}

interface Asked {
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** The real command line in a process of its own. */
export const goalkeeper = (args: readonly string[], asked: Asked): Promise<Ran> =>
  beginGoalkeeper(args, asked).ran;

function beginGoalkeeper(args: readonly string[], { environment, input = '', cwd }: Asked): Begun {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env.PATH ?? '', GOALKEEPER_HOME: '/nonexistent', ...environment },
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  // One that has ended reads no input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const closed = new Promise<Pick<Ran, 'exitCode' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const ran = Promise.all([text(child.stdout), text(child.stderr), closed]).then(
    ([out, err, end]) => ({ ...end, out, err }),
  );
  return {
    ran,
    interrupt: (signal) => void process.kill(-(child.pid ?? Number.NaN), signal),
  };
}
