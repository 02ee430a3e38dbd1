import type { Goal } from '../../schema/goal.ts';
import { decisionText } from './decision-text.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code.ts';
import { followGoal } from './follow.ts';
import { goalText } from './goal-text.ts';
import { nextStep } from './next-step.ts';
import { NARROWEST } from './screen/look.ts';
import { processScreen } from './screen/port.ts';
import { resultLook } from './screen/result-look.ts';
import { print, type Session } from './session.ts';
import { isAscii } from './terminal.ts';
import { plainProgress } from './watch/plain-progress.ts';
import type { Progress } from './watch/progress.ts';
import { screenProgress } from './watch/screen-progress.ts';

export interface WatchOptions {
  readonly showsEventsAsJson?: boolean;
  /** Lines one after another, also at a terminal. */
  readonly isPlain?: boolean;
}

/**
 * Shows the goal's progress on stderr until it rests, then the goal on stdout. An interrupt ends
 * the watching, never the goal.
 */
export async function watchGoal(
  session: Session,
  goalId: string,
  options: WatchOptions = {},
): Promise<ExitCode> {
  const { client, terminal } = session;
  const leaving = new AbortController();
  const interrupt = () => leaving.abort();
  const progress = progressOf(session, goalId, options, interrupt);
  const tellWho = tellOnceWhoIsAwaited(progress);
  const isJson = options.showsEventsAsJson === true;
  process.once('SIGINT', interrupt);
  try {
    const goal = await followGoal(client, {
      goalId,
      signal: leaving.signal,
      onEvent: (event) => {
        if (isJson) return terminal.out(JSON.stringify(event));
        progress.hear(event);
      },
      onPassing: (event) => {
        if (!isJson) progress.hearPassing(event);
      },
      onCaughtUp: (goal) => {
        progress.caughtUp(goal);
        tellWho(goal);
      },
      onAway: () => progress.away(),
      staysFor: (goal) => progress.staysFor?.(goal) === true,
    });
    progress.caughtUp(goal);
    await progress.told();
    progress.close();
    const asked = session.isJson ? '' : await decisionText(client, goal);
    print(session, goal, () => goalText(goal, resultLook()) + asked);
    tellWhatIsNext(session, goal);
    return exitCodeOf(goal);
  } catch (error) {
    progress.close();
    if (!leaving.signal.aborted) throw error;
    // Two lines: neither command is broken at 60 columns.
    terminal.err(
      `the goal goes on; "goalkeeper watch ${goalId}" comes back,\n"goalkeeper pause ${goalId}" stops it`,
    );
    return EXIT.interrupted;
  } finally {
    progress.close();
    process.removeListener('SIGINT', interrupt);
  }
}

/** A screen where there is one to draw on, else lines. */
function progressOf(
  session: Session,
  goalId: string,
  { isPlain = false }: WatchOptions,
  leave: () => void,
): Progress {
  const { terminal, client, isJson } = session;
  const isLines = isPlain || isJson || !terminal.hasScreen;
  const screen = isLines ? null : processScreen(isAscii(), NARROWEST);
  if (screen === null) return plainProgress(client, goalId, terminal);
  return screenProgress(session, screen, goalId, leave);
}

/** A goal that waits for a person or a worker stays active, so its status doesn't show the wait. */
function tellOnceWhoIsAwaited(progress: Progress): (goal: Goal) => void {
  let told = '';
  return ({ goalId, activity }) => {
    const { actor, on, reason, since } = activity;
    if ((actor !== 'You' && actor !== 'Worker') || since === told) return;
    told = since;
    const help = on === 'approval' ? `approvals ${goalId}` : `show ${goalId}`;
    const command = actor === 'Worker' ? 'worker' : help;
    progress.awaits(`${reason}: goalkeeper ${command}`);
  };
}

function tellWhatIsNext({ terminal }: Session, goal: Goal): void {
  const next = nextStep(goal);
  if (next !== null) terminal.err(terminal.paint.notable(next));
}
