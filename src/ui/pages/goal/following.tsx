import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
} from 'react';

interface Following {
  /** The newest words and lines are kept in sight. */
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

/** One for the pane and the terminals in it: who scrolls up in one of them wants to read. */
export const FollowingContext = createContext<Following>({ isOn: false, set: () => {} });

export const useFollowing = (): Following => useContext(FollowingContext);

/** As near to the end as this is at the end. */
export const NEAR_END = 24;
/** Left free below the end, so that it reads as one. */
const ROOM_BELOW = 16;

/** A part of the page whose end is kept in sight as it grows, where its pane scrolls by itself. */
export function KeptInSight({ children }: { readonly children: ReactNode }) {
  const { isOn } = useFollowing();
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const own = part.current;
    if (!isOn || own === null) return;
    const observer = new ResizeObserver(() => showEnd(own));
    observer.observe(own);
    return () => observer.disconnect();
  }, [isOn]);
  return (
    <div ref={part} data-kept-in-sight="">
      {children}
    </div>
  );
}

function showEnd(part: HTMLElement): void {
  const pane = part.closest('.pane');
  if (!(pane instanceof HTMLElement) || !scrolls(pane)) return;
  const hidden = hiddenBelow(part, pane) + ROOM_BELOW;
  if (hidden > ROOM_BELOW) pane.scrollTop += hidden;
}

const scrolls = (pane: HTMLElement): boolean => getComputedStyle(pane).overflowY === 'auto';

const hiddenBelow = (part: Element, pane: Element): number =>
  part.getBoundingClientRect().bottom - pane.getBoundingClientRect().bottom;

/** Following ends when a person scrolls the pane up, away from the end of what is followed. */
export function useLeaveByScroll(
  pane: RefObject<HTMLElement | null>,
  { isOn, set }: Following,
): void {
  useEffect(() => {
    const own = pane.current;
    if (own === null || !isOn) return;
    let last = own.scrollTop;
    const look = () => {
      const isUp = own.scrollTop < last;
      last = own.scrollTop;
      const part = own.querySelector('[data-kept-in-sight]');
      if (isUp && part !== null && hiddenBelow(part, own) > NEAR_END) set(false);
    };
    own.addEventListener('scroll', look, { passive: true });
    return () => own.removeEventListener('scroll', look);
  }, [pane, isOn, set]);
}
