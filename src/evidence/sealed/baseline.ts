import type { HostRun } from '../host-run.ts';
import type { BaselineLook, OriginalTree } from '../original-tree.ts';
import { notRun, UNABLE, whyNotIn } from './judge.ts';
import { recorded, sealedOf } from './record.ts';
import { runSealed, type SealedOutcome, type SealedSubject } from './run.ts';

/** State before the work begins; reasons and reports stay with the runs that people see. */
export async function lookAtSealed(
  host: HostRun,
  criterion: SealedSubject,
  original: OriginalTree | null,
): Promise<BaselineLook> {
  if (criterion.spec.checks === 'review') {
    return { state: 'unmet', reason: 'looked at when the work is done' };
  }
  const judging = { ...host, origin: 'baseline' as const };
  const { state } = await recorded(judging, criterion, '', () =>
    judge(judging, criterion, original),
  );
  const reasons = { met: 'met', unmet: 'unmet', not_run: UNABLE } as const;
  return { state, reason: reasons[state] };
}

async function judge(
  host: HostRun,
  criterion: SealedSubject,
  tree: OriginalTree | null,
): Promise<SealedOutcome> {
  const sealed = sealedOf(host);
  const content = await sealed.open(criterion.spec.sealedId);
  if ('problem' in content) return notRun(content.problem);
  const { check, files } = content;
  if (tree === null || check.kind !== 'command') return notRun('the original is not kept');
  const problem = whyNotIn(sealed.whyNot, tree.scope, tree, content);
  if (problem !== null) return notRun(problem);
  return await runSealed(host, tree.goalId, criterion, { check, files, tree, original: null });
}
