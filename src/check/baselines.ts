import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { SeenAtBaseline } from '../contract/goal-brief.ts';
import type { CriterionBaseline } from '../contract/proofs.ts';
import { lookAtBaseline } from '../evidence/baseline-look.ts';
import type { HostRun } from '../evidence/host-run.ts';
import { lookAtFile } from '../evidence/look-at-file.ts';
import type { OriginalTree, State } from '../evidence/original-tree.ts';
import { provable } from '../evidence/proof/check.ts';
import { inPlace } from '../evidence/proof/place.ts';
import type { ProofTree } from '../evidence/proof/proof-tree.ts';
import { specHash } from '../evidence/proof/spec-hash.ts';
import { inGateOrder } from '../proof/gate-order.ts';

export interface Baselines {
  readonly states: Readonly<Record<string, State>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly seen: Readonly<Record<string, SeenAtBaseline>>;
}

/** How each criterion stands on a tree without the work. */
export async function takeBaselines(
  host: HostRun,
  criteria: readonly TrackedCriterion[],
  original: OriginalTree,
  keep: (taken: CriterionBaseline) => Promise<void>,
): Promise<Baselines> {
  const states: Record<string, State> = {};
  const reasons: Record<string, string> = {};
  const seen: Record<string, SeenAtBaseline> = {};
  for (const { criterionId, spec } of inGateOrder(criteria)) {
    if (spec.kind === 'file') {
      const { holds, reason } = await lookInTree(host, original.goalId, spec, original);
      states[criterionId] = holds ? 'met' : 'unmet';
      reasons[criterionId] = reason;
      continue;
    }
    const looked = { criterionId, spec, ...behindHeld(criteria, criterionId, states) };
    const look = await lookAtBaseline(host, looked, original);
    host.signal.throwIfAborted();
    states[criterionId] = look.state;
    reasons[criterionId] = look.reason;
    if (look.seen !== undefined) seen[criterionId] = look.seen;
    if (look.report === undefined) continue;
    await keep({ criterionId, spec: specHash(spec), report: look.report });
  }
  return { states, reasons, seen };
}

/** A proof may run it behind the others; where one of these fails that tells nothing. */
function behindHeld(
  criteria: readonly TrackedCriterion[],
  criterionId: string,
  states: Readonly<Record<string, State>>,
) {
  const check = provable(criteria).find((one) => one.criterionId === criterionId);
  const at = criteria.findIndex((one) => one.criterionId === criterionId);
  const isHeld = criteria
    .slice(0, at)
    .every((one) => one.spec.kind !== 'command' || states[one.criterionId] === 'met');
  return isHeld && check?.behind !== undefined ? { behind: check.behind } : {};
}

type FileSpec = Extract<TrackedCriterion['spec'], { kind: 'file' }>;

/** A protected path holds as long as nothing of it differs from the base. */
export async function lookInTree(
  host: HostRun,
  goalId: string,
  spec: FileSpec,
  tree: ProofTree,
): Promise<{ readonly holds: boolean; readonly reason: string }> {
  if (spec.protect !== undefined) return lookAtProtected(spec, tree);
  const bare = { store: tree.store, entries: tree.entries, packages: [] };
  return await inPlace(host, goalId, bare, ({ checkout }) => lookAtFile(checkout, spec, undefined));
}

function lookAtProtected({ path }: FileSpec, { entries, original = entries }: ProofTree) {
  const wanted = path.replace(/^(?:\.\/)+|\/$/g, '');
  const isOf = (name: string) => name === wanted || name.startsWith(`${wanted}/`);
  const names = [...new Set([...entries.keys(), ...original.keys()])].filter(isOf);
  const changed = names.find((name) => {
    const [now, before] = [entries.get(name), original.get(name)];
    return now?.object !== before?.object || now?.mode !== before?.mode;
  });
  return changed === undefined
    ? { holds: true, reason: `${wanted} is unchanged` }
    : { holds: false, reason: `${changed} differs from the base` };
}
