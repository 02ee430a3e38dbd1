import { ActivityFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import { isSuperseded } from './failures.ts';
import type { Session } from './session.ts';

/** Runs work in the workspace that `adopt` cancels when the goal closes. */
export async function inWorkspace<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result | 'cancelled'> {
  const scope = new CancellationScope({ cancellable: true });
  session.work = { scope, kind: session.state?.chart.context.next ?? 'start' };
  try {
    return await scope.run(work);
  } catch (error) {
    // The server doesn't retry a cancelled activity whose worker died, so its failure counts as the
    // end.
    const hasEnded = scope.consideredCancelled && error instanceof ActivityFailure;
    if (isCancellation(error) || (hasEnded && !isSuperseded(error))) return 'cancelled';
    throw error;
  } finally {
    session.work = null;
  }
}
