import { StoreFailed } from '../checkpoints/store-git.ts';
import { Closed } from '../contract/failures.ts';
import type { SeenAtBaseline } from '../contract/goal-brief.ts';
import { checkersOf } from '../diagnostics/configured.ts';
import { inGateOrder } from '../proof/gate-order.ts';
import { lendUnchanged } from '../proof-place/dependencies.ts';
import { originalStore, readOriginal } from '../proof-place/original.ts';
import { ruledWorkspace } from '../workspace/ruled-workspace.ts';
import {
  baselineState,
  keepDetails,
  type Outcome,
  type State,
  type Taken,
} from './baseline-details.ts';
import { type BaselineLook, lookAtBaseline } from './baseline-look.ts';
import type { BaselineRun } from './baseline-run.ts';
import { listTree } from './basis/read.ts';
import { type BasedCriterion, isBased, readBasis } from './basis/read-based.ts';
import type { Tree } from './basis/reading.ts';
import { runCriterion } from './command-run.ts';
import { adoptChecks } from './detect/adopt.ts';
import type { HostRun } from './host-run.ts';
import { proofGround } from './proof/ground.ts';
import { type ProofTree, runProof } from './proof/run.ts';

/**
 * Runs every criterion once before the goal's first write, concurrently with the first model calls.
 * A criterion that holds here is a guard: it can refuse a claim and never prove one.
 */
export function startBaseline(run: BaselineRun): Promise<void> {
  const { baseline, criteria, detectsCriteria } = run.brief;
  const isComplete = criteria.every(
    ({ criterionId }) => baseline?.states[criterionId] !== undefined,
  );
  const isKnown = baseline !== null && isComplete && !detectsCriteria;
  return isKnown ? Promise.resolve() : takeBaseline(run);
}

async function takeBaseline(run: BaselineRun): Promise<void> {
  const { ports, brief, input } = run;
  const states: Record<string, State> = { ...brief.baseline?.states };
  const reasons: Record<string, string> = { ...brief.baseline?.reasons };
  const seen: Record<string, SeenAtBaseline> = { ...brief.baseline?.seen };
  const host = hostRunOf(run);
  const proof = await proofGround(run);
  const original = await originalTree(run, proof);
  const note = (criterionId: string, look: BaselineLook): void => {
    states[criterionId] = look.state;
    reasons[criterionId] = look.reason;
    if (look.seen !== undefined) seen[criterionId] = look.seen;
  };
  let tree: Tree | null = null;
  const taken: Taken[] = [];
  for (const { criterionId, spec } of inGateOrder(brief.criteria)) {
    if (states[criterionId] !== undefined) continue;
    if (!isBased(spec)) {
      note(criterionId, await lookAtBaseline(host, { criterionId, spec }));
      continue;
    }
    tree ??= await listTree(brief.workspace.path, checkersOf(run.ports, brief));
    // The basis is read before the run, because a check may write files itself.
    const reading = await readBasis(tree, spec);
    const { check, ...look } = await lookAtBased(host, { criterionId, spec }, original);
    run.signal.throwIfAborted();
    note(criterionId, look);
    taken.push({ criterionId, spec, reading, check });
  }
  if (brief.detectsCriteria)
    tree ??= await listTree(brief.workspace.path, checkersOf(run.ports, brief));
  const adopted = brief.detectsCriteria && tree !== null ? await adoptChecks(run, tree) : null;
  taken.push(...(adopted?.taken ?? []));
  Object.assign(states, adopted?.states);
  if (tree !== null) await keepDetails(run, tree, taken);
  const fresh = { states, reasons, seen, ...(proof !== undefined && { proof }) };
  await ports.record.recordBaseline(input, fresh, adopted?.criteria);
}

interface Based {
  readonly criterionId: string;
  readonly spec: BasedCriterion;
}

/** The goal's proof begins with this tree, so its baseline is taken there as well. */
interface OriginalTree extends ProofTree {
  readonly goalId: string;
}

async function originalTree(
  { ports, brief }: BaselineRun,
  proof: Awaited<ReturnType<typeof proofGround>>,
): Promise<OriginalTree | null> {
  if (proof === undefined || 'reason' in proof) return null;
  const { goalId, workspace } = brief;
  const original = await readOriginal(ports.home, goalId, proof.original).catch(unlessGone);
  // The gate says then that there is no proof run.
  if (original === null) return null;
  const { entries } = original;
  const found = await lendUnchanged(workspace.path, proof.dependencies);
  const lent = 'lent' in found ? found.lent : [];
  return { goalId, store: originalStore(ports.home, goalId), entries, lent };
}

function unlessGone(error: unknown): null {
  if (error instanceof StoreFailed) return null;
  throw error;
}

async function lookAtBased(
  host: HostRun,
  { criterionId, spec }: Based,
  original: OriginalTree | null,
): Promise<BaselineLook & { readonly check: Outcome }> {
  if (spec.kind === 'command') {
    const { last, reason } =
      original === null || spec.check === 'receipt'
        ? await runCriterion(host, { criterionId, spec })
        : await runProof(host, original.goalId, { criterionId, spec }, original);
    return { state: baselineState(last), reason, check: last };
  }
  const look = await lookAtBaseline(host, { criterionId, spec });
  const isMet = look.state === 'met';
  const couldNotRun = look.state === 'not_run';
  return { ...look, check: { isMet, couldNotRun, report: null, exitCode: null } };
}

function hostRunOf({ ports, attempt, brief, input, signal }: BaselineRun): HostRun {
  return {
    ports,
    attempt,
    workspace: brief.workspace.path,
    workspaceName: ruledWorkspace(brief.workspace),
    turn: input.turn,
    origin: 'baseline',
    prefix: `baseline.${brief.criteriaRevision}.${attempt.fence.token}`,
    signal,
  };
}

/** Waits for the baseline before a slice returns, because the gate needs it. */
export async function ensureBaseline(
  run: Pick<BaselineRun, 'signal'> & { readonly baseline: Promise<void> },
): Promise<void> {
  try {
    await run.baseline;
  } catch (error) {
    if (!run.signal.aborted && !(error instanceof Closed)) throw error;
  }
}
