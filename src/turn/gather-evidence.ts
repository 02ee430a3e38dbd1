import type { Checked, GateInput } from '../../activities/check-evidence.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import { weakenedBasis } from '../goal/basis.ts';
import { Closed } from '../goal/errors.ts';
import type { CriterionEvidence, Evidence } from '../goal/facts.ts';
import { fingerprintDigest, takeFingerprint } from '../tools/fingerprint.ts';
import { type Attempt, openAttempt } from './attempt.ts';
import { readBasis } from './basis.ts';
import type { GoalBrief } from './ports.ts';
import type { TurnPorts } from './ports-of-turn.ts';
import { runCheck } from './run-check.ts';

/** Runs again when files moved under the first round: somebody else was writing. */
const ROUNDS = 2;

/** The host's own look at every criterion, with runs of this very gate. */
export async function gatherEvidence(
  ports: TurnPorts,
  input: GateInput,
  activitySignal: AbortSignal,
  scheduledAt: number,
): Promise<Checked> {
  const entry = ports.running.enter(input.goalId, activitySignal);
  try {
    const attempt = await openAttempt(ports, input, scheduledAt);
    const evidence = await gatherUnder(ports, input, attempt, entry.signal).finally(() =>
      attempt.effects.close(),
    );
    return { evidence, unread: await ports.journal.unread(input.goalId) };
  } catch (error) {
    if (!(error instanceof Closed) && !entry.signal.aborted) throw error;
    return { evidence: null, unread: await ports.journal.unread(input.goalId) };
  } finally {
    entry.leave();
  }
}

async function gatherUnder(
  ports: TurnPorts,
  input: GateInput,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Evidence> {
  const brief = await ports.journal.brief(input.goalId);
  const { path } = brief.workspace;
  let before = fingerprintDigest(await takeFingerprint(path));
  for (let round = 1; ; round += 1) {
    const weakened = weakenedBasis(brief.baseline?.basis ?? {}, await readBasis(path));
    const criteria: CriterionEvidence[] = [];
    for (const criterion of brief.criteria) {
      criteria.push(await look(ports, input, attempt, brief, criterion, round, signal));
      signal.throwIfAborted();
    }
    const after = fingerprintDigest(await takeFingerprint(path));
    if (after !== before && round < ROUNDS) {
      before = after;
      continue;
    }
    return {
      criteria,
      criteriaRevision: brief.criteriaRevision,
      writeSeq: brief.workspace.writeSeq,
      fingerprint: after,
      weakened,
    };
  }
}

async function look(
  ports: TurnPorts,
  input: GateInput,
  attempt: Attempt,
  brief: GoalBrief,
  { criterionId, spec }: TrackedCriterion,
  round: number,
  signal: AbortSignal,
): Promise<CriterionEvidence> {
  const baseline = brief.baseline?.states[criterionId] ?? 'not_run';
  if (spec.kind !== 'command') {
    const reason = `criteria of the kind ${spec.kind} are not checked by this version`;
    return { criterionId, state: 'unmet', baseline, isHostChecked: false, reason, receipts: [] };
  }
  const callId = `gate.t${input.turn}.${attempt.fence.token}.${round}.${criterionId}`;
  const check = { criterionId, spec, origin: 'gate' as const, callId, turn: input.turn };
  const { isMet, reason, row } = await runCheck(
    ports,
    attempt,
    brief.workspace.path,
    check,
    signal,
  );
  return {
    criterionId,
    state: isMet ? 'met' : 'unmet',
    baseline,
    isHostChecked: true,
    reason: reason.slice(0, 700),
    receipts: [row.seq],
  };
}
