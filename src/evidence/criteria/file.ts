import type { CriterionCheck } from '../criterion-check.ts';
import { type FileSpec, lookAtFile } from '../look-at-file.ts';

export const checkFile: CriterionCheck<'file'> = async ({ brief }, { criterionId, spec }) => {
  const before = brief.baseline?.seen?.[criterionId]?.hash;
  const { holds, reason } = await lookAtFile(brief.workspace.path, spec, before);
  return {
    state: holds ? 'met' : 'unmet',
    isHostChecked: true,
    reason,
    ...(holds ? {} : { remedy: remedyFor(spec) }),
    receipts: [],
  };
};

function remedyFor({ path, exists, matches }: FileSpec): string {
  const claim = 'then call attempt_completion.';
  if (exists === true) return `make ${path} with write_file, ${claim}`;
  if (exists === false) return `remove ${path} with run_command, ${claim}`;
  if (matches !== undefined) return `change ${path} with edit_file until it matches, ${claim}`;
  return `give ${path} its first content back with run_command or write_file, ${claim}`;
}
