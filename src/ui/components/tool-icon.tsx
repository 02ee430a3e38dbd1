import { ownValue } from '../../../schema/own-value.ts';
import {
  IconBook2,
  IconCheck,
  IconClock,
  IconFlag,
  IconGitBranch,
  IconListDetails,
  IconMessageQuestion,
  IconPencil,
  IconSearch,
  IconTerminal2,
  IconTool,
} from '../generated/icons.tsx';

const icons: Readonly<Record<string, typeof IconTool>> = {
  read_file: IconBook2,
  list_files: IconBook2,
  write_file: IconPencil,
  edit_file: IconPencil,
  grep_search: IconSearch,
  run_command: IconTerminal2,
  todo_write: IconListDetails,
  update_plan: IconListDetails,
  complete_step: IconCheck,
  attempt_completion: IconFlag,
  delegate: IconGitBranch,
  continue_work: IconClock,
  wait_for: IconClock,
  ask_user: IconMessageQuestion,
};

export function ToolIcon({ tool }: { readonly tool: string }) {
  const Icon = tool.startsWith('check.') ? IconTerminal2 : (ownValue(icons, tool) ?? IconTool);
  return <Icon className="text-muted" size={14} stroke={1.75} aria-hidden="true" />;
}
