import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, ServiceAway } from '../../api/problem.ts';
import type { Problem } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { IconCopy } from '../../generated/icons.tsx';
import { consoleHeaders } from '../../session/console-secret.ts';
import { useToast } from '../../shell/toasts.tsx';
import { bytes } from '../../view/format.ts';
import { lastPiece, PIECE_BYTES, pieceAt, rangeText } from '../../view/output-pieces.ts';
import type { LoadedCall } from './loaded-call.ts';

/** Text only: whatever a command printed stays letters. */
export function OutputViewer({
  goalId,
  call,
}: {
  readonly goalId: string;
  readonly call: LoadedCall;
}) {
  if (!call.hasOutput || call.settledSeq === null) return <Plain text={call.text} />;
  return <Pieces goalId={goalId} seq={call.settledSeq} total={call.receipt?.outputBytes ?? 0} />;
}

function Plain({ text }: { readonly text: string | null }) {
  return (
    <section aria-label="Output">
      <OutputHead text={text ?? ''} note="as the model saw it" />
      <pre>{text ?? 'No output yet.'}</pre>
    </section>
  );
}

/** Long outputs open at their end, where the important lines are. */
type Edge = 'start' | 'end';

const edges = [
  ['start', 'Start'],
  ['end', 'End'],
] as const;

function Pieces(props: { readonly goalId: string; readonly seq: number; readonly total: number }) {
  const { goalId, seq, total } = props;
  const [edge, setEdge] = useState<Edge>('start');
  const pieces = useInfiniteQuery({
    queryKey: ['output', goalId, seq, edge],
    queryFn: ({ pageParam }) => fetchPiece(goalId, seq, pageParam),
    initialPageParam: edge === 'start' ? 0 : lastPiece(total),
    getNextPageParam: (_last, _all, offset) => pieceAt(offset + PIECE_BYTES, total),
    getPreviousPageParam: (_first, _all, offset) => pieceAt(offset - PIECE_BYTES, total),
    gcTime: 0,
  });
  const { pages: shown, pageParams: offsets } = pieces.data ?? { pages: [], pageParams: [] };
  const isLong = total > PIECE_BYTES;
  return (
    <section aria-label="Output">
      <OutputHead text={shown.join('')} note={rangeText(offsets as number[], total)}>
        {isLong ? (
          <Segmented label="Read from" choices={edges} chosen={edge} onChoose={setEdge} />
        ) : null}
      </OutputHead>
      {pieces.isError ? <p className="field-error">{pieces.error.message}</p> : null}
      {edge === 'end' && pieces.hasPreviousPage ? (
        <More
          what="Earlier"
          isLoading={pieces.isFetchingPreviousPage}
          onMore={() => void pieces.fetchPreviousPage()}
        />
      ) : null}
      <div className="output-pieces">
        {shown.map((text, index) => (
          <pre key={String(offsets[index])}>{text}</pre>
        ))}
      </div>
      {edge === 'start' && pieces.hasNextPage ? (
        <More
          what="Next"
          isLoading={pieces.isFetchingNextPage}
          onMore={() => void pieces.fetchNextPage()}
        />
      ) : null}
    </section>
  );
}

function More(props: {
  readonly what: string;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}) {
  return (
    <Button isSmall className="load-more" disabled={props.isLoading} onClick={props.onMore}>
      {props.isLoading ? 'Loading…' : `${props.what} ${bytes(PIECE_BYTES)}`}
    </Button>
  );
}

function OutputHead({
  text,
  note,
  children,
}: {
  readonly text: string;
  readonly note: string;
  readonly children?: ReactNode;
}) {
  const toast = useToast();
  const copy = () => void navigator.clipboard.writeText(text).then(() => toast('Copied.'));
  return (
    <div className="row output-head">
      <b className="text-small">Output</b>
      <span className="text-small text-muted grow">{note}</span>
      {children}
      <Button look="subtle" isSmall onClick={copy}>
        <IconCopy size={13} stroke={1.75} aria-hidden="true" />
        Copy
      </Button>
    </div>
  );
}

/** Bytes, cut anywhere: a letter that lies across the cut is shown as a replacement. */
async function fetchPiece(goalId: string, seq: number, offset: number): Promise<string> {
  const path = `/v1/goals/${encodeURIComponent(goalId)}/ledger/${seq}/output`;
  const url = `${path}?offset=${offset}&limit=${PIECE_BYTES}`;
  const answer = await fetch(url, { headers: consoleHeaders() }).catch((cause: unknown) => {
    throw new ServiceAway(cause);
  });
  if (answer.ok) return new TextDecoder().decode(await answer.arrayBuffer());
  throw new ApiError((await answer.json()) as Problem, answer.headers.get('x-request-id'));
}
