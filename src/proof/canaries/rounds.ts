import { type Literal, lastSign, literalsOf, moved, withLiterals } from './literals.ts';
import { pinsOf } from './pins.ts';

/** A text by which a check judges; the command itself has no path. */
export interface JudgeText {
  readonly path: string | null;
  readonly text: string;
  /** Absent where all of it judges: the lines that do, trimmed. */
  readonly lines?: ReadonlySet<string>;
}

export interface Judge {
  /** Where the check begins: its command, and the files that it runs. */
  readonly texts: readonly JudgeText[];
  /** Files that texts of the judge name, and that hold what is compared. */
  readonly data: readonly JudgeText[];
  /** Names of tests that have to notice; none where no runner tells. */
  readonly tests: readonly string[];
  /** Names of other tests, which end the part of one that has to. */
  readonly others: readonly string[];
  readonly isPath: (value: string) => boolean;
  /** Lines of a text at which the check failed on the original, from 1. */
  readonly failedAt?: (path: string) => readonly number[];
  /** Data that this failure named, as `diff` does. */
  readonly blamed?: readonly string[];
  /** One of so many, from 0, by lot. */
  readonly lot?: (count: number) => number;
}

/** Texts with other values in them, by path. */
export type Round = ReadonlyMap<string | null, string>;

export interface Rounds {
  readonly rounds: readonly Round[];
  /** Tests of which a compared value is altered: each has to notice. */
  readonly comparing: readonly string[];
  /**
   * By round: the tests of which a value is altered that the original did not hold, or never came
   * to; a check without names of tests has an empty one. Each of them has to notice in that round.
   */
  readonly pinned: readonly (readonly string[])[];
}

const MOST_ROUNDS = 4;
const MOST_TESTS = 50;

/**
 * Rounds in which the judge expects something else: in each round one value of every test that has
 * to notice, or of every text where tests have no names.
 */
export function roundsOf(asked: Judge): Rounds {
  const {
    texts,
    data,
    tests,
    others,
    isPath,
    failedAt = () => [],
    blamed = [],
    lot = () => 0,
  } = asked;
  const names = new Set([...tests, ...others].flatMap(spellingsOf));
  const isName = (value: string) => isPath(value) || names.has(value);
  const unit = ({ judge, from, to, test }: Part): Unit => {
    const reading = { isName, lines: judge.lines, isCommand: judge.path === null };
    const literals = literalsOf(judge.text.slice(from, to), reading).map((one) => moved(one, from));
    const failed = judge.path === null ? [] : failedAt(judge.path);
    const pins = pinsOf({ text: judge.text, from, to, failedAt: failed }, reading, lot);
    const isPin = new Set(pins.map(({ at }) => at));
    const rest = literals.filter(({ at }) => !isPin.has(at));
    return { judge, test, pins: pins.length, literals: [...pins, ...rest] };
  };
  const parts = texts.flatMap((judge) => partsOf(judge, tests.slice(0, MOST_TESTS), others));
  const units = (parts.length > 0 ? parts : texts.map(whole)).map(unit);
  const pins = Math.max(0, ...units.map((one) => one.pins));
  const isBlamed = ({ path }: JudgeText) => path !== null && blamed.includes(path);
  // What was asked and given may differ in the same way: what the failure named is altered alone.
  const first = pins + (data.some(isBlamed) ? 1 : 0);
  const own = units.map((one) =>
    one.test === undefined && one.pins === 0 ? { ...one, begins: first } : one,
  );
  const compared = data.map(whole).map((part) => {
    const { judge, literals } = unit(part);
    const some = literals.slice(0, MOST_ROUNDS - 1);
    const last = lastSign(judge.text);
    return isBlamed(judge)
      ? { judge, literals: [...last, ...some], pins: 0, begins: pins }
      : { judge, literals: [...some, ...last], pins: 0, begins: first };
  });
  // Tables of cases stand above the tests that walk them.
  const above = [...new Set(parts.map(({ judge }) => judge))].map((judge) => {
    const named = [...tests, ...others].flatMap((test) => placesOf(judge.text, test));
    return { ...unit({ judge, from: 0, to: Math.min(...named) }), pins: 0, begins: first + 1 };
  });
  const rounds = Array.from({ length: first + MOST_ROUNDS }, (_, at) =>
    roundOf(at, [...own, ...compared, ...above]),
  );
  const isComparing = ({ literals }: Unit) =>
    literals.slice(0, MOST_ROUNDS).some(({ isCompared }) => isCompared);
  return {
    rounds: rounds.filter((round) => round.size > 0),
    pinned: Array.from({ length: pins }, (_, at) =>
      own.filter((one) => one.pins > at).map(({ test }) => test ?? ''),
    ),
    comparing: own.filter(isComparing).flatMap(({ test }) => test ?? []),
  };
}

interface Part {
  readonly judge: JudgeText;
  readonly from: number;
  readonly to: number;
  readonly test?: string;
}

interface Unit {
  readonly judge: JudgeText;
  readonly literals: readonly Literal[];
  readonly test?: string | undefined;
  /** So many of its values, the first ones, have to be noticed. */
  readonly pins: number;
  /** The round in which its first value is another one. */
  readonly begins?: number;
}

const whole = (judge: JudgeText): Part => ({ judge, from: 0, to: judge.text.length });

/** From each place that names the test to the next one that names a test. */
function partsOf(judge: JudgeText, tests: readonly string[], others: readonly string[]): Part[] {
  const wanted = tests.flatMap((test) =>
    placesOf(judge.text, test).map((from) => ({ test, from })),
  );
  if (wanted.length === 0) return [];
  const ends = [
    ...wanted.map(({ from }) => from),
    ...others.flatMap((one) => placesOf(judge.text, one)),
  ];
  return wanted.map(({ test, from }) => ({
    ...{ judge, test, from },
    to: Math.min(judge.text.length, ...ends.filter((end) => end > from)),
  }));
}

function placesOf(text: string, name: string): number[] {
  for (const spelled of spellingsOf(name)) {
    const places: number[] = [];
    for (let at = text.indexOf(spelled); at >= 0; at = text.indexOf(spelled, at + 1)) {
      const around = text.charAt(at - 1) + text.charAt(at + spelled.length);
      // A line is read whole, because quotes begin in front of a name.
      if (!/\w/.test(around)) places.push(text.lastIndexOf('\n', at) + 1);
    }
    if (places.length > 0) return places;
  }
  return [];
}

/** A report names suites, modules and parameters with a test. */
function spellingsOf(name: string): string[] {
  const last = name.split(' > ').at(-1) ?? '';
  const plain = last.replace(/[[(].*$/s, '').trim();
  const own = [plain.split('::').at(-1), plain.split('/')[0], plain.split('.').at(-1)];
  return [last, plain, ...own].filter((one) => one !== undefined && one !== '') as string[];
}

function roundOf(at: number, units: readonly Unit[]): Round {
  const byJudge = new Map<JudgeText, Map<number, Literal>>();
  for (const { judge, literals, begins = 0 } of units) {
    const literal = literals[at - begins];
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
