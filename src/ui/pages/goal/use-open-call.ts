import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** Opens a call of the goal beside the page that it stands on. */
export function useOpenCall(): (seq: number) => void {
  const [, setSearch] = useSearchParams();
  return useCallback(
    (seq: number) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        after.set('call', String(seq));
        return after;
      }),
    [setSearch],
  );
}
