import type { ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession } from '../session.ts';
import { watchGoal } from '../watch-goal.ts';

export interface WatchFlags extends CommonOptions {
  readonly plain?: boolean;
}

export async function watch(goal: string, options: WatchFlags): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, goal);
  return watchGoal(session, goalId, {
    showsEventsAsJson: session.isJson,
    isPlain: options.plain === true,
  });
}
