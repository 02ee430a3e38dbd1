import type { CheckerSetting } from '../../schema/checker.ts';
import type { ToolRule } from '../../schema/tool-rule.ts';

/** Rules about one workspace, set by the administrator of its host. */
export interface WorkspaceRules {
  readonly rules: readonly ToolRule[];
  /** Programs that look for errors, beside those that the project is set up for. */
  readonly checkers: readonly CheckerSetting[];
  /** Why the file can't be used; then nothing may run that a rule could be about. */
  readonly problem: string | null;
}
