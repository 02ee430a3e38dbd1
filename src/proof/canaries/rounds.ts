import { isCode } from '../scope/code-files.ts';
import { helpedIn } from './helpers.ts';
import type { Judge, JudgeText } from './judge.ts';
import { demandBehind, readsRows, rowBehind, rowsBehind } from './last-demand.ts';
import {
  type Literal,
  lastSign,
  literalsOf,
  moved,
  type Reading,
  withLiterals,
} from './literals.ts';
import { askedIn, type Cases, type Part } from './parts.ts';
import { comparedOf, drawn, MOST_PINS, muteIn, pinsOf } from './pins.ts';
import { isOwnFile, type Places, placesIn, spellingsOf } from './places.ts';
import { mayHoldRows, valuesUnder, wantedOf } from './rows.ts';

/** Texts with other values in them, by path. */
export type Round = ReadonlyMap<string | null, string>;

export interface Rounds {
  readonly rounds: readonly Round[];
  /** Tests of which a compared value is altered: each has to notice. */
  readonly comparing: readonly Cases[];
  /**
   * By round: the tests of which a value is altered that the original did not hold, or never came
   * to; a check without names of tests has an empty one. Each of them has to notice in that round.
   */
  readonly pinned: readonly (readonly Cases[])[];
  /**
   * By round: tests that say what is altered, each of which has to notice by itself, with the number
   * of places of that name that say something else.
   */
  readonly each: readonly ReadonlyMap<string, number>[];
  /** Rounds for tests of which nothing else tells what their rows want: each has to notice. */
  readonly rows: readonly { readonly round: Round; readonly cases: readonly Cases[] }[];
  /** Tests that have to notice, of which no text tells where they are. */
  readonly unplaced: readonly string[];
  /** Of them, those for which no value could be another one, beside others for which one could. */
  readonly unasked: readonly string[];
  /** What tests demanded that failed on the original, and of which no opposite is known. */
  readonly mute: readonly string[];
}

const MOST_ROUNDS = 4;

/**
 * Rounds in which the judge expects something else: in each round one value of every test that has
 * to notice, or of every text where tests have no names.
 */
