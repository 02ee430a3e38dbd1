import { type CriterionCheck, hostRunOf } from '../criterion-check.ts';
import { lookAtDiagnostics } from '../diagnostics/look.ts';

export const checkDiagnostics: CriterionCheck<'diagnostics'> = async (gate, criterion) => {
  const { criterionId, spec } = criterion;
  const seen = gate.brief.baseline?.seen?.[criterionId];
  const known = spec.onlyNew === true ? seen?.errors : undefined;
  if (spec.onlyNew === true && known === undefined) return incomparable;
  const look = await lookAtDiagnostics(hostRunOf(gate), criterionId, spec.paths, { known });
  const before = seen?.checkers ?? [];
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

/** Without them each error might be an old one. */
const incomparable = {
  state: 'unmet',
  isHostChecked: true,
  reason: 'the errors of the start are not known, so none can be told to be new',
  remedy: 'call dispute_criterion, or ask_user for a criterion that names paths.',
  receipts: [],
} as const;

function remedyFor(gone: readonly string[], couldNotRun: boolean): string {
  if (gone.length > 0) return 'put its configuration back, then call attempt_completion.';
  return couldNotRun
    ? 'install the checker of the project with run_command, or call report_blocker.'
    : 'repair the errors with edit_file, then call attempt_completion.';
}
