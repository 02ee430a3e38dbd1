/**
 * Values that callers choose, such as names of models, as a label: each value is a time series of its
 * own for good, so that those behind the first hundred share one.
 */
export function boundedLabel(most = 100): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most) return 'other';
    known.add(value);
    return value;
  };
}