export function roundsOf(asked: Judge): Rounds {
  const { texts, data, tests, others, isPath, failedAt, blamed = [] } = asked;
  const names = new Set([...tests, ...others].flatMap(spellingsOf));
  const parameters = new Set(texts.flatMap(({ text }) => parametersIn(text)));
  const isParameter = (value: string) =>
    value.split(',').every((one) => parameters.has(one.trim()));
  const isName = (value: string) => isPath(value) || names.has(value) || isParameter(value);
  const reads = ({ path, lines }: JudgeText): Reading => ({
    ...{ isName, lines, path, isCommand: path === null },
  });
  const valuesOf = ({ judge, from, to }: Part) =>
    literalsOf(judge.text.slice(from, to), reads(judge)).map((one) => moved(one, from));
  const places = placesIn(texts, tests.length === 0 ? [] : [...tests, ...others]);
  const named = texts.flatMap((judge) => partsOf(judge, tests, places));
  const isPlaced = new Set(named.flatMap(({ cases }) => cases));
  const unplaced = tests.filter((test) => !isPlaced.has(test));
  const rests = named.length > 0 ? restsOf(asked, unplaced, places, named) : [];
  const helped = helpedIn(asked, named, places, reads);
  const parts =
    named.length > 0
      ? [...named, ...rests, ...helped.map(({ helper }) => helper)]
      : texts.map(whole);
  const pinned = pinsIn(parts, asked, reads);
  const mute =
    failedAt === undefined
      ? []
      : named.flatMap((part) => muteIn(askedIn(part, failedAt), reads(part.judge)));
  const inTexts = Math.max(0, ...pinned.map(({ begins, values }) => begins + values.length));
  const tables = failedAt === undefined || named.length > 0 ? [] : tablesOf(asked, inTexts);
  const pins = inTexts + tables.length;
  const isBlamed = ({ path }: JudgeText) => path !== null && blamed.includes(path);
  // What was asked and given may differ in the same way: what the failure named is altered alone.
  const first = pins + (data.some(isBlamed) ? 1 : 0);
  const pinsOfHelper = new Map(
    helped.flatMap(({ helper, by }) => {
      const { length } = pinned[parts.indexOf(helper)]?.values ?? [];
      return by.map((part) => [part, length] as const);
    }),
  );
  const own = parts.map((part, index): Unit => {
    const { begins = 0, values = [] } = pinned[index] ?? {};
    const rest = part.isHelper
      ? []
      : valuesOf(part).filter(({ at }) => !values.some((pin) => pin.at === at));
    // Tests are looked at one by one, so that another value of one waits for no pin of another, but
    // for those of the helper at which it failed.
    const own = values.length + (pinsOfHelper.get(part) ?? 0);
    const series = [
      { begins, values },
      { begins: part.cases.length === 0 || part.isRest ? first : own, values: rest },
    ];
    return { judge: part.judge, cases: part.cases, series };
  });
  const compared = data.map((judge): Unit => {
    const some = valuesOf(whole(judge)).slice(0, MOST_ROUNDS - 1);
    const last = lastSign(judge.text);
    const series = isBlamed(judge)
      ? { begins: pins, values: [...last, ...some] }
      : { begins: first, values: [...some, ...last] };
    return { judge, cases: [], series: [series] };
  });
  // Tables of cases stand above the tests that walk them.
  const above = [...new Set(named.map(({ judge }) => judge))].map((judge): Unit => {
    const end = Math.min(...[...(places.get(judge)?.values() ?? [])].flat());
    const values = valuesOf({ judge, from: 0, to: end, cases: [] });
    return { judge, cases: [], series: [{ begins: first + 1, values }] };
  });
  const rounds = Array.from({ length: first + MOST_ROUNDS }, (_, at) =>
    roundOf(at, [...own, ...tables, ...compared, ...above]),
  );
  const isComparing = ({ series }: Unit) =>
    series
      .flatMap(({ values }) => values)
      .slice(0, MOST_ROUNDS)
      .some(({ isCompared }) => isCompared);
  // Code of a test that no text names may stand behind that of another one.
  const hasValue = ({ series }: Unit) => series.some(({ values }) => values.length > 0);
  const groups = groupsOf(rests);
  const areIn = (some: readonly JudgeText[], isMeant: (unit: Unit) => boolean) =>
    [...own, ...above].some((unit) => some.includes(unit.judge) && isMeant(unit));
  const isRest = new Set<Cases>(
    [...rests, ...helped.map(({ helper }) => helper)].map(({ cases }) => cases),
  );
  const helperOf = new Map(
    helped.flatMap(({ helper, by }) => by.map(({ cases }) => [cases, helper.cases] as const)),
  );
  return {
    rounds: rounds.filter((round) => round.size > 0),
    pinned: Array.from({ length: pins }, (_, at) =>
      [...own, ...tables].flatMap(({ series: [pin], cases }) =>
        valueIn(pin, at) === undefined ? [] : [cases.length === 0 ? [''] : cases],
      ),
    ),
    each: Array.from({ length: pins }, (_, at) => eachOf(at, own, isRest, helperOf)),
    comparing: [
      ...own
        .filter((unit) => isComparing(unit) && unit.cases.length > 0 && !isRest.has(unit.cases))
        .map(({ cases }) => cases),
      ...groups.flatMap(({ cases, judges }) => (areIn(judges, isComparing) ? [cases] : [])),
    ],
    rows: rowsOf(asked, parts),
    unplaced,
    mute: [...new Set(mute)],
    unasked: groups.flatMap(({ cases, judges }) => (areIn(judges, hasValue) ? [] : cases)),
  };
}

/**
 * By part, the values that have to be noticed. A test has a round with others, because each of them
 * tells; where no runner does, each value has a round of its own.
 */
function pinsIn(
  parts: readonly Part[],
  { data, tests, failedAt, blamed = [], isRun = () => false, lot = () => 0 }: Judge,
  reads: (judge: JudgeText) => Reading,
): Series[] {
  if (failedAt === undefined) return [];
  const askedOf = (part: Part) => askedIn(part, failedAt);
  const found = parts.map((part) => {
    const pins = pinsOf(askedOf(part), reads(part.judge), lot);
    return part.isHelper ? pins.filter(({ isForAll }) => isForAll) : pins;
  });
  const isBlamed = data.some(({ path }) => path !== null && blamed.includes(path));
  const isTold = isBlamed || found.some((pins) => pins.length > 0);
  const isSure = ({ judge: { path }, cases }: Part) =>
    path !== null && (cases.length > 0 || isRun(path));
  const isReached = (part: Part, pins: readonly Literal[]) =>
    pins.length > 0 ||
    isSure(part) ||
    (part.judge.path !== null && askedOf(part).failedAt.length > 0);
  const areNamed = parts.some(({ cases }) => cases.length > 0);
  // Where a runner tells them apart, what one test failed at says nothing of another one.
  const candidates = parts.map((part, at) => {
    const own = found[at] ?? [];
    const isOpen = areNamed ? own.length === 0 : !isTold;
    return isOpen && isSure(part) && part.isRest !== true
      ? comparedOf(askedOf(part), reads(part.judge), lot)
      : own;
  });
  if (areNamed) {
    return candidates.map((values) => ({ begins: 0, values: drawn(values, MOST_PINS, lot) }));
  }
  const chosen = new Set(isTold ? candidates.flat() : drawn(candidates.flat(), MOST_PINS, lot));
  let begins = 0;
  return candidates.map((all, at) => {
    const part = parts[at];
    const [first, ...more] = all.filter((one) => chosen.has(one));
    const ends =
      part !== undefined && tests.length === 0 && isReached(part, all)
        ? demandBehind(askedOf(part), reads(part.judge))
        : [];
    const values = [...(first === undefined ? [] : [first]), ...ends, ...more];
    const series = { begins, values };
    begins += values.length;
    return series;
  });
}

