import type { ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession } from '../session.ts';
import { watchGoal } from '../watch-goal.ts';

export async function watch(goal: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, goal);
  return watchGoal(session, goalId, { showsEventsAsJson: session.isJson });
}
