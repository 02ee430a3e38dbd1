import { useCallback, useRef, useState } from 'react';

/**
 * Which turns are open: the newest, and what a person opened. One that is the newest no longer
 * closes, unless somebody is at it.
 */
export function useOpenTurns(newest: number, asked: number) {
  const [byHand, setByHand] = useState<ReadonlyMap<number, boolean>>(
    new Map(asked > 0 ? [[asked, true]] : []),
  );
  const latest = useRef(newest);
  latest.current = newest;
  const [last, setLast] = useState(newest);
  if (last !== newest) {
    setLast(newest);
    // The page still shows it open.
    if (!byHand.has(last) && isAttended(last)) setByHand(new Map(byHand).set(last, true));
  }
  const set = useCallback(
    (turn: number, next: (isOpen: boolean) => boolean) =>
      setByHand((before) => {
        const isOpen = before.get(turn) ?? turn === latest.current;
        return new Map(before).set(turn, next(isOpen));
      }),
    [],
  );
  return {
    has: (turn: number): boolean => byHand.get(turn) ?? turn === newest,
    toggle: useCallback((turn: number) => set(turn, (isOpen) => !isOpen), [set]),
    open: useCallback((turn: number) => set(turn, () => true), [set]),
  };
}

/** The pointer or the focus lies in it: what one reads or presses does not go away. */
function isAttended(turn: number): boolean {
  const row = document.getElementById(`turn-${turn}`);
  return row !== null && (row.matches(':hover') || row.contains(document.activeElement));
}
