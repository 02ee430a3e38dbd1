import { agentPermissionTool } from './agent-permission.ts';
import { askUserTool } from './ask-user.ts';
import { attemptCompletionTool } from './attempt-completion.ts';
import { completeStepTool } from './complete-step.ts';
import { continueWorkTool } from './continue-work.ts';
import { delegateTool } from './delegate.ts';
import { disputeCriterionTool } from './dispute-criterion.ts';
import { editFileTool } from './edit-file.ts';
import { getDiagnosticsTool } from './get-diagnostics.ts';
import { grepSearchTool } from './grep-search.ts';
import { listFilesTool } from './list-files.ts';
import { proposeCriterionTool } from './propose-criterion.ts';
import { proposeScopeTool } from './propose-scope.ts';
import { readFileTool } from './read-file.ts';
import { recallTool } from './recall.ts';
import { reportBlockerTool } from './report-blocker.ts';
import { runCommandTool } from './run-command.ts';
import { setRequirementsTool } from './set-requirements.ts';
import { todoWriteTool } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { updatePlanTool } from './update-plan.ts';
import { waitForTool } from './wait-for.ts';
import { writeFileTool } from './write-file.ts';

export const builtInTools: readonly Tool[] = [
  readFileTool,
  listFilesTool,
  grepSearchTool,
  writeFileTool,
  editFileTool,
  runCommandTool,
  getDiagnosticsTool,
  todoWriteTool,
  completeStepTool,
  updatePlanTool,
  setRequirementsTool,
  attemptCompletionTool,
  proposeCriterionTool,
  proposeScopeTool,
  disputeCriterionTool,
  continueWorkTool,
  waitForTool,
  askUserTool,
  reportBlockerTool,
  delegateTool,
  recallTool,
  agentPermissionTool,
];
