import type { Judge, JudgeText } from './judge.ts';
import type { Asked } from './pins.ts';

/** Names of one test, whose cases share its text: not each of them may use what stands there. */
export type Cases = readonly string[];

export interface Part {
  readonly judge: JudgeText;
  readonly from: number;
  readonly to: number;
  /** None where no runner tells. */
  readonly cases: Cases;
  /** Beside what is known of tests: not each line of it is one of theirs. */
  readonly isRest?: boolean;
  /** Only what its tests failed at is theirs. */
  readonly isHelper?: boolean;
  /** Of those at which it failed, the ones that it is asked. */
  readonly lines?: readonly number[];
}

export const askedIn = (
  { judge: { path, text }, from, to, cases, lines }: Part,
  failedAt: NonNullable<Judge['failedAt']>,
): Asked => ({
  ...{ text, from, to, isTest: cases.length > 0 },
  failedAt: lines ?? (path === null ? [] : failedAt(path)),
});
