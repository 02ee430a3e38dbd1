import type { Judge, JudgeText } from './judge.ts';
import type { Asked } from './pins.ts';
import { isOwnFile, type Places, placesIn } from './places.ts';

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

export const whole = (judge: JudgeText): Part => ({
  ...{ judge, from: 0, to: judge.text.length, cases: [] },
});

/** From each place that names the test to the next one that names a test. */
export function partsOf(judge: JudgeText, tests: readonly string[], places: Places): Part[] {
  const all = places.get(judge) ?? new Map<string, readonly number[]>();
  const begins = new Map<number, string[]>();
  for (const test of tests) {
    for (const at of all.get(test) ?? []) begins.set(at, [...(begins.get(at) ?? []), test]);
  }
  const ends = [...new Set([...all.values()].flat()), judge.text.length].sort((a, b) => a - b);
  return [...begins]
    .sort(([one], [other]) => one - other)
    .map(([from, cases]) => ({
      ...{ judge, from, to: ends.find((end) => end > from) ?? from, cases },
    }));
}

/**
 * Where tests may stand that no text names: what is in front of other tests of their file, or all of
 * it, and texts without tests, such as a helper or a table. One of them has to notice.
 */
export function restsOf(
  { texts }: Judge,
  unplaced: readonly string[],
  places: Places,
  named: readonly Part[],
): Part[] {
  const isOwn = (test: string, { path }: JudgeText) => isOwnFile(test, path);
  const isKnown = new Set(unplaced.filter((test) => texts.some((judge) => isOwn(test, judge))));
  const hasTests = new Set(named.map(({ judge }) => judge));
  return texts.flatMap((judge) => {
    const cases = unplaced.filter(
      (test) => !(isKnown.has(test) && hasTests.has(judge)) || isOwn(test, judge),
    );
    if (cases.length === 0) return [];
    const begins = [...(places.get(judge)?.values() ?? [])].flat();
    const to = hasTests.has(judge) ? Math.min(...begins) : judge.text.length;
    return [{ judge, from: 0, to, cases, isRest: true }];
  });
}

/** Tests that no text names, by the texts in which they may stand. */
export function groupsOf(rests: readonly Part[]) {
  const byTest = new Map<string, JudgeText[]>();
  for (const { cases, judge } of rests) {
    for (const test of cases) byTest.set(test, [...(byTest.get(test) ?? []), judge]);
  }
  const groups = new Map<string, { readonly cases: string[]; readonly judges: JudgeText[] }>();
  for (const [test, judges] of byTest) {
    const key = judges.map(({ path }) => path).join('\n');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { cases: [test], judges });
    else known.cases.push(test);
  }
  return [...groups.values()];
}

/** The parts of texts that have to notice, each with the tests by which that shows. */
export function partsWithTests({ texts, tests, others }: Judge) {
  const places = placesIn(texts, tests.length === 0 ? [] : [...tests, ...others]);
  return texts.flatMap(({ path, text }, index) => {
    const judge = texts[index];
    if (path === null || judge === undefined) return [];
    const own = partsOf(judge, tests, places);
    const begins = [...(places.get(judge)?.values() ?? [])].flat();
    const above = Math.min(text.length, ...begins);
    const all = tests.length === 0 ? [''] : tests;
    const parts = [
      { span: [0, above] as const, tests: all },
      ...own.map(({ from, to, cases }) => ({ span: [from, to] as const, tests: cases })),
    ];
    return [{ path, text, parts }];
  });
}
