import type { Activity } from '../../../schema/goal.ts';

/**
 * The activity of a goal that should move while no worker serves its host. The record says what was
 * committed last, and without any worker nobody commits that it is one that is missing.
 */
export function unservedActivity(host: string, since: string): Activity {
  return {
    state: 'waiting',
    on: 'worker',
    reason: `no worker serves ${host}`,
    since,
    actor: 'Worker',
  };
}
