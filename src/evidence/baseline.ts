import { isAboutTheStore } from '../checkpoints/store-git.ts';
import { Closed } from '../contract/failures.ts';
import type { SeenAtBaseline } from '../contract/goal-brief.ts';
import type { CriterionBaseline } from '../contract/proofs.ts';
import { inGateOrder } from '../proof/gate-order.ts';
import { compareDependencies } from '../proof-place/dependencies.ts';
import { originalStore, readOriginal } from '../proof-place/original.ts';
import { lookAtBaseline } from './baseline-look.ts';
import type { BaselineRun } from './baseline-run.ts';
import { adoptChecks } from './detect/adopt.ts';
import { hostRunIn } from './host-run.ts';
import type { OriginalTree, State } from './original-tree.ts';
import { provable } from './proof/check.ts';
import { type KeptGround, proofGround } from './proof/ground.ts';
import { setupRulesOf } from './proof/setup-plans.ts';
import { specHash } from './proof/spec-hash.ts';

/**
 * Runs every criterion once before the goal's first write, concurrently with the first model calls.
 * A criterion that holds here is a guard: it can refuse a claim and never prove one.
 */
export function startBaseline(run: BaselineRun): Promise<void> {
  const { baseline, criteria, detectsCriteria, mode } = run.brief;
  // A plan changes nothing: what it starts from is looked at when the work begins.
  if (mode === 'plan') return Promise.resolve();
  const isComplete = criteria.every(
    ({ criterionId }) => baseline?.states[criterionId] !== undefined,
  );
  const isKnown = baseline !== null && isComplete && !detectsCriteria;
  return isKnown ? Promise.resolve() : takeBaseline(run);
}

async function takeBaseline(run: BaselineRun): Promise<void> {
  const { ports, brief, input, attempt } = run;
  const states: Record<string, State> = { ...brief.baseline?.states };
  const reasons: Record<string, string> = { ...brief.baseline?.reasons };
  const seen: Record<string, SeenAtBaseline> = { ...brief.baseline?.seen };
  const taken: CriterionBaseline[] = [];
  const prefix = `baseline.${brief.criteriaRevision}.${attempt.fence.token}`;
  const host = hostRunIn(run, 'baseline', prefix);
  const ground = await proofGround(run);
  const { proof } = ground;
  const original = await originalTree(run, ground);
  for (const { criterionId, spec } of inGateOrder(brief.criteria)) {
    if (states[criterionId] !== undefined) continue;
    // A file at the start of the goal is the original's.
    const isSame = spec.kind === 'file' && brief.baseline === null;
    const looked = { criterionId, spec, ...behindHeld(brief.criteria, criterionId, states) };
    const look = await lookAtBaseline(host, looked, isSame ? null : original);
    run.signal.throwIfAborted();
    states[criterionId] = look.state;
    reasons[criterionId] = look.reason;
    if (look.seen !== undefined) seen[criterionId] = look.seen;
    if (look.report !== undefined) {
      taken.push({ criterionId, spec: specHash(spec), report: look.report });
    }
  }
  const adopted = brief.detectsCriteria ? await adoptChecks(run, host, original) : null;
  taken.push(...(adopted?.baselines ?? []));
  Object.assign(states, adopted?.states);
  // A state without its report could never be compared, so the reports come first.
  if (taken.length > 0) await ports.proofs.keepBaselines(attempt.fence, taken);
  const fresh = { states, reasons, seen, ...(proof !== undefined && { proof }) };
  await ports.record.recordBaseline(input, fresh, adopted?.criteria);
}

/** A proof may run it behind the others; where one of these fails that tells nothing. */
function behindHeld(
  criteria: BaselineRun['brief']['criteria'],
  criterionId: string,
  states: Readonly<Record<string, State>>,
) {
  const check = provable(criteria).find((one) => one.criterionId === criterionId);
  const before = criteria.slice(
    0,
    criteria.findIndex((one) => one.criterionId === criterionId),
  );
  const isHeld = before.every(
    (one) => one.spec.kind !== 'command' || states[one.criterionId] === 'met',
  );
  return isHeld && check?.behind !== undefined ? { behind: check.behind } : {};
}

/** The goal's proof begins with this tree, so its baseline is taken there as well. */
async function originalTree(
  { ports, brief }: BaselineRun,
  { proof, tree }: KeptGround,
): Promise<OriginalTree | null> {
  if (proof === undefined || 'reason' in proof) return null;
  const { goalId, workspace } = brief;
  const original =
    tree ?? (await readOriginal(ports.home, goalId, proof.original).catch(unlessGone));
  // The gate says then that there is no proof run.
  if (original === null) return null;
  const { entries } = original;
  const { unchanged } = await compareDependencies(workspace.path, proof.dependencies, original);
  const setup = setupRulesOf(brief);
  // A command that the model proposed may leave anything in a cache.
  const isFirst = brief.baseline === null;
  const keepsCaches = isFirst && brief.criteria.every(({ origin }) => origin !== 'proposed');
  const store = originalStore(ports.home, goalId);
  const { scope } = proof;
  return { goalId, scope, store, entries, packages: unchanged, setup, keepsCaches };
}

function unlessGone(error: unknown): null {
  if (isAboutTheStore(error)) return null;
  throw error;
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
