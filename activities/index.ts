import type { TurnPorts } from '../src/turn/turn-ports.ts';
import { applyBranch, findApply } from './apply-branch.ts';
import { checkEvidence } from './check-evidence.ts';
import { commitMutation } from './commit-mutation.ts';
import { commitTransition } from './commit-transition.ts';
import { commitWait } from './commit-wait.ts';
import { confirmEvidence } from './confirm-evidence.ts';
import { endWorkspaceWait } from './end-workspace-wait.ts';
import { expire } from './expire.ts';
import { findCheck } from './find-check.ts';
import { fireWait } from './fire-wait.ts';
import { lookAtRewind } from './look-at-rewind.ts';
import { lookAtSchedule } from './look-at-schedule.ts';
import { lookForWait } from './look-for-wait.ts';
import { openExecution } from './open-execution.ts';
import { recordTurn } from './record-turn.ts';
import type { TellRefused } from './refused-orders.ts';
import { rewindWorkspace } from './rewind-workspace.ts';
import { runTurn } from './run-turn.ts';
import { syncDelegation } from './sync-delegation.ts';
import { tryCheck } from './try-check.ts';

/** Short commits on the queue that the workflows share. */
export function createSharedActivities(
  {
    record,
    checkOrders,
    applies,
    alarms,
  }: Pick<TurnPorts, 'record' | 'checkOrders' | 'applies' | 'alarms'>,
  tell: TellRefused,
) {
  return {
    findCheck: findCheck(checkOrders, tell),
    findApply: findApply(applies, tell),
    lookAtSchedule: lookAtSchedule(alarms, tell),
    openExecution: openExecution(record, tell),
    commitMutation: commitMutation(record, tell),
    commitWait: commitWait(record),
    commitTransition: commitTransition(record),
    endWorkspaceWait: endWorkspaceWait(record),
    fireWait: fireWait(record),
    /** Workflow histories contain this name. */
    heedFamily: syncDelegation(record),
    expire: expire(record),
    recordTurn: recordTurn(record),
  };
}

/** Activities that need the files: workers of the workspace's host serve them. */
export function createWorkspaceActivities(ports: TurnPorts, tell: TellRefused) {
  return {
    runTurn: withoutSecrets(ports, runTurn(ports)),
    lookForWait: withoutSecrets(ports, lookForWait(ports)),
    checkEvidence: withoutSecrets(ports, checkEvidence(ports)),
    confirmEvidence: withoutSecrets(ports, confirmEvidence(ports)),
    lookAtRewind: withoutSecrets(ports, lookAtRewind(ports)),
    rewindWorkspace: withoutSecrets(ports, rewindWorkspace(ports)),
    tryCheck: withoutSecrets(ports, tryCheck(ports, tell)),
    applyBranch: withoutSecrets(ports, applyBranch(ports, tell)),
    /** Returns as soon as a worker serves the queue. */
    greet: async (): Promise<void> => {},
  };
}

/** Temporal stores results of activities, so secrets are masked. */
function withoutSecrets<Input, Answer>(
  { secrets }: TurnPorts,
  activity: (input: Input) => Promise<Answer>,
): (input: Input) => Promise<Answer> {
  if (secrets === undefined) return activity;
  return async (input) => secrets.mask.value(await activity(input));
}

export type SharedActivities = ReturnType<typeof createSharedActivities>;
export type WorkspaceActivities = ReturnType<typeof createWorkspaceActivities>;
