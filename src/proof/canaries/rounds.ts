import { isCode } from '../scope/code-files.ts';
import { helpedIn } from './helpers.ts';
import type { Judge, JudgeText } from './judge.ts';
import { readsRows, rowBehind, rowsBehind } from './last-demand.ts';
import {
  type Literal,
  lastSign,
  literalsOf,
  moved,
  type Reading,
  withLiterals,
} from './literals.ts';
import { askedIn, type Cases, groupsOf, type Part, partsOf, restsOf, whole } from './parts.ts';
import { pinsIn } from './pinned.ts';
import { muteIn } from './pins.ts';
import { placesIn, spellingsOf } from './places.ts';
import { mayHoldRows, valuesUnder, wantedOf } from './rows.ts';
import { eachOf, type Round, roundOf, type Series, type Unit, valueIn } from './series.ts';

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
  const { failedAt } = asked;
  const reads = readingOf(asked);
  const found = partsIn(asked, reads);
  const { named, unplaced, rests, helped, parts } = found;
  const series = pinsIn(parts, asked, reads);
  const inTexts = Math.max(0, ...series.map(({ begins, values }) => begins + values.length));
  const tables = failedAt === undefined || named.length > 0 ? [] : tablesOf(asked, inTexts);
  const pins = inTexts + tables.length;
  const { own, compared, above, first } = unitsOf(asked, found, series, pins, reads);
  const units = [...own, ...tables, ...compared, ...above];
  const rounds = Array.from({ length: first + MOST_ROUNDS }, (_, at) => roundOf(at, units));
  const mute =
    failedAt === undefined
      ? []
      : named.flatMap((part) => muteIn(askedIn(part, failedAt), reads(part.judge)));
  // Code of a test that no text names may stand behind that of another one.
  const groups = groupsOf(rests);
  const areIn = (some: readonly JudgeText[], isMeant: (unit: Unit) => boolean) =>
    [...own, ...above].some((unit) => some.includes(unit.judge) && isMeant(unit));
  const isRest = new Set<Cases>(
    [...rests, ...helped.map(({ helper }) => helper)].map(({ cases }) => cases),
  );
  const isTest = ({ cases }: Unit) => cases.length > 0 && !isRest.has(cases);
  const helperOf = new Map(
    helped.flatMap(({ helper, by }) => by.map(({ cases }) => [cases, helper.cases] as const)),
  );
  const inPins = <Found>(foundAt: (at: number) => Found): Found[] =>
    Array.from({ length: pins }, (_, at) => foundAt(at));
  return {
    rounds: rounds.filter((round) => round.size > 0),
    pinned: inPins((at) =>
      [...own, ...tables].flatMap(({ series: [pin], cases }) =>
        valueIn(pin, at) === undefined ? [] : [orItself(cases)],
      ),
    ),
    each: inPins((at) => eachOf(at, own, isTest, helperOf)),
    comparing: [
      ...own.filter((unit) => isComparing(unit) && isTest(unit)).map(({ cases }) => cases),
      ...groups.flatMap(({ cases, judges }) => (areIn(judges, isComparing) ? [cases] : [])),
    ],
    rows: rowsOf(asked, parts),
    unplaced,
    mute: [...new Set(mute)],
    unasked: groups.flatMap(({ cases, judges }) => (areIn(judges, hasValue) ? [] : cases)),
  };
}

type Reads = (judge: JudgeText) => Reading;

/** Strings that name a file, a test or what a function is given are no values. */
function readingOf({ texts, tests, others, isPath }: Judge): Reads {
  const names = new Set([...tests, ...others].flatMap(spellingsOf));
  const parameters = new Set(texts.flatMap(({ text }) => parametersIn(text)));
  const isParameter = (value: string) =>
    value.split(',').every((one) => parameters.has(one.trim()));
  const isName = (value: string) => isPath(value) || names.has(value) || isParameter(value);
  return ({ path, lines }) => ({ isName, lines, path, isCommand: path === null });
}

/** Where its tests are, and all parts that have values of their own. */
function partsIn(asked: Judge, reads: Reads) {
  const { texts, tests, others } = asked;
  const places = placesIn(texts, tests.length === 0 ? [] : [...tests, ...others]);
  const named = texts.flatMap((judge) => partsOf(judge, tests, places));
  const isPlaced = new Set(named.flatMap(({ cases }) => cases));
  const unplaced = tests.filter((test) => !isPlaced.has(test));
  const rests = named.length > 0 ? restsOf(asked, unplaced, places, named) : [];
  const helped = helpedIn(asked, named, places, reads);
  const parts: Part[] =
    named.length > 0
      ? [...named, ...rests, ...helped.map(({ helper }) => helper)]
      : texts.map(whole);
  return { places, named, unplaced, rests, helped, parts };
}

/** By part, data and table above the tests, the values that it has in each round. */
function unitsOf(
  { data, blamed = [] }: Judge,
  { places, named, helped, parts }: ReturnType<typeof partsIn>,
  pinned: readonly Series[],
  pins: number,
  reads: Reads,
) {
  const valuesOf = ({ judge, from, to }: Part) =>
    literalsOf(judge.text.slice(from, to), reads(judge)).map((one) => moved(one, from));
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
    const behind = values.length + (pinsOfHelper.get(part) ?? 0);
    const series = [
      { begins, values },
      { begins: part.cases.length === 0 || part.isRest ? first : behind, values: rest },
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
  return { own, compared, above, first };
}

const isComparing = ({ series }: Unit): boolean =>
  series
    .flatMap(({ values }) => values)
    .slice(0, MOST_ROUNDS)
    .some(({ isCompared }) => isCompared);

const hasValue = ({ series }: Unit): boolean => series.some(({ values }) => values.length > 0);

/** The check itself has an empty name. */
const orItself = (cases: Cases): Cases => (cases.length === 0 ? [''] : cases);

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
  return [{ round, cases: asking.map(({ cases }) => orItself(cases)) }];
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

/** Names of what functions are given, which `@pytest.mark.parametrize('one, other', …)` says again. */
const parametersIn = (text: string): string[] =>
  [...text.matchAll(/\bdef\s+\w+\s*\(([^()]*)\)/g)].flatMap(
    ([, list = '']) => list.match(/[A-Za-z_]\w*/g) ?? [],
  );
