export { goalWorkflow } from './goal.workflow.ts';
