import type { ScopePort } from '../contract/scope-proposal.ts';
import { ensureBaseline } from '../evidence/baseline.ts';
import { previewScope } from '../evidence/proof/scope-preview.ts';
import type { SliceRun } from './slice-run.ts';

const NO_SCOPE = 'the goal is judged by its workspace as it is, so there is no scope';

/** How a call of this slice asks for a wider scope. */
export function scopesOf(run: SliceRun): ScopePort {
  const { ports, input, brief } = run;
  const { goalId } = input;
  const proofOf = async () => {
    // The baseline keeps the original and tells the scope.
    await ensureBaseline(run);
    const proof = (await ports.journal.brief(goalId)).baseline?.proof;
    if (proof === undefined) return NO_SCOPE;
    return 'reason' in proof ? `${NO_SCOPE}: ${proof.reason}` : proof;
  };
  return {
    async ground() {
      const proof = await proofOf();
      if (typeof proof === 'string') return proof;
      return { scope: proof.scope, ...(await ports.journal.proposedScopes(goalId)) };
    },
    async preview(change) {
      const proof = await proofOf();
      if (typeof proof === 'string') throw new Error(proof);
      const place = { home: ports.home, goalId, workspace: brief.workspace.path };
      return await previewScope(place, proof, change);
    },
  };
}
