import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fileChangesQuery, type Range } from '../../api/changes.ts';
import type { FileChange, FileChanges } from '../../api/types.ts';
import { Picture } from '../../components/picture.tsx';
import { bytes } from '../../view/format.ts';

type End = NonNullable<NonNullable<FileChanges['binary']>['before']>;

const MOST_PIXELS = 320;

/** A file without lines: its pictures beside each other, or sizes and digests. */
export function BinaryFile(props: {
  readonly goalId: string;
  readonly range: Range;
  readonly file: FileChange;
}) {
  const { goalId, range, file } = props;
  const state = `${file.status} ${file.bytes.before} ${file.bytes.after}`;
  const found = useInfiniteQuery(fileChangesQuery(goalId, range, file.path, state));
  if (found.isPending) return <p className="diff-fold">Loading…</p>;
  if (found.data === undefined) {
    return <p className="diff-fold tone-bad">{found.error.message}</p>;
  }
  const binary = found.data.pages[0]?.binary ?? null;
  if (binary === null) return <p className="diff-fold">Nothing more can be told of it.</p>;
  return (
    <div className="binary-ends">
      <BinaryEnd name="before" path={file.path} end={binary.before} />
      <BinaryEnd name="now" path={file.path} end={binary.after} />
    </div>
  );
}

function BinaryEnd(props: {
  readonly name: string;
  readonly path: string;
  readonly end: End | null;
}) {
  const { name, path, end } = props;
  const picture = end?.picture ?? null;
  const blob = useMemo(() => {
    if (picture === null) return null;
    const content = Uint8Array.from(atob(picture.base64), (letter) => letter.charCodeAt(0));
    return new Blob([content], { type: picture.mediaType });
  }, [picture]);
  return (
    <figure>
      {blob === null ? null : <Picture blob={blob} alt={`${path} ${name}`} most={MOST_PIXELS} />}
      <figcaption className="text-small text-muted">
        {end === null
          ? `${name}: not there`
          : `${name}: ${bytes(end.bytes)}${end.sha256 === null ? '' : `, SHA-256 ${end.sha256.slice(0, 16)}`}`}
      </figcaption>
    </figure>
  );
}
