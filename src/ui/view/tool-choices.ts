/**
 * Tools of the service itself, and its checks; those of MCP servers are known once they were
 * called.
 */
export const builtInToolNames = [
  'run_command',
  'read_file',
  'write_file',
  'edit_file',
  'grep_search',
  'list_files',
  'get_diagnostics',
  'todo_write',
  'complete_step',
  'update_plan',
  'attempt_completion',
  'propose_criterion',
  'propose_scope',
  'dispute_criterion',
  'set_requirements',
  'continue_work',
  'wait_for',
  'ask_user',
  'report_blocker',
  'delegate',
  'recall',
  'agent_permission',
  'check.baseline',
  'check.gate',
  'check.proof',
  'check.setup',
  'check.review',
  'check.dispute',
] as const;

/** The ledger's filters: also what it holds beyond these, and what a link asks for. */
export const toolChoices = (seen: readonly string[], chosen: string): readonly string[] => [
  ...new Set([...builtInToolNames, ...[...seen].sort(), ...(chosen === '' ? [] : [chosen])]),
];
