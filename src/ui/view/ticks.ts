const MINUTE = 60_000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440].map((minutes) => minutes * MINUTE);
const MOST_TICKS = 5;

/** Round times between two others, few enough to read. */
export function ticksOf(from: number, to: number): number[] {
  const step = STEPS.find((one) => (to - from) / one <= MOST_TICKS) ?? (to - from) / MOST_TICKS;
  const first = Math.ceil(from / step) * step;
  const ticks: number[] = [];
  for (let at = first; at <= to; at += step) ticks.push(at);
  return ticks.length > 0 ? ticks : [from];
}
