import type { Checked, GateInput } from '../../activities/check-evidence.ts';
import { Closed } from '../goal/errors.ts';
import type { CriterionEvidence, Evidence } from '../goal/facts.ts';
import { fingerprintDigest, takeFingerprint } from '../tools/fingerprint.ts';
import { type Attempt, openAttempt } from '../turn/attempt.ts';
import type { TurnPorts } from '../turn/ports-of-turn.ts';
import { judgeBasis } from './basis/judge.ts';
import { checkCriterion } from './criteria/all.ts';

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
    const gate = { ports, input, attempt, brief, round, signal, reports: new Map() };
    const found: CriterionEvidence[] = [];
    for (const criterion of brief.criteria) {
      found.push(await checkCriterion(gate, criterion));
      signal.throwIfAborted();
    }
    const judged = await judgeBasis(gate, found);
    const after = fingerprintDigest(await takeFingerprint(path));
    if (after !== before && round < ROUNDS) {
      before = after;
      continue;
    }
    return {
      criteriaRevision: brief.criteriaRevision,
      writeSeq: brief.workspace.writeSeq,
      fingerprint: after,
      ...judged,
    };
  }
}
