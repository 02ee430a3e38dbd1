/** How full a spend limit of the settings is; of one for each, the fullest. */
export interface LimitFill {
  readonly of: string;
  /** As the settings name it; empty = the whole service, or each. */
  readonly name: string;
  readonly per: string;
  /** The part that is spent; 1 = nothing is left. */
  readonly fill: number;
}

/** What metrics tell of it. */
export type MeasuredStanding = Standing & { readonly limits: readonly LimitFill[] };

/** How the service stands, as the record says when it is asked. */
export interface Standing {
  /** Goals that are not archived. */
  readonly goals: readonly {
    readonly status: string;
    readonly on: string;
    readonly count: number;
  }[];
  /** Workers by state: up, draining, lost. */
  readonly workers: readonly { readonly state: string; readonly count: number }[];
  /** Goals in the lines for workspaces. */
  readonly queued: number;
  readonly openApprovals: number;
  /** Of the approval that has waited longest; 0 without one. */
  readonly oldestApprovalSeconds: number;
  /** Of the goal that has waited longest for an execution; 0 without one. */
  readonly oldestUnstartedSeconds: number;
  /** Of the wait that is due longest and was not decided; 0 without one. */
  readonly oldestDueSeconds: number;
  /** Webhook deliveries that are to be tried again. */
  readonly undelivered: number;
}
