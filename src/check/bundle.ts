import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { GoalProofPredicate, ProofBase } from '../../schema/proof-bundle.ts';
import { checkPredicate } from '../attest/check-predicate.ts';
import type { Signer } from '../attest/dsse.ts';
import { writeBundle } from '../attest/statements.ts';
import type { CheckRecord } from './record.ts';

export interface ProvenCheck {
  readonly record: CheckRecord;
  readonly objective: string;
  readonly level: GoalProofPredicate['level'];
  readonly summary: string;
  readonly criteria: readonly TrackedCriterion[];
  readonly proof: GoalProof;
  readonly base: ProofBase;
  /** What `--accept` accepted, and on whose word. */
  readonly accepted: readonly string[];
  readonly startedAt: string;
}

/**
 * The proof of a check in the format of a goal's: its record is the ledger's segment.
 * @throws BundleRefused where the record does not show what it claims
 */
export async function bundleOf(
  proven: ProvenCheck,
  signer: Signer,
  version: string,
): Promise<string> {
  const { record, objective, level, summary, criteria, proof, base, accepted } = proven;
  const at = new Date().toISOString();
  const cited = [...criteria, ...proof.criteria].flatMap(({ receipts }) => receipts);
  const predicate: GoalProofPredicate = {
    goal: {
      ...{ goalId: record.goalId, objective, mode: 'agent', model: 'none' },
      ...{ startedAt: proven.startedAt, completedAt: at },
    },
    ...{ level, completedBy: 'explicit', result: summary, isolation: record.isolation },
    ...{ proof, base, criteria: [...criteria], requirements: null },
    approvals:
      accepted.length === 0
        ? []
        : [
            {
              kind: 'basis',
              question: 'What lies beyond the scope of the work counts all the same.',
              ...{ state: 'approved', decidedBy: '--accept', decidedAt: at, note: null },
              changes: [...accepted],
            },
          ],
    disputes: [],
    ledger: record.segment(cited),
  };
  // As a reader gets it: without what is undefined.
  const read = JSON.parse(JSON.stringify(predicate)) as GoalProofPredicate;
  checkPredicate(read);
  return await writeBundle(signer, read, version);
}
