import type { Completion } from '../../../schema/goal.ts';
import type { CheckedBy, Requirement } from '../../../schema/requirement.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { checkedBy, countCoverage } from '../../proof/requirements/coverage.ts';
import type { Transaction } from '../client.ts';
import { readRequirements } from '../requirements/requirements.ts';

type Covered = Pick<Completion, 'coverage'>;

/** How much of the objective the gate, and the people whom it asked, found met. */
export function coverageByGate(
  tx: Transaction,
  goalId: string,
  evidence: Evidence | null,
): Promise<Covered> {
  return coverage(tx, goalId, (requirement) => byGate(requirement, evidence));
}

/** A person who accepts the whole has accepted its parts; what the host proved stays proven. */
export function coverageByPerson(
  tx: Transaction,
  goalId: string,
  evidence: Evidence | null = null,
): Promise<Covered> {
  return coverage(tx, goalId, (requirement) =>
    byGate(requirement, evidence) === 'host' ? 'host' : 'person',
  );
}

function byGate(requirement: Requirement, evidence: Evidence | null): CheckedBy {
  const approved = evidence?.requirements?.filter(({ person }) => person === 'approved') ?? [];
  const ids = new Set(approved.map(({ requirementId }) => requirementId));
  return checkedBy(requirement, evidence?.criteria ?? [], ids);
}

async function coverage(
  tx: Transaction,
  goalId: string,
  by: (requirement: Requirement) => CheckedBy,
): Promise<Covered> {
  const requirements = await readRequirements(tx, goalId);
  if (requirements.length === 0) return {};
  return { coverage: countCoverage(requirements.map((one) => ({ ...one, by: by(one) }))) };
}
