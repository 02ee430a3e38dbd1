export { scheduleAlarmWorkflow } from './alarm.workflow.ts';
export { applyBranchWorkflow } from './apply-branch.workflow.ts';
export { goalWorkflow } from './goal.workflow.ts';
export { tryCheckWorkflow } from './try-check.workflow.ts';
