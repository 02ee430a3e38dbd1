import type { AppliedBranch } from '../schema/applied-branch.ts';
import type { AppliesOnHost, ApplyRef } from '../src/contract/applies.ts';
import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { applyBranch as apply } from '../src/worktrees/finish-apply.ts';
import { withActivity } from './activity-context.ts';
import { type TellRefused, withOrders } from './refused-orders.ts';

/** The queue that serves the workspace that a branch is brought into. */
export const findApply =
  (applies: AppliesOnHost, tell: TellRefused) =>
  (ref: ApplyRef): Promise<{ readonly taskQueue: string }> =>
    withOrders(tell, { what: 'start', name: 'applyBranchWorkflow' }, async () => ({
      taskQueue: await applies.queueOf(ref),
    }));

/** Brings a goal's branch into its workspace; a retry goes on where the last attempt stopped. */
export const applyBranch =
  (ports: TurnPorts, tell: TellRefused) =>
  (ref: ApplyRef): Promise<AppliedBranch> =>
    withActivity((signal) =>
      withOrders(tell, { what: 'activity', name: 'applyBranch' }, () => apply(ports, ref, signal)),
    );
