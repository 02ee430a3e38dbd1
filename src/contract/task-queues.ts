/** The task queues of one installation, which no other one's workers poll. */
export interface TaskQueues {
  readonly installation: string;
  /** Queue of the workflows and of their short commits. */
  readonly goals: string;
  /** One host serves a workspace: its workers share this queue. */
  workspacesOf(host: string): string;
}

export const taskQueuesOf = (installation: string): TaskQueues => ({
  installation,
  goals: `goalkeeper:${installation}`,
  workspacesOf: (host) => `goalkeeper:${installation}:host:${host}`,
});
