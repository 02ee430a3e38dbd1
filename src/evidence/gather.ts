import { type Attempt, openAttempt } from '../attempt/attempt.ts';
import { inboxCounts } from '../attempt/inbox-counts.ts';
import type { CheckEvidenceInput, Checked } from '../contract/activities.ts';
import type { CriterionEvidence, Evidence } from '../contract/evidence.ts';
import { Closed, RecordAltered } from '../contract/failures.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import { ReviewerAway, ReviewUnpaid } from '../contract/reviewer-away.ts';
import { needsAnotherRound, writtenByOthers } from '../proof/concurrent-writes.ts';
import { watchedPaths } from '../proof/watched-paths.ts';
import { sweepScratch } from '../workspace/scratch.ts';
import { watchWorkspace } from '../workspace/watch.ts';
import type { GateRun } from './criterion-check.ts';
import type { EvidencePorts } from './evidence-ports.ts';
import { ownWritesIn } from './own-writes.ts';
import { judgeProof } from './proof/judge.ts';
import { judgeRequirements } from './requirements.ts';
import { runRound } from './round.ts';
import { postponedSealed } from './sealed/judge.ts';
import { shortened, shownPaths } from './shorten.ts';

/** Most rounds of a gate: it repeats a round when files changed during the first one. */
const ROUNDS = 2;

/** Checks every criterion as the host, with runs of this gate only. */
export async function gatherEvidence(
  ports: EvidencePorts,
  input: CheckEvidenceInput,
  activitySignal: AbortSignal,
  scheduledAt: number,
): Promise<Checked> {
  const entry = ports.running.enter(input.goalId, activitySignal);
  try {
    const attempt = await openAttempt(ports, input, scheduledAt);
    await sweepScratch();
    const evidence = await gatherUnder(ports, input, attempt, entry.signal).finally(() =>
      attempt.effects.close(),
    );
    return { evidence, ...(await inboxCounts(ports, input.goalId)) };
  } catch (error) {
    const why = whyUnjudged(error);
    if (why === null && !(error instanceof Closed) && !entry.signal.aborted) throw error;
    return { evidence: null, ...(await inboxCounts(ports, input.goalId)), ...why };
  } finally {
    entry.leave();
  }
}

function whyUnjudged(error: unknown): Pick<Checked, 'away' | 'unpaid' | 'altered'> | null {
  if (error instanceof RecordAltered) return { altered: error.message };
  if (error instanceof ReviewerAway) return { away: error.away };
  return error instanceof ReviewUnpaid ? { unpaid: error.limit } : null;
}

async function gatherUnder(
  ports: EvidencePorts,
  input: CheckEvidenceInput,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Evidence> {
  const brief = judgedNow(await ports.journal.brief(input.goalId));
  let receipts = await ports.journal.receipts(input.goalId);
  const known = ownWritesIn(receipts);
  for (let round = 1; ; round += 1) {
    const watch = await watchWorkspace(brief.workspace.path, watchedPaths(brief.criteria));
    const writes = () => ({ foreign: [...watch.foreign], own: watch.own });
    const isRepeated = () => round < ROUNDS && needsAnotherRound(writes(), known);
    const look = { round, watch, receipts };
    const gate = { ports, input, attempt, brief, signal, ...look };
    const criteria = await runRound(gate);
    if (round === ROUNDS) return await evidenceOf(gate, criteria, writtenByOthers(writes(), known));
    if (!isRepeated()) return await evidenceOf(gate, criteria, []);
    for (const path of watch.own.flatMap(({ paths }) => paths)) known.add(path);
    receipts = await ports.journal.receipts(input.goalId);
  }
}

/** Criteria and requirements of a plan are for the work, of which nothing is done yet. */
const judgedNow = (brief: GoalBrief): GoalBrief =>
  brief.mode === 'plan' ? { ...brief, criteria: [], requirements: [] } : brief;

async function evidenceOf(
  gate: GateRun,
  criteria: readonly CriterionEvidence[],
  moved: readonly string[],
): Promise<Evidence> {
  const { brief, watch } = gate;
  // Files that move are refused in any case.
  const judged = moved.length === 0 ? await judgeProof(gate, criteria) : { criteria, weakened: [] };
  const all = [...judged.criteria, ...postponedSealed(gate, judged.criteria)];
  const requirements = await judgeRequirements(gate, all);
  return {
    criteriaRevision: brief.criteriaRevision,
    writeSeq: brief.workspace.writeSeq,
    fingerprint: watch.digest(),
    lookedAt: watch.lookedAt(),
    ...judged,
    criteria: shortened(all),
    ...(requirements === undefined ? {} : { requirements }),
    ...(moved.length === 0 ? {} : { moved: shownPaths(moved) }),
  };
}
