import type { GateInput } from '../../../activities/check-evidence.ts';
import { declinedChanges } from '../../goal/approvals.ts';
import { weakenedBasis } from '../../goal/basis.ts';
import type { Evidence } from '../../goal/facts.ts';
import type { GoalBrief } from '../../turn/ports.ts';
import type { TurnPorts } from '../../turn/ports-of-turn.ts';
import { readBasis } from './read.ts';

/**
 * What the checks rest on and that changed without anybody's consent. The present hashes are kept
 * in the record: they are what a person accepts.
 */
export async function findWeakened(
  { journal, record }: Pick<TurnPorts, 'journal' | 'record'>,
  input: GateInput,
  { baseline, workspace }: GoalBrief,
): Promise<Pick<Evidence, 'weakened' | 'declined'>> {
  const present = await readBasis(workspace.path);
  const weakened = weakenedBasis(baseline?.basis ?? {}, present, baseline?.accepted);
  if (weakened.length === 0) return { weakened };
  const changes = Object.fromEntries(weakened.map((name) => [name, present[name] ?? null]));
  await record.recordChangedBasis(input, changes);
  const declined = declinedChanges(changes, await journal.decidedApprovals(input.goalId));
  return declined.length === 0 ? { weakened } : { weakened, declined };
}
