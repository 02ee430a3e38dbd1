import { type RefusedPayload, refusedIn } from './refused-payload.ts';

/**
 * Input, result and failure of an activity are encrypted for the same place, so each opens where
 * another is expected, and the input lies in the history for everybody who reaches Temporal. A
 * result therefore says that it is one. The activity's id tells whether its workflow asks for that.
 */
const FIELD = 'goalkeeper.result';
const NAMES_RESULT = '.result';

/**
 * Numbers of activities begin anew in each run, and an earlier run's result must not open in this one.
 * @param namesResult false for runs that began before results were named
 */
export const activityIdOf = (seq: number, runId: string, namesResult: boolean): string =>
  `${seq}.${runId}${namesResult ? NAMES_RESULT : ''}`;

/** What the activity of this id answers with. Nothing at all would be a result that all can send. */
export const resultFor = (activityId: string, value: unknown): unknown =>
  activityId.endsWith(NAMES_RESULT) ? { [FIELD]: value ?? null } : (value ?? null);

export type GivenResult =
  | { readonly refused: RefusedPayload }
  | { readonly refused: null; readonly value: unknown };

/** What came as the result of this activity, if it is one. */
export function resultOf(activityId: string, given: unknown): GivenResult {
  // Workers send no result without a payload, so one that has none isn't theirs.
  if (given === undefined) return { refused: { why: 'plain', keyId: null } };
  const refused = refusedIn(given);
  if (refused !== null) return { refused };
  if (!activityId.endsWith(NAMES_RESULT)) return { refused: null, value: given };
  const isResult = typeof given === 'object' && given !== null && Object.hasOwn(given, FIELD);
  if (!isResult) return { refused: { why: 'forged', keyId: null } };
  return { refused: null, value: (given as Record<typeof FIELD, unknown>)[FIELD] };
}
