/** A goal has one workflow at a time; every replacement of its execution raises the epoch. */
export const workflowIdOf = (goalId: string, epoch: number): string => `goal:${goalId}:${epoch}`;

/** Workflow of a check without a goal. */
export const checkWorkflowIdOf = (checkId: string): string => `check:${checkId}`;

/** Workflow of a branch that is brought into its workspace. */
export const applyWorkflowIdOf = (commitId: string): string => `apply:${commitId}`;

/** History events after which a run continues as new; the server itself suggests it at 4,096. */
export const DEFAULT_MAX_EVENTS = 4000;

/** Temporal's own schedule, and the beginning of the ids of the workflows that it starts. */
export const alarmIdOf = (scheduleId: string): string => `schedule:${scheduleId}`;
