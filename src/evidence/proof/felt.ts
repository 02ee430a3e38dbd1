import { type FeltChanges, feelChanges } from '../../proof/felt-changes.ts';
import { hostRunOf } from '../criterion-check.ts';
import { type Change, nameOf } from './changes.ts';
import { runProofPlainly } from './run.ts';
import { type Proving, type Trial, treeWith } from './search.ts';

const MOST_RUNS = 8;
/** Checks that take longer are not repeated for each changed file. */
const MOST_MS = 30_000;

/** Takes the proven changes back in turn, and tells which of them the checks feel. */
export async function lookWhatIsFelt(
  proving: Proving,
  taken: readonly Change[],
  { proven }: Trial,
): Promise<FeltChanges> {
  const { gate, checks } = proving;
  const names = taken.flatMap((change) => (change.kind === 'file' ? [nameOf(change)] : []));
  const isSlow = [...proven.values()].reduce((sum, one) => sum + one.durationMs, 0) > MOST_MS;
  const commands = checks.flatMap(({ criterionId, ...check }) => {
    const { spec } = proven.get(criterionId) ?? check;
    return spec.kind === 'command' ? [{ criterionId, spec }] : [];
  });
  if (commands.length === 0 || isSlow) return { felt: [], unfelt: [], untried: names };
  const states = gate.brief.baseline?.states ?? {};
  // Without its only change it is the original.
  const isAlone = names.length === 1 && taken.length === 1;
  if (isAlone && commands.some(({ criterionId }) => states[criterionId] === 'unmet')) {
    return { felt: names, unfelt: [], untried: [] };
  }
  const own = hostRunOf(gate);
  let runs = 0;
  return await feelChanges(names, MOST_RUNS, async (some) => {
    runs += 1;
    const tree = treeWith(
      proving,
      taken.filter((change) => !some.includes(nameOf(change))),
    );
    const host = { ...own, prefix: `${own.prefix}.felt${runs}` };
    for (const check of commands) {
      const { last } = await runProofPlainly(host, gate.input.goalId, check, tree);
      if (!last.isMet) return false;
    }
    return true;
  });
}
