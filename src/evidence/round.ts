import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { CriterionEvidence } from '../contract/evidence.ts';
import { costOf, stages } from '../proof/gate-order.ts';
import type { WorkspaceWatch } from '../workspace/watch.ts';
import { checkClaimedCommand } from './claimed-command.ts';
import { checkCriterion, postpone } from './criteria/all.ts';
import type { GateRun } from './criterion-check.ts';

/** Time in which a hidden background writer must show itself while nothing runs. */
const IDLE_MS = 1500;

type EvidenceById = Map<string, CriterionEvidence>;

/** Checks every criterion once, cheap ones first; expensive ones only if those hold. */
export async function runRound(gate: GateRun): Promise<readonly CriterionEvidence[]> {
  // Sealed ones run where nothing of the goal could see them: in the proof, after all others.
  const criteria = gate.brief.criteria.filter(({ spec }) => spec.kind !== 'sealed');
  const found: EvidenceById = new Map();
  for (const stage of stages) {
    const holds = areMet(found);
    for (const criterion of criteria.filter(({ spec }) => costOf(spec) === stage)) {
      const mayLook = holds || stage === 'ask';
      const evidence = mayLook ? await checkCriterion(gate, criterion) : postpone(gate, criterion);
      found.set(criterion.criterionId, evidence);
      gate.signal.throwIfAborted();
    }
  }
  if (areMet(found)) {
    const claimed = await checkClaimedCommand(gate);
    if (claimed !== null) found.set(claimed.criterionId, claimed);
  }
  await seeOff(gate, found);
  return [...found.values()];
}

const areMet = (found: EvidenceById): boolean =>
  [...found.values()].every(({ state }) => state === 'met');

/** Repeats the cheap checks, because the gate's own runs may have changed their files. */
async function seeOff(gate: GateRun, found: EvidenceById): Promise<void> {
  if (hasOwnWrites(gate.watch)) {
    for (const criterion of gate.brief.criteria.filter(isFile)) {
      found.set(criterion.criterionId, await checkCriterion(gate, criterion));
    }
    await sleep(IDLE_MS, undefined, { signal: gate.signal });
  }
  await gate.watch.look();
}

const isFile = ({ spec }: TrackedCriterion): boolean => spec.kind === 'file';

const hasOwnWrites = ({ own }: WorkspaceWatch): boolean =>
  own.some(({ paths }) => paths.length > 0);
