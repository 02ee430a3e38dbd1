import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** All lists lie in the page's one scroller. */
const scrollElement = () => document.getElementById('main');

export interface VirtualHandle {
  scrollTo(index: number): void;
}

/** Rows of a table of which only those in sight exist, so that thousands scroll like ten. */
export function VirtualRows(props: {
  readonly count: number;
  readonly heightOf: (index: number) => number;
  readonly keyOf: (index: number) => string | number;
  readonly row: (index: number) => ReactNode;
  /** Rows that exist beyond those in sight. */
  readonly overscan: number;
  /** Rows before the end at which more are asked for. */
  readonly ahead: number;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  readonly handle?: RefObject<VirtualHandle | null>;
  readonly pointer?: Pick<ComponentProps<'div'>, 'onPointerEnter' | 'onPointerLeave'>;
}) {
  const { count, ahead, hasMore, onMore } = props;
  const list = useRef<HTMLDivElement>(null);
  const margin = useOffset(list);
  const virtual = useVirtualizer({
    count,
    getScrollElement: scrollElement,
    estimateSize: props.heightOf,
    getItemKey: props.keyOf,
    overscan: props.overscan,
    scrollMargin: margin,
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastShown > count - ahead) onMore();
  }, [hasMore, onMore, lastShown, count, ahead]);
  useImperativeHandle(props.handle, () => ({
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }));
  return (
    <div
      ref={list}
      role="rowgroup"
      className="virtual-rows"
      style={{ height: virtual.getTotalSize() }}
      {...props.pointer}
    >
      {shown.map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          role="presentation"
          className="virtual-row"
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          {props.row(index)}
        </div>
      ))}
    </div>
  );
}

/** How far below the top of what scrolls the list begins. */
function useOffset(list: RefObject<HTMLDivElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const main = scrollElement();
      if (main === null || list.current === null) return;
      const top = list.current.getBoundingClientRect().top - main.getBoundingClientRect().top;
      setOffset(Math.round(top + main.scrollTop));
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [list]);
  return offset;
}
