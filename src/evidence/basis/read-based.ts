import type {
  CommandCriterion,
  Criterion,
  DiagnosticsCriterion,
} from '../../../schema/criteria.ts';
import { readCriterionBasis } from './read.ts';
import { readDiagnosticsBasis } from './read-diagnostics-basis.ts';
import type { BasisReading, Tree } from './reading.ts';

/** Criteria that files of the workspace decide beside the goal's subject. */
export type BasedCriterion = CommandCriterion | DiagnosticsCriterion;

export const isBased = (spec: Criterion): spec is BasedCriterion =>
  spec.kind === 'command' || spec.kind === 'diagnostics';

/** @param known entries of the baseline, where there is one to compare with */
export const readBasis = (
  tree: Tree,
  spec: BasedCriterion,
  known?: readonly string[],
): Promise<BasisReading> =>
  spec.kind === 'command'
    ? readCriterionBasis(tree, spec, known)
    : readDiagnosticsBasis(tree, spec, known);
