export { goalWorkflow } from './goal.workflow.ts';
export { tryCheckWorkflow } from './try-check.workflow.ts';