/**
 * Tests that have to notice in this round, each of them: what is altered is all that they failed at.
 * Places of that name where it is not say something else.
 */
function eachOf(
  at: number,
  units: readonly Unit[],
  isRest: ReadonlySet<Cases>,
  helperOf: ReadonlyMap<Cases, Cases>,
): ReadonlyMap<string, number> {
  const asking = new Set(
    units.filter(({ series: [pin] }) => valueIn(pin, at)?.isForAll).map(({ cases }) => cases),
  );
  const isAsked = ({ cases }: Unit) =>
    asking.has(cases) || asking.has(helperOf.get(cases) ?? cases);
  const own = units.filter(({ cases }) => cases.length > 0 && !isRest.has(cases));
  const besides = (test: string) =>
    own.filter((unit) => unit.cases.includes(test) && !isAsked(unit)).length;
  return new Map([...asking].flat().map((test) => [test, besides(test)]));
}

/** The round in which all rows want something else, where the original failed at one of them. */
function rowsOf(judge: Judge, parts: readonly Part[]) {
  const { failedAt } = judge;
  if (failedAt === undefined) return [];
  const holding = mayHoldRows(judge);
  const found = new Map<JudgeText, Map<number, Literal>>();
  const asking = parts.filter((part) => {
    if (part.isRest === true || part.judge.path === null) return false;
    const values = wantedOf(askedIn(part, failedAt)).flatMap((key) =>
      holding.map((text) => ({ text, literals: valuesUnder(key, text) })),
    );
    for (const { text, literals } of values) {
      const known = found.get(text) ?? new Map<number, Literal>();
      for (const literal of literals) known.set(literal.at, literal);
      found.set(text, known);
    }
    return values.some(({ literals }) => literals.length > 0);
  });
  if (asking.length === 0) return [];
  const round: Round = new Map(
    [...found].flatMap(([{ path, text }, literals]) =>
      literals.size === 0 ? [] : [[path, withLiterals(text, [...literals.values()])] as const],
    ),
  );
  return [{ round, cases: asking.map(({ cases }) => (cases.length === 0 ? [''] : cases)) }];
}

/** Tests that no text names, by the texts in which they may stand. */
function groupsOf(rests: readonly Part[]) {
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

/** Tables whose rows the judge takes from its input: the last row has to be reached. */
function tablesOf({ texts, data }: Judge, begins: number): Unit[] {
  const all = texts.map(({ text }) => text);
  const tables = [...data, ...texts.filter(({ path }) => path !== null && !isCode(path))];
  const read = tables.filter(({ path }) => readsRows(all, path ?? ''));
  const rows = [
    ...read.map((judge) => ({ judge, values: rowBehind(judge.text) })),
    ...texts.flatMap((judge) => rowsBehind(judge.text).map((row) => ({ judge, values: [row] }))),
  ].filter(({ values }) => values.length > 0);
  return rows.map(({ judge, values }, index): Unit => {
    return { judge, cases: [], series: [{ begins: begins + index, values }] };
  });
}

/** Values, one in each round from this one on. */
interface Series {
  readonly begins: number;
  readonly values: readonly Literal[];
}

interface Unit {
  readonly judge: JudgeText;
  readonly cases: Cases;
  /** The first one that has a value in a round counts. */
  readonly series: readonly Series[];
}

const valueIn = (series: Series | undefined, at: number): Literal | undefined =>
  series?.values[at - series.begins];

const whole = (judge: JudgeText): Part => ({
  ...{ judge, from: 0, to: judge.text.length, cases: [] },
});

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

/** Names of what functions are given, which `@pytest.mark.parametrize('one, other', …)` says again. */
const parametersIn = (text: string): string[] =>
  [...text.matchAll(/\bdef\s+\w+\s*\(([^()]*)\)/g)].flatMap(
    ([, list = '']) => list.match(/[A-Za-z_]\w*/g) ?? [],
  );

/** From each place that names the test to the next one that names a test. */
function partsOf(judge: JudgeText, tests: readonly string[], places: Places): Part[] {
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
function restsOf(
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

function roundOf(at: number, units: readonly Unit[]): Round {
  const byJudge = new Map<JudgeText, Map<number, Literal>>();
  for (const { judge, series } of units) {
    const [literal] = series.flatMap((one) => valueIn(one, at) ?? []);
    if (literal === undefined) continue;
    byJudge.set(judge, (byJudge.get(judge) ?? new Map()).set(literal.at, literal));
  }
  return new Map(
    [...byJudge].map(([judge, literals]) => [
      judge.path,
      withLiterals(judge.text, [...literals.values()]),
    ]),
  );
}
