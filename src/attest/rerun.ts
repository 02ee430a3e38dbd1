import { join } from 'node:path';
import type { Isolation } from '../../schema/isolation.ts';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import type { EffectsSession } from '../contract/effects.ts';
import type { CallEnd } from '../contract/tool-call.ts';
import type { HostRun } from '../evidence/host-run.ts';
import { tryCanaries } from '../evidence/proof/canaries/try-canaries.ts';
import {
  checkInPlace,
  type ProofOutcome,
  type Provable,
  provable,
} from '../evidence/proof/check.ts';
import type { ProofTree } from '../evidence/proof/proof-tree.ts';
import { compareDependencies, readDependencies } from '../proof-place/dependencies.ts';
import type { Rebuilt } from './checkout.ts';
import { BundleRefused } from './refused.ts';
import { assertContents } from './rerun-store.ts';

export interface RerunGround {
  /** A folder of its own for the place; nothing of it is kept. */
  readonly home: string;
  readonly folder: string;
  readonly effects: EffectsSession;
  readonly signal: AbortSignal;
}

export interface Rerun {
  readonly criterionId: string;
  readonly isMet: boolean;
  readonly reason: string;
  readonly tests: number | null;
  readonly canaries: string | null;
  /** Weakest of its commands here. */
  readonly isolation: Isolation;
}

const GOAL = 'rerun';
const WEAKEST_FIRST: readonly Isolation[] = ['none', 'partial', 'full'];

/**
 * Repeats the proof run here, as the gate made it: the original with the proven files in a place of
 * its own, with the packages that the checkout has installed where the proof had some.
 * @throws BundleRefused
 */
export async function rerunProof(
  ground: RerunGround,
  { criteria, proof }: GoalProofPredicate,
  { place, original, proven }: Rebuilt,
): Promise<Rerun[]> {
  await assertContents(place, proven);
  await assertContents(place, original);
  const packages = await installedPackages(ground.folder, proven, proof.packages);
  const tree = { store: place, entries: proven, original, packages };
  const runs: Rerun[] = [];
  for (const check of provable(criteria).filter(isWhole)) {
    const seen: Isolation[] = [];
    const host = hostOf(ground, seen);
    const ran = await checkInPlace(host, GOAL, check, tree);
    const claimed = proof.criteria.find((one) => one.criterionId === check.criterionId);
    assertSame(check, ran, claimed?.tests.now ?? null);
    const before = failedBefore(criteria, check)
      ? await assertFails(host, check, { ...tree, entries: original })
      : null;
    const { criterionId } = check;
    const passed = { host, goalId: GOAL, criterionId, tree, scope: proof.scope };
    const canaries = await tryCanaries(passed, ran, {
      wasMet: false,
      wasEnded: before?.last?.wasEnded === true,
    });
    runs.push({
      criterionId: check.criterionId,
      isMet: ran.isMet,
      reason: ran.reason,
      tests: ran.report?.ran ?? null,
      canaries: canaries?.state ?? null,
      isolation: WEAKEST_FIRST.find((one) => seen.includes(one)) ?? 'none',
    });
  }
  return runs;
}

const failedBefore = (
  criteria: GoalProofPredicate['criteria'],
  { criterionId }: Provable,
): boolean => criteria.some((one) => one.criterionId === criterionId && one.baseline === 'unmet');

/** A check that holds on the original as well is a guard, whatever its bundle says of the start. */
async function assertFails(host: HostRun, check: Provable, tree: ProofTree): Promise<ProofOutcome> {
  const { criterionId } = check;
  const before = { ...host, prefix: `${host.prefix}.before` };
  const ran = await checkInPlace(before, GOAL, check, tree, { manner: 'plain' });
  if (!ran.isMet) return ran;
  const problem = `${criterionId} holds here on the original as well, and failed before by the proof`;
  throw new BundleRefused('rerun_failed', problem);
}

function assertSame({ criterionId }: Provable, ran: ProofOutcome, claimed: number | null): void {
  const tests = ran.report?.ran ?? null;
  if (!ran.isMet) throw new BundleRefused('rerun_failed', `${criterionId} here: ${ran.reason}`);
  if (claimed === null || tests === null || tests >= claimed) return;
  const problem = `${criterionId} ran ${tests} tests here, and ${claimed} in the proof`;
  throw new BundleRefused('rerun_failed', problem);
}

async function installedPackages(
  folder: string,
  entries: ProofTree['entries'],
  named: GoalProofPredicate['proof']['packages'],
): Promise<ProofTree['packages']> {
  if (named.length === 0) return [];
  const now = await readDependencies(folder, { entries });
  const { unchanged } = await compareDependencies(folder, now, { entries });
  return unchanged.filter(({ lent }) => named.some(({ at }) => at === lent.at));
}

/** The runs are on no record: their rows live as long as this. */
function hostOf({ home, folder, effects, signal }: RerunGround, seen: Isolation[]): HostRun {
  let seq = 0;
  return {
    ports: {
      home,
      journal: {
        startCall: async () => {},
        settleCall: async (_fence, { callId, tool, outcome, receipt }: CallEnd) => {
          seq += 1;
          if (receipt.isolation !== undefined) seen.push(receipt.isolation);
          const at = new Date().toISOString();
          return {
            ...{ seq, phase: 'settled', turn: 0, step: 0, token: 1, effect: 'read' },
            ...{ callId, tool, outcome, receipt, at, previous: '', hash: '' },
          };
        },
      },
      proofs: { baselines: async () => [] },
    },
    attempt: { fence: { goalId: GOAL, epoch: 0, token: 1 }, effects },
    workspace: folder,
    workspaceName: GOAL,
    turn: 0,
    origin: 'gate',
    prefix: GOAL,
    signal,
  };
}

export const storeIn = (home: string) => ({ folder: join(home, 'store') });

/** The errors of the start, which it is compared with, are no part of a proof. */
const isWhole = ({ spec }: Provable): boolean =>
  spec.kind !== 'diagnostics' || spec.onlyNew !== true;
