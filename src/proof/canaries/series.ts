import type { JudgeText } from './judge.ts';
import { type Literal, withLiterals } from './literals.ts';
import type { Cases } from './parts.ts';

/*
 * Each part of a text has series of other values, one value a round: a round takes one of each part.
 */

/** Values, one in each round from this one on. */
export interface Series {
  readonly begins: number;
  readonly values: readonly Literal[];
}

export interface Unit {
  readonly judge: JudgeText;
  readonly cases: Cases;
  /** The first one that has a value in a round counts. */
  readonly series: readonly Series[];
}

export const valueIn = (series: Series | undefined, at: number): Literal | undefined =>
  series?.values[at - series.begins];

/** Texts with other values in them, by path. */
export type Round = ReadonlyMap<string | null, string>;

/** What all of these say in this round. */
export function roundOf(at: number, units: readonly Unit[]): Round {
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

/**
 * Tests that have to notice in this round, each of them: what is altered is all that they failed at.
 * Places of that name where it is not say something else.
 */
export function eachOf(
  at: number,
  units: readonly Unit[],
  isTest: (unit: Unit) => boolean,
  helperOf: ReadonlyMap<Cases, Cases>,
): ReadonlyMap<string, number> {
  const asking = new Set(
    units.filter(({ series: [pin] }) => valueIn(pin, at)?.isForAll).map(({ cases }) => cases),
  );
  const isAsked = ({ cases }: Unit) =>
    asking.has(cases) || asking.has(helperOf.get(cases) ?? cases);
  const own = units.filter(isTest);
  const besides = (test: string) =>
    own.filter((unit) => unit.cases.includes(test) && !isAsked(unit)).length;
  return new Map([...asking].flat().map((test) => [test, besides(test)]));
}
