/**
 * Changes to what a workflow schedules, by the id that `patched` records in its history: a run that
 * began before the change replays the way it went. An id stays for as long as such runs may live.
 */

/** Since 0.1.0: the workspace is looked at once more before a completion is committed. */
export const CONFIRM_EVIDENCE = 'confirm-evidence';

/** Since 0.1.0: a deadline ends a wait. */
export const DEADLINE_IN_WAITS = 'deadline-in-waits';

/** Since 0.1.0: a reviewer that is away is waited for. */
export const REVIEWER_AWAY = 'reviewer-away';

/** Since 0.1.0: a review that the budget can't pay for is a limit. */
export const REVIEW_UNPAID = 'review-unpaid';

/** Since 0.1.0: a yield asks about changes beyond the scope, as a claim does. */
export const ASKS_ON_YIELD = 'asks-on-yield';

/** Since 0.1.0: a full run ends while updates are under way, and its waits end for it. */
export const LEAVES_BUSY = 'leaves-busy';

/** Since 0.1.0: a program's message ends no look at what the model waits for. */
export const QUIET_LOOKS = 'quiet-looks';

/** Since 0.1.0: payloads are encrypted, so that a signal bears proof and an activity's id its run. */
export const SEALED_HISTORY = 'sealed-history';

/** Since 0.1.0: an activity's result says that it is one. Takes the place of `sealed-history`. */
export const NAMED_RESULTS = 'named-results';

/** Since 0.1.0: a refused result is asked for again after a pause, and so many times. */
export const PACED_REFUSALS = 'paced-refusals';
