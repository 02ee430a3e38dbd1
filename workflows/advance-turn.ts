import type { SliceResult } from '../src/contract/activities.ts';
import { emptyTurnFacts } from '../src/goal/decision/empty-turn-facts.ts';
import { beginWait } from './commits.ts';
import type { GoalEffects } from './effects.ts';
import { isUnserved } from './failures.ts';
import { inWorkspace } from './in-workspace.ts';
import { sessionWait, workerWait, workspaceWait } from './own-waits.ts';
import { modelFailure, retryProvider, reviewerCallKey } from './provider-retry.ts';
import { adopt, isClosed, type Session } from './session.ts';
import { settleTurn } from './settle-turn.ts';

/** One slice of the open turn, or of the next one; then the turn goes on, waits or settles. */
export async function advanceTurn(session: Session, effects: GoalEffects): Promise<void> {
  const { state, execution } = session;
  if (state === null) return;
  const turn = state.isTurnOpen ? state.turn : state.turn + 1;
  const { next: kind, claim } = state.chart.context;
  let slice: SliceResult | 'cancelled';
  try {
    slice = await inWorkspace(session, () =>
      effects.workspace.runTurn({ ...execution, turn, kind, claim }),
    );
  } catch (error) {
    if (!isUnserved(error)) throw error;
    return await beginWait(session, effects, workerWait(state.taskQueue));
  }
  // A closed goal's slice whose worker never came back yields no facts.
  const unseen = () => emptyTurnFacts(turn, kind, state.mode, 'interrupted');
  await followSlice(
    session,
    effects,
    slice === 'cancelled' ? { facts: unseen(), usage: null } : slice,
  );
}

async function followSlice(
  session: Session,
  effects: GoalEffects,
  slice: SliceResult,
): Promise<void> {
  const { facts, settled } = slice;
  if (settled !== undefined) {
    session.providerRetries = 0;
    return adopt(session, settled);
  }
  // The goal was closed meanwhile: the turn settles, whatever the slice returned, and releases its
  // lease.
  if (isClosed(session)) return await settleTurn(session, effects, slice);
  if (facts.end === 'slice_cap' || facts.end === 'shutdown') return;
  if (facts.end === 'workspace_busy') {
    return await beginWait(session, effects, workspaceWait(facts.detail ?? ''));
  }
  // No older history has such a slice: only external goals do.
  if (facts.end === 'session') return await beginWait(session, effects, sessionWait());
  const failure = modelFailure(facts);
  if (failure !== null && (await retryProvider(session, effects, failure))) return;
  if (session.failedCall !== reviewerCallKey(facts)) session.providerRetries = 0;
  await settleTurn(session, effects, slice);
}
