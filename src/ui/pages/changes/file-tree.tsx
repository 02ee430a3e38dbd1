import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { FileChange } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { FileName } from '../../components/diff/marked.tsx';
import { IconFolder } from '../../generated/icons.tsx';
import { statusLetters, statusWords, type TreeRow } from '../../view/change-tree.ts';
import { shownName } from '../../view/shown-name.ts';
import { FileSize } from './file-size.tsx';
import { JudgeTag } from './judge-tag.tsx';

const ROW_PX = 28;

const groups = {
  in: ['In scope', 'counts as the work'],
  beyond: ['Beyond scope', 'dropped from the proof'],
  all: ['Changed', 'no scope is set yet'],
} as const;

/** Every changed file; of thousands only those in sight exist. */
export function FileTree(props: {
  readonly rows: readonly TreeRow[];
  readonly current: string | null;
  readonly onChoose: (path: string) => void;
}) {
  const { rows, current } = props;
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const at = rows.findIndex((row) => row.kind === 'file' && row.file.path === current);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  const hasTests = rows.some((row) => row.kind === 'file' && row.file.judges.length > 0);
  return (
    <nav className="file-tree" aria-label="Changed files" ref={scroller}>
      <div className="virtual-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              className="virtual-row"
              style={{ transform: `translateY(${start}px)`, height: ROW_PX }}
            >
              <Row row={row} current={current} onChoose={props.onChoose} />
            </div>
          );
        })}
      </div>
      {hasTests ? (
        <p className="text-small text-muted tree-legend">
          <span className="tag tone-warn">c1</span> this criterion is judged by the file
        </p>
      ) : null}
    </nav>
  );
}

function Row(props: {
  readonly row: TreeRow;
  readonly current: string | null;
  readonly onChoose: (path: string) => void;
}) {
  const { row } = props;
  if (row.kind === 'group') {
    const [title, meaning] = groups[row.scope];
    return (
      <h2>
        {title}{' '}
        <span className="pane-note">
          {row.count}, {meaning}
        </span>
      </h2>
    );
  }
  if (row.kind === 'folder') {
    return (
      <div className="tree-folder">
        <IconFolder size={14} stroke={1.75} aria-hidden="true" />
        <span className="mono truncate">
          <FileName path={row.folder} />
        </span>
      </div>
    );
  }
  const { file, name } = row;
  const isInside = name !== file.path;
  return (
    <PlainButton
      className={isInside ? 'tree-file inside' : 'tree-file'}
      aria-current={file.path === props.current}
      title={`${statusWords[file.status]}: ${shownName(file.path)}`}
      onClick={() => props.onChoose(file.path)}
    >
      <StatusLetter file={file} />
      <span className="mono truncate">
        <FileName path={name} />
      </span>
      <JudgeTag file={file} />
      <FileSize file={file} />
    </PlainButton>
  );
}

export function StatusLetter({ file }: { readonly file: FileChange }) {
  return (
    <span className={`status-letter status-${file.status}`}>
      {statusLetters[file.status]}
      <span className="visually-hidden"> {statusWords[file.status]}</span>
    </span>
  );
}
