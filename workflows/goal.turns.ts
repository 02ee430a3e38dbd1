import { ActivityFailure, CancellationScope, isCancellation, patched } from '@temporalio/workflow';
import type { SliceResult } from '../src/contract/activities.ts';
import type { Evidence } from '../src/contract/evidence.ts';
import type { Away } from '../src/contract/reviewer-away.ts';
import type { TurnFacts } from '../src/contract/turn-facts.ts';
import { noUsage } from '../src/goal/budget/budget.ts';
import { isOpen } from '../src/goal/chart/view.ts';
import { decide } from '../src/goal/decision/decide.ts';
import { decisionInput } from '../src/goal/decision/decision-input.ts';
import { interruptedFacts } from '../src/goal/decision/interrupted.ts';
import { type GoalEffects, isSuperseded, isUnserved } from './goal.effects.ts';
import { adopt, type Session } from './goal.session.ts';
import { gateOf, troubleAtGate, troubleOf, tryAgain } from './goal.trouble.ts';
import { commitWait, waitForAnyWorker, waitForWorkspace } from './goal.waits.ts';
import { CONFIRM_EVIDENCE, REVIEW_UNPAID, REVIEWER_AWAY } from './patches.ts';

/** Completions that files in motion stopped, after which the claim is refused. */
const MOST_MOVES = 2;

/** Runs work in the workspace that {@link adopt} cancels when the goal closes. */
async function inWorkspace<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result | 'cancelled'> {
  const scope = new CancellationScope({ cancellable: true });
  session.work = { scope, kind: session.state?.chart.context.next ?? 'start' };
  try {
    return await scope.run(work);
  } catch (error) {
    // The server doesn't retry a cancelled activity whose worker died: that ends it as well.
    const hasEnded = scope.consideredCancelled && error instanceof ActivityFailure;
    if (isCancellation(error) || (hasEnded && !isSuperseded(error))) return 'cancelled';
    throw error;
  } finally {
    session.work = null;
  }
}

/** One slice of the open turn, or of the next one; then the turn goes on, waits or settles. */
export async function runSlice(session: Session, effects: GoalEffects): Promise<void> {
  const { state, execution } = session;
  if (state === null) return;
  const turn = state.isTurnOpen ? state.turn : state.turn + 1;
  const { next: kind, claim } = state.chart.context;
  let result: SliceResult;
  try {
    const slice = await inWorkspace(session, () =>
      effects.workspace.runTurn({ ...execution, turn, kind, claim }),
    );
    result =
      slice === 'cancelled'
        ? { facts: interruptedFacts(turn, kind, state.mode), usage: null }
        : slice;
  } catch (error) {
    if (!isUnserved(error)) throw error;
    return await commitWait(session, effects, waitForAnyWorker(state.taskQueue));
  }
  await follow(session, effects, result);
}

async function follow(session: Session, effects: GoalEffects, result: SliceResult): Promise<void> {
  const { facts } = result;
  // Closed meanwhile: the turn ends here, whatever the slice came back for, and gives its lease back.
  if (isClosed(session)) {
    return await settle(session, effects, result);
  }
  if (facts.end === 'slice_cap' || facts.end === 'shutdown') return;
  if (facts.end === 'workspace_busy') {
    return await commitWait(session, effects, waitForWorkspace(facts.detail ?? ''));
  }
  const trouble = troubleOf(facts);
  if (trouble !== null && (await tryAgain(session, effects, trouble))) return;
  if (session.troubleAt !== gateOf(facts)) session.providerRetries = 0;
  await settle(session, effects, result);
}

/**
 * Decides what a finished turn leads to, gathering evidence only when a rule needs it. Evidence is
 * gathered outside of the turnstile, so that a person can pause meanwhile; the decision is taken
 * again on what is true then.
 */
async function settle(session: Session, effects: GoalEffects, result: SliceResult): Promise<void> {
  let facts: TurnFacts = result.facts;
  let evidence: Evidence | null = null;
  let moves = 0;
  for (let gate = 1; !session.isSuperseded; gate += 1) {
    const verdict = await session.turnstile.run(() =>
      conclude(session, effects, result, facts, evidence),
    );
    if (verdict === 'settled') return;
    if (verdict === 'unread') {
      facts = { ...facts, unread: Math.max(1, facts.unread) };
      continue;
    }
    if (typeof verdict === 'object') {
      moves += 1;
      // The second time it is a finding like any other, or files that never rest would loop.
      evidence = moves < MOST_MOVES ? null : { ...verdict.evidence, moved: verdict.moved };
      continue;
    }
    const checked = await inWorkspace(session, () =>
      effects.gate.checkEvidence({ ...session.execution, turn: facts.turn, gate }),
    );
    if (checked === 'cancelled') {
      evidence = null;
      continue;
    }
    evidence = checked.evidence;
    const { unread, delegates } = checked;
    facts = { ...facts, unread, ...(delegates === undefined ? {} : { delegates }) };
    if (checked.unpaid !== undefined && patched(REVIEW_UNPAID)) {
      facts = { ...facts, end: 'budget', limit: checked.unpaid };
      continue;
    }
    if (checked.away === undefined || !patched(REVIEWER_AWAY)) continue;
    // Whatever a person did meanwhile decides before anything is waited for.
    if (facts.unread > 0 || isClosed(session)) continue;
    const isTaken = await tryAgain(session, effects, troubleAtGate(facts, checked.away));
    if (isTaken && !isClosed(session)) return;
    if (!isTaken) facts = failedBy(facts, checked.away);
  }
}

const isClosed = ({ state }: Session): boolean => state !== null && !isOpen(state.chart);

/** The gate never came to its end, which is nobody's refusal. */
const failedBy = (facts: TurnFacts, { provider }: Away): TurnFacts => ({
  ...facts,
  end: 'provider_error',
  provider,
  detail: provider.message,
});

interface Moved {
  readonly evidence: Evidence;
  readonly moved: readonly string[];
}

/** What others wrote between the gate's last look and now. */
async function movedSince(
  effects: GoalEffects,
  goalId: string,
  { fingerprint, lookedAt }: Evidence,
): Promise<readonly string[]> {
  if (lookedAt === undefined || !patched(CONFIRM_EVIDENCE)) return [];
  try {
    return await effects.confirm.confirmEvidence({ goalId, fingerprint, lookedAt });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isSuperseded(error)) throw error;
    return ['the workspace, which nobody could look at again'];
  }
}

async function conclude(
  session: Session,
  effects: GoalEffects,
  { usage }: SliceResult,
  facts: TurnFacts,
  evidence: Evidence | null,
): Promise<'settled' | 'needs evidence' | 'unread' | Moved> {
  const { state, execution } = session;
  if (state === null || session.isSuperseded) return 'settled';
  const settling = { facts, evidence, usage: usage ?? noUsage, now: new Date().toISOString() };
  const decision = decide(decisionInput(state, settling));
  if ('needs' in decision) return 'needs evidence';
  if (decision.outcome.action === 'complete' && evidence !== null) {
    const moved = await movedSince(effects, execution.goalId, evidence);
    if (moved.length > 0) return { evidence, moved };
  }
  const settled = await effects.commit.recordTurn(execution, {
    commitId: `turn-${facts.turn}`,
    expectedRevision: state.revision,
    decision,
    ...settling,
  });
  if (settled === null) return evidence === null ? 'unread' : 'needs evidence';
  adopt(session, settled);
  return 'settled';
}
