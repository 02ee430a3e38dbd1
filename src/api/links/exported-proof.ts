import { type GoalProofPredicate, goalProofPredicateSchema } from '../../../schema/proof-bundle.ts';
import type { ProofExporter } from '../../contract/proof-export.ts';

/**
 * What the first line of the file says, which this service has just signed.
 * @throws Refusal
 */
export async function exportedPredicate(
  proofs: ProofExporter,
  goalId: string,
): Promise<GoalProofPredicate> {
  const bundle = await proofs.export(goalId);
  const { payload } = JSON.parse(bundle.slice(0, bundle.indexOf('\n'))) as { payload: string };
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    predicate: unknown;
  };
  return goalProofPredicateSchema.parse(predicate);
}
