export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Milliseconds that the model had no part in: from one answer to the next question. */
export function gaps({
  asked,
  answered,
}: {
  readonly asked: readonly number[];
  readonly answered: readonly number[];
}): number[] {
  return asked.slice(1).map((at, index) => at - (answered[index] ?? Number.NaN));
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
