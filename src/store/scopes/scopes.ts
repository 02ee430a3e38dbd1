import type { ProposedScope, ScopeGround } from '../../contract/scope-proposal.ts';
import { widenScope } from '../../proof/scope/widen-scope.ts';
import { insertApproval } from '../approvals/approvals.ts';
import type { Executor, Transaction } from '../client.ts';
import { storable } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { readBaseline } from '../record/baseline.ts';

/** Puts a wider scope to a person; the goal goes on meanwhile. */
export async function proposeScope(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  call: { readonly callId: string; readonly turn: number },
  { change, why, preview }: ProposedScope,
): Promise<void> {
  await insertApproval(tx, keys, {
    approvalId: `a-${goalId.slice(2)}-${call.callId.replaceAll('.', '-')}-s`,
    goalId,
    kind: 'scope_change',
    turn: call.turn,
    callId: call.callId,
    data: { change, ...preview, why },
  });
}

export async function readProposedScopes(
  sql: Executor,
  goalId: string,
): Promise<Pick<ScopeGround, 'open' | 'declined'>> {
  const rows = await sql<{ state: string; change: string[]; files: string[] }[]>`
    SELECT state, data->'change' AS change, data->'files' AS files FROM approval
    WHERE goal_id = ${goalId} AND kind = 'scope_change' AND state IN ('open', 'denied')`;
  const of = (wanted: string) => rows.filter(({ state }) => state === wanted);
  return { open: of('open').map(({ change }) => change), declined: of('denied') };
}

/** The globs that a person accepted. The next gate reads them, and one that runs is repeated. */
export async function acceptScope(
  tx: Transaction,
  goalId: string,
  globs: readonly string[],
  by: string,
): Promise<void> {
  const baseline = await readBaseline(tx, goalId);
  const proof = baseline?.proof;
  if (proof === undefined || 'reason' in proof) return;
  const scope = widenScope(proof.scope, globs, `the model asked for it, and ${by} accepted`);
  const widened = { ...baseline, proof: { ...proof, scope } };
  await tx`
    UPDATE goal SET baseline = ${tx.json(storable(widened))} WHERE goal_id = ${goalId}`;
}
