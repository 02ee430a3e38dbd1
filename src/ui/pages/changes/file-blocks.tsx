import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { Range } from '../../api/changes.ts';
import type { FileChange, Gate } from '../../api/types.ts';
import type { DiffLayout } from '../../components/diff/diff.tsx';
import type { VirtualHandle } from '../../components/virtual-rows.tsx';
import { foldedBecause } from '../../view/change-tree.ts';
import { FileBlock } from './file-block.tsx';

const HEAD_PX = 96;
const LINE_PX = 20;
const GAP_PX = 12;
/** Each change brings some lines around it. */
const CONTEXT_LINES = 6;

/** The files one below the other; only those in sight exist, and only they ask for their lines. */
export function FileBlocks(props: {
  readonly goalId: string;
  readonly range: Range;
  readonly files: readonly FileChange[];
  readonly gate: Gate | undefined;
  readonly layout: DiffLayout;
  readonly handle: RefObject<VirtualHandle | null>;
}) {
  const { goalId, range, files, gate, layout } = props;
  const pane = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // On narrow windows the page itself scrolls.
  const isWide = useMediaQuery('(min-width: 1121px)', true, { getInitialValueInEffect: false });
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const [margin, setMargin] = useState(0);
  // What stands above may come later than the list.
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    if (isWide || main === null || list.current === null) return setMargin(0);
    const top = list.current.getBoundingClientRect().top - main.getBoundingClientRect().top;
    setMargin(Math.round(top + main.scrollTop));
  });
  const virtual = useVirtualizer({
    count: files.length,
    getScrollElement: () => (isWide ? pane.current : document.getElementById('main')),
    estimateSize: (index) => heightOf(files[index]),
    getItemKey: (index) => files[index]?.path ?? index,
    overscan: 1,
    gap: GAP_PX,
    scrollMargin: margin,
  });
  useImperativeHandle(props.handle, () => ({
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'start' }),
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls is reached by keys
    <section className="file-blocks" ref={pane} tabIndex={0} aria-label="Diffs">
      <div className="virtual-rows" ref={list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const file = files[index];
          if (file === undefined) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="virtual-row"
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <FileBlock
                goalId={goalId}
                range={range}
                file={file}
                gate={gate}
                layout={layout}
                isOpen={opened[file.path] ?? null}
                onOpen={(isOpen) => setOpened((known) => ({ ...known, [file.path]: isOpen }))}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

function heightOf(file: FileChange | undefined): number {
  if (file === undefined || foldedBecause(file) !== null) return HEAD_PX;
  return HEAD_PX + (file.added + file.removed + CONTEXT_LINES) * LINE_PX;
}
