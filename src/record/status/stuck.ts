import type { Activity } from '../../../schema/goal.ts';
import type { StuckRun } from '../../contract/stuck-run.ts';
import { firstAndLast, visibleLine } from '../foreign-text.ts';

/** How Temporal's workers begin the failure of a history that their code does not lead to. */
const OTHER_CODE = /nondeterminism|non-determin|TMPRL1100/i;

const MOST_SHOWN = 200;

/** Why a goal stands still, and the way out. */
export function stuckWords({ task, attempts, failure, version }: StuckRun): {
  readonly why: string;
  readonly wayOut: string;
} {
  const shown = firstAndLast(visibleLine(failure), MOST_SHOWN) || 'no worker said why';
  if (task !== 'workflow')
    return {
      why: `${task} failed ${attempts} times: ${shown}`,
      wayOut: 'mend what it names; it is tried again by itself',
    };
  if (!OTHER_CODE.test(failure))
    return {
      why: `its workflow failed ${attempts} times: ${shown}`,
      wayOut: 'look at the workers’ logs; it is tried again by itself',
    };
  const began = version === null ? 'another version' : `version ${version}`;
  return {
    why: `its workers have other workflow code than ${began}, which began it`,
    wayOut: `start workers of ${version === null ? 'that version' : version}, or of a newer one`,
  };
}

/** The record says what was committed last; nothing is committed while its tasks fail. */
export function stuckActivity(run: StuckRun): Activity {
  const { why, wayOut } = stuckWords(run);
  return {
    state: 'waiting',
    on: 'execution',
    reason: `${why}; ${wayOut}`,
    since: run.since,
    actor: 'You',
  };
}
