import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { changesQuery, checkpointsQuery, type Range } from '../../api/changes.ts';
import type { FileChange } from '../../api/types.ts';
import { FileName } from '../../components/diff/marked.tsx';
import { filesOf, treeRows } from '../../view/change-tree.ts';
import { FileLines } from '../changes/file-lines.tsx';
import { FileSize } from '../changes/file-size.tsx';
import { StatusLetter } from '../changes/file-tree.tsx';
import { JudgeTag } from '../changes/judge-tag.tsx';

/** What differs between a goal's beginning and its end; whoever wrote later is not in it. */
export function ResultChanges(props: {
  readonly goalId: string;
  /** Longer lists are read where the changes stand. */
  readonly mostFiles: number;
  /** Stands there until the changes are known, and where they can't be had. */
  readonly children: ReactNode;
}) {
  const { goalId, mostFiles, children } = props;
  const { data: kept, error } = useQuery(checkpointsQuery(goalId));
  const [first, last] = [kept?.checkpoints[0], kept?.checkpoints.at(-1)];
  if (first !== undefined && last !== undefined) {
    const range = { from: first.name, to: last.name };
    return <Compared goalId={goalId} range={range} mostFiles={mostFiles} names={children} />;
  }
  return (
    <>
      <Missing error={error} />
      {children}
    </>
  );
}

function Compared(props: {
  readonly goalId: string;
  readonly range: Range;
  readonly mostFiles: number;
  readonly names: ReactNode;
}) {
  const { goalId, range, mostFiles, names } = props;
  const { data, error } = useInfiniteQuery(changesQuery(goalId, range, 'kept'));
  const files = useMemo(
    () => filesOf(treeRows(data?.pages.flatMap((page) => page.files) ?? [])).slice(0, mostFiles),
    [data, mostFiles],
  );
  if (files.length > 0) {
    return files.map((file) => (
      <ResultFile key={file.path} goalId={goalId} range={range} file={file} />
    ));
  }
  return (
    <>
      <Missing error={data === undefined ? error : null} />
      {names}
    </>
  );
}

const Missing = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : <p className="text-small tone-bad">{error.message}</p>;

/** Its lines are asked for when they are opened. */
function ResultFile(props: {
  readonly goalId: string;
  readonly range: Range;
  readonly file: FileChange;
}) {
  const { goalId, range, file } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="result-file" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-small">
        <StatusLetter file={file} />{' '}
        <span className="mono">
          <FileName path={file.path} />
        </span>{' '}
        <FileSize file={file} />{' '}
        {file.scope === 'beyond' ? <span className="tag outlined">beyond scope</span> : null}{' '}
        <JudgeTag file={file} />
      </summary>
      {isOpen ? (
        <>
          <div className="diff-box">
            <FileLines goalId={goalId} range={range} file={file} layout="unified" />
          </div>
          <Link
            className="link text-small"
            href={`/goals/${goalId}/changes?file=${encodeURIComponent(file.path)}`}
          >
            Read it in the changes
          </Link>
        </>
      ) : null}
    </details>
  );
}
