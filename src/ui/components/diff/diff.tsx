import { type ReactNode, useMemo } from 'react';
import type { DiffHunk } from '../../../../schema/unified-diff.ts';
import {
  type DiffRow,
  type Piece,
  rowsOf,
  type SplitRow,
  splitRows,
} from '../../view/diff-rows.ts';
import { Marked } from './marked.tsx';
import { type Pieces, usePieces } from './use-pieces.ts';

export type DiffLayout = 'unified' | 'split';

/** The one way to show changed lines: in Changes, approvals, proofs and receipts of edits. */
export function Diff<Hunk extends DiffHunk>(props: {
  readonly path: string;
  readonly hunks: readonly Hunk[];
  readonly layout?: DiffLayout;
  /** What stands beside the place of a hunk. */
  readonly facts?: (hunk: Hunk) => ReactNode;
}) {
  const { path, hunks, layout = 'unified', facts } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys
    <section className={`diff ${layout}`} tabIndex={0} aria-label={`Diff of ${path}`}>
      {hunks.map((hunk) => (
        <Hunk
          key={`${hunk.oldStart} ${hunk.newStart}`}
          path={path}
          hunk={hunk}
          layout={layout}
          facts={facts?.(hunk)}
        />
      ))}
    </section>
  );
}

function Hunk(props: {
  readonly path: string;
  readonly hunk: DiffHunk;
  readonly layout: DiffLayout;
  readonly facts: ReactNode;
}) {
  const { path, hunk, layout, facts } = props;
  const pieces = usePieces(path, hunk);
  const rows = useMemo(() => rowsOf(hunk), [hunk]);
  const { oldStart, oldLines, newStart, newLines, section } = hunk;
  return (
    <div className="hunk">
      <div className="hunk-head">
        <span className="mono text-muted hunk-place">
          @@ -{oldStart},{oldLines} +{newStart},{newLines} @@
        </span>
        <span className="mono truncate hunk-section">{section}</span>
        <span className="grow" />
        {facts}
      </div>
      {layout === 'split'
        ? splitRows(rows).map((row) => (
            <SplitLine key={`${row.left?.index} ${row.right?.index}`} row={row} pieces={pieces} />
          ))
        : rows.map((row) => <Line key={row.index} row={row} pieces={pieces} />)}
    </div>
  );
}

const tones = { '+': 'added', '-': 'removed', ' ': '' } as const;

function Line({ row, pieces }: { readonly row: DiffRow; readonly pieces: Pieces | null }) {
  return (
    <div className={`diff-line ${tones[row.sign]}`}>
      <span className="line-number old">{row.before}</span>
      <span className="line-number">{row.after}</span>
      <span className="line-sign">{row.sign}</span>
      <Code row={row} pieces={pieces} />
    </div>
  );
}

function SplitLine({ row, pieces }: { readonly row: SplitRow; readonly pieces: Pieces | null }) {
  return (
    <div className="diff-pair">
      <Half row={row.left} number={row.left?.before ?? null} pieces={pieces} />
      <Half row={row.right} number={row.right?.after ?? null} pieces={pieces} />
    </div>
  );
}

function Half(props: {
  readonly row: DiffRow | null;
  readonly number: number | null;
  readonly pieces: Pieces | null;
}) {
  const { row, number, pieces } = props;
  if (row === null) return <div className="diff-half nothing" />;
  return (
    <div className={`diff-half ${tones[row.sign]}`}>
      <span className="line-number">{number}</span>
      <span className="line-sign">{row.sign}</span>
      <Code row={row} pieces={pieces} />
    </div>
  );
}

function Code({ row, pieces }: { readonly row: DiffRow; readonly pieces: Pieces | null }) {
  const plain: readonly Piece[] = [{ text: row.text, kind: null, isMarked: false }];
  const shown = pieces?.[row.index] ?? plain;
  let at = 0;
  return (
    <code>
      {shown.map((piece) => {
        at += piece.text.length;
        return <PieceText key={at} piece={piece} />;
      })}
      {row.note === null ? null : <i className="line-note"> {row.note}</i>}
    </code>
  );
}

function PieceText({ piece }: { readonly piece: Piece }) {
  const { text, kind, isMarked } = piece;
  const words = <Marked text={text} />;
  const styled = kind === null ? words : <span className={`syntax-${kind}`}>{words}</span>;
  return isMarked ? <mark>{styled}</mark> : styled;
}
