import type { Judge, JudgeText } from './judge.ts';
import { demandBehind } from './last-demand.ts';
import type { Literal, Reading } from './literals.ts';
import { askedIn, type Part } from './parts.ts';
import { comparedOf, drawn, MOST_PINS, pinsOf } from './pins.ts';
import type { Series } from './series.ts';

/**
 * By part, the values that have to be noticed. A test has a round with others, because each of them
 * tells; where no runner does, each value has a round of its own.
 */
export function pinsIn(
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
