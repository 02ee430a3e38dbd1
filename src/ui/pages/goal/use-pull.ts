import { type PointerEvent, useRef, useState } from 'react';
import type { TimeRange } from '../../view/turn-range.ts';

/** Shorter moves are clicks. */
const LEAST_PIXELS = 8;

/** A range that is pulled open with the pointer, told when it is let go. */
export function usePull(timeAt: (x: number) => number, onRange: (range: TimeRange) => void) {
  const start = useRef<number | null>(null);
  const [pulled, setPulled] = useState<TimeRange | null>(null);
  const rangeTo = (x: number): TimeRange | null => {
    if (start.current === null || Math.abs(x - start.current) < LEAST_PIXELS) return null;
    const [one, other] = [timeAt(start.current), timeAt(x)];
    return { from: Math.min(one, other), to: Math.max(one, other) };
  };
  const stop = () => {
    start.current = null;
    setPulled(null);
  };
  const handlers = {
    onPointerDown: ({ clientX }: PointerEvent) => {
      start.current = clientX;
    },
    onPointerMove: ({ clientX, buttons, currentTarget, pointerId }: PointerEvent) => {
      if (start.current === null) return;
      if (buttons === 0) return stop();
      const range = rangeTo(clientX);
      if (range === null) return;
      // It may be let go anywhere, and letting go clicks none of the blocks.
      currentTarget.setPointerCapture(pointerId);
      setPulled(range);
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const range = rangeTo(clientX);
      stop();
      if (range !== null) onRange(range);
    },
    onPointerCancel: stop,
  };
  return { pulled, handlers };
}
