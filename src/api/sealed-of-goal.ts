import type { Goal } from '../../schema/goal.ts';
import type { Sealed, SealedOfGoal, SealedRun } from '../../schema/sealed.ts';
import type { KeptSealedRun, StoredSealed } from '../contract/sealed.ts';
import { wholeSight } from '../policy/sight.ts';
import { MOST_JUDGED } from '../proof/sealed/told.ts';
import { sha256Of } from '../sealed/content.ts';
import type { Ports } from './application.ts';

/** For people: no operation that a model's program may call shows any of it. */
export async function readSealedOfGoal(
  ports: Ports<'sealed'>,
  { goalId, criteria }: Goal,
): Promise<SealedOfGoal> {
  const runs = await ports.sealed.runs(goalId);
  const items: SealedOfGoal['items'] = [];
  for (const { criterionId, spec } of criteria) {
    if (spec.kind !== 'sealed') continue;
    // The goal's record belongs to whoever sees the goal.
    const stored = await ports.sealed.find(spec.sealedId, wholeSight);
    if (stored === null) continue;
    const own = runs.filter((run) => run.criterionId === criterionId);
    const judged = own.filter(({ origin, state }) => origin === 'gate' && state !== 'not_run');
    items.push({
      criterionId,
      sealed: await shownSealed(ports, stored),
      judged: judged.length,
      mostJudged: MOST_JUDGED,
      runs: own.map(shownRun),
    });
  }
  return { items };
}

export async function shownSealed(
  { sealed }: Ports<'sealed'>,
  { checks: _, ...stored }: StoredSealed,
): Promise<Sealed> {
  const content = await sealed.open(stored.sealedId);
  if ('problem' in content) {
    return { ...stored, criterion: null, files: [], problem: content.problem };
  }
  const files = content.files.map(({ path, content: bytes }) => ({
    ...{ path, bytes: bytes.byteLength, sha256: sha256Of(bytes) },
  }));
  return { ...stored, criterion: content.check, files };
}

function shownRun(run: KeptSealedRun): SealedRun {
  const { origin, turn, state, receipt, reason, hint, runs, at } = run;
  return { origin, turn, state, receipt, reason, ...(hint !== undefined && { hint }), runs, at };
}
