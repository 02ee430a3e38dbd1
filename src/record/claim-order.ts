import type { Mode } from '../../schema/goal.ts';

/**
 * What comes before a claim, in its order. The tool's text says the same without names of tools,
 * because it is shown in every mode that may claim.
 */
const CHECKS: Record<Exclude<Mode, 'gather'>, string> = {
  agent:
    'read back what you wrote (`read_file`), then run `get_diagnostics`, then the tests (`run_command`)',
  plan: 'read again the places that the plan rests on (`read_file`)',
};

/** Empty for a mode that can't claim. */
export const checksBeforeClaim = (mode: Mode): string => (mode === 'gather' ? '' : CHECKS[mode]);
