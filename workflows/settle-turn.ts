import { ActivityFailure, patched } from '@temporalio/workflow';
import type { SliceResult } from '../src/contract/activities.ts';
import type { Evidence } from '../src/contract/evidence.ts';
import type { Away } from '../src/contract/reviewer-away.ts';
import type { TurnFacts } from '../src/contract/turn-facts.ts';
import { noUsage } from '../src/goal/budget/budget.ts';
import { decide, needsEvidence } from '../src/goal/decision/decide.ts';
import { decisionInput } from '../src/goal/decision/decision-input.ts';
import type { GoalEffects } from './effects.ts';
import { isSuperseded } from './failures.ts';
import { inWorkspace } from './in-workspace.ts';
import { ASKS_ON_YIELD, CONFIRM_EVIDENCE, REVIEW_UNPAID, REVIEWER_AWAY } from './patches.ts';
import { retryProvider, reviewerFailure } from './provider-retry.ts';
import { adopt, isClosed, type Session } from './session.ts';

/** State of a turn that isn't settled yet. */
interface Unsettled {
  readonly facts: TurnFacts;
  /** Counts the steps below, so that each gate has a number and runs of its own. */
  readonly round: number;
  /** Others wrote after the gate's last look, once; a second time is a finding. */
  readonly wasDisturbed: boolean;
}

type Deciding = Unsettled & { readonly step: 'decide'; readonly evidence: Evidence | null };
type Gathering = Unsettled & { readonly step: 'gather' };

/** Step of a settlement; `done`: the turn is recorded, or the goal waits for a provider. */
type Settlement = Deciding | Gathering | { readonly step: 'done' };

const DONE = { step: 'done' } as const;

interface SettleContext {
  readonly session: Session;
  readonly effects: GoalEffects;
  readonly usage: SliceResult['usage'];
}

/**
 * Decides what a finished turn leads to, and records it. Evidence is gathered only when a rule
 * needs it, and outside of the mutex, so that a person can pause meanwhile; the decision is taken
 * in the mutex, with one short look whether the workspace is still what was checked.
 */
export async function settleTurn(
  session: Session,
  effects: GoalEffects,
  { facts, usage }: SliceResult,
): Promise<void> {
  const context = { session, effects, usage };
  let here: Settlement = { step: 'decide', facts, evidence: null, round: 1, wasDisturbed: false };
  while (here.step !== 'done') here = await takeStep(context, here);
}

function takeStep(context: SettleContext, here: Deciding | Gathering): Promise<Settlement> {
  if (here.step === 'gather') return gatherEvidence(context, here);
  return context.session.mutex.run(() => decideAndRecord(context, here));
}

/** In the mutex: nobody else changes the goal between the decision and its commit. */
async function decideAndRecord(
  { session, effects, usage }: SettleContext,
  here: Deciding,
): Promise<Settlement> {
  const { state, execution } = session;
  if (state === null || session.isSuperseded) return DONE;
  const { facts, evidence } = here;
  const now = new Date().toISOString();
  const settling = { facts, evidence, usage: usage ?? noUsage, now, ...onYield(here) };
  const input = decisionInput(state, settling);
  if (needsEvidence(input)) return { ...here, step: 'gather' };
  const decision = decide(input);
  if (decision.outcome.action === 'complete' && evidence !== null) {
    const paths = await concurrentWrites(effects, execution.goalId, evidence);
    if (paths.length > 0) return afterWrites(here, evidence, paths);
  }
  const settled = await effects.commit.recordTurn(execution, {
    commitId: `turn-${facts.turn}`,
    expectedRevision: state.revision,
    decision,
    ...settling,
  });
  if (settled === null) return afterNews(here);
  adopt(session, settled);
  return DONE;
}

/** Only where it makes a difference: the id stands in the history of such goals alone. */
function onYield({ facts, evidence }: Deciding): { asksOnYield?: true } {
  const isWeakened = facts.end === 'yield' && (evidence?.weakened.length ?? 0) > 0;
  return isWeakened && patched(ASKS_ON_YIELD) ? { asksOnYield: true } : {};
}

/** Paths that others wrote between the gate's last look and now. */
async function concurrentWrites(
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

/**
 * Treats a second disturbance as a finding; files that change all the time would loop otherwise.
 */
function afterWrites(here: Deciding, seen: Evidence, moved: readonly string[]): Settlement {
  const evidence = here.wasDisturbed ? { ...seen, moved } : null;
  return { ...here, evidence, wasDisturbed: true, round: here.round + 1 };
}

/** Decides again: the commit found newer files, criteria or messages than the decision. */
function afterNews(here: Deciding): Settlement {
  if (here.evidence !== null) return { ...here, step: 'gather' };
  const unread = Math.max(1, here.facts.unread);
  return { ...here, facts: { ...here.facts, unread }, round: here.round + 1 };
}

async function gatherEvidence(
  { session, effects }: SettleContext,
  { round, ...here }: Gathering,
): Promise<Settlement> {
  const again = { ...here, step: 'decide', round: round + 1, evidence: null } as const;
  const checked = await inWorkspace(session, () =>
    effects.gate.checkEvidence({ ...session.execution, turn: here.facts.turn, gate: round }),
  );
  if (checked === 'cancelled') return again;
  const { evidence, unread, programs, amended, delegates, unpaid, away, altered } = checked;
  const facts = {
    ...here.facts,
    unread,
    ...(programs === undefined ? {} : { programs }),
    ...(amended === undefined ? {} : { amended }),
    ...(delegates === undefined ? {} : { delegates }),
  };
  // No older history has such a look.
  if (altered !== undefined) {
    return { ...again, facts: { ...facts, end: 'record_altered', detail: altered } };
  }
  if (unpaid !== undefined && patched(REVIEW_UNPAID)) {
    return { ...again, facts: { ...facts, end: 'budget', limit: unpaid }, evidence };
  }
  const found = { ...again, facts, evidence };
  if (away === undefined || !patched(REVIEWER_AWAY)) return found;
  // A person's action takes precedence over any wait.
  if (facts.unread > 0 || isClosed(session)) return found;
  const isRetried = await retryProvider(session, effects, reviewerFailure(facts, away));
  if (!isRetried) return { ...found, facts: failedBy(facts, away) };
  return isClosed(session) ? found : DONE;
}

/** The provider failed the gate before its end; that refuses nothing. */
const failedBy = (facts: TurnFacts, { provider }: Away): TurnFacts => ({
  ...facts,
  end: 'provider_error',
  provider,
  detail: provider.message,
});
