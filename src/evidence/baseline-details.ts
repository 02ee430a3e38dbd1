import type { CriterionBaseline } from '../contract/basis.ts';
import type { BaselineRun } from './baseline-run.ts';
import { keepTree } from './basis/kept-tree.ts';
import type { BasedCriterion } from './basis/read-based.ts';
import type { BasisReading, Tree } from './basis/reading.ts';
import { specHash } from './basis/spec-hash.ts';
import type { CheckRun } from './run-check.ts';

export type State = 'met' | 'unmet' | 'not_run';

/** The outcome of a check; only a command has more than its state. */
export type Outcome = Pick<CheckRun, 'isMet' | 'couldNotRun' | 'report' | 'exitCode'>;

/** One check at its baseline: what it rested on before its run, and its outcome. */
export interface Taken {
  readonly criterionId: string;
  readonly spec: BasedCriterion;
  readonly reading: BasisReading;
  readonly check: Outcome;
}

export function baselineState({ isMet, couldNotRun }: Outcome): State {
  if (isMet) return 'met';
  return couldNotRun ? 'not_run' : 'unmet';
}

/** Stores the details before the states: a state without details could never be judged. */
export async function keepDetails(
  run: BaselineRun,
  tree: Tree,
  taken: readonly Taken[],
): Promise<void> {
  const { ports, brief, attempt } = run;
  const name = taken.some(isRepeatedLater)
    ? await keepTree(ports, brief.goalId, brief.criteriaRevision, tree)
    : null;
  const baselines = taken.map((one) => detailsOf(one, name));
  await ports.basis.keepBaselines(attempt.fence, baselines, textsOf(taken));
}

/** True for a command that could not run yet; it is repeated on the kept files. */
const isRepeatedLater = ({ spec, check }: Taken): boolean =>
  spec.kind === 'command' && baselineState(check) === 'not_run';

function detailsOf(taken: Taken, tree: string | null): CriterionBaseline {
  const { criterionId, spec, reading, check } = taken;
  const hashes = [...reading.entries].map(([name, { sha256 }]) => [name, sha256] as const);
  return {
    criterionId,
    spec: specHash(spec),
    entries: Object.fromEntries(hashes),
    installed: reading.installed,
    report: check.report,
    exitCode: check.exitCode,
    tree: isRepeatedLater(taken) ? tree : null,
  };
}

/** Bytes of texts that a goal's baseline keeps for diffs. */
const MOST_TEXT = 8 * 1024 * 1024;

function textsOf(taken: readonly Taken[]): Map<string, string> {
  const texts = new Map<string, string>();
  let size = 0;
  for (const { sha256, text } of taken.flatMap(({ reading }) => [...reading.entries.values()])) {
    if (text === null || texts.has(sha256) || size + text.length > MOST_TEXT) continue;
    size += text.length;
    texts.set(sha256, text);
  }
  return texts;
}
