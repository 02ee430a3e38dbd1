import type { Scope } from '../../../../schema/scope.ts';
import { hostRunOf } from '../../criterion-check.ts';
import type { Change } from '../changes.ts';
import { type Proving, type Trial, treeWith } from '../search.ts';
import type { CanaryFinding } from './finding.ts';
import { tryCanaries } from './try-canaries.ts';

/** Looks at every command that holds; by criterion. */
export async function findDeaf(
  proving: Proving,
  taken: readonly Change[],
  { proven }: Trial,
  scope: Scope,
): Promise<ReadonlyMap<string, CanaryFinding>> {
  const { gate, checks } = proving;
  const tree = treeWith(proving, taken);
  const found = new Map<string, CanaryFinding>();
  for (const { criterionId } of taken.length === 0 ? [] : checks) {
    const passed = { host: hostRunOf(gate), goalId: gate.input.goalId, criterionId, tree, scope };
    const { states, seen } = gate.brief.baseline ?? {};
    const wasMet = states?.[criterionId] === 'met';
    const wasEnded = seen?.[criterionId]?.wasEnded === true;
    const outcome = proven.get(criterionId);
    const before = { wasMet, wasEnded };
    const finding = outcome === undefined ? null : await tryCanaries(passed, outcome, before);
    if (finding !== null) found.set(criterionId, finding);
  }
  return found;
}
