import { useEffect, useState } from 'react';

/** The value as it was when it last stayed the same for a while. */
export function useSettled<Value>(value: Value, calmMs: number): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal values are the same here.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), calmMs);
    return () => clearTimeout(timer);
  }, [text, calmMs]);
  return settled;
}
