import { type CriterionCheck, hostRunOf } from '../criterion-check.ts';
import { lookAtDiagnostics } from '../diagnostics/look.ts';

export const checkDiagnostics: CriterionCheck<'diagnostics'> = async (gate, criterion) => {
  const { criterionId, spec } = criterion;
  const look = await lookAtDiagnostics(hostRunOf(gate), criterionId, spec.paths);
  const before = gate.brief.baseline?.seen?.[criterionId]?.checkers ?? [];
  const gone = before.filter((name) => !look.checkers.includes(name));
  const isMet = look.holds && gone.length === 0;
  return {
    state: isMet ? 'met' : 'unmet',
    isHostChecked: true,
    reason: gone.length === 0 ? look.reason : `gone since the start: ${gone.join(', ')}`,
    ...(isMet ? {} : { remedy: remedyFor(gone, look.couldNotRun) }),
    receipts: look.receipts,
  };
};

function remedyFor(gone: readonly string[], couldNotRun: boolean): string {
  if (gone.length > 0) return 'put its configuration back, then call attempt_completion.';
  return couldNotRun
    ? 'install the checker of the project with run_command, or call report_blocker.'
    : 'repair the errors with edit_file, then call attempt_completion.';
}
