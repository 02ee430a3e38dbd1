import { IconCopy } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ApiError, ServiceAway } from '../../api/problem.ts';
import type { Problem } from '../../api/types.ts';
import { useToast } from '../../shell/toasts.tsx';
import { bytes } from '../../view/format.ts';
import type { LoadedCall } from './call-detail.tsx';

/** What one request brings: 20 MB are never in the page at once unless somebody reads that far. */
const PIECE_BYTES = 128 * 1024;

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

function Pieces(props: { readonly goalId: string; readonly seq: number; readonly total: number }) {
  const { goalId, seq, total } = props;
  const pieces = useInfiniteQuery({
    queryKey: ['output', goalId, seq],
    queryFn: ({ pageParam }) => fetchPiece(goalId, seq, pageParam),
    initialPageParam: 0,
    getNextPageParam: (_last, all) => {
      const next = all.length * PIECE_BYTES;
      return next < total ? next : null;
    },
    gcTime: 0,
  });
  const shown = pieces.data?.pages ?? [];
  const read = Math.min(total, shown.length * PIECE_BYTES);
  return (
    <section aria-label="Output">
      <OutputHead text={shown.join('')} note={`${bytes(read)} of ${bytes(total)}`} />
      {pieces.isError ? <p className="err">{pieces.error.message}</p> : null}
      <div className="pieces">
        {shown.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces only ever come behind each other.
          <pre key={index}>{text}</pre>
        ))}
      </div>
      {pieces.hasNextPage ? (
        <button
          type="button"
          className="btn sm"
          disabled={pieces.isFetchingNextPage}
          onClick={() => void pieces.fetchNextPage()}
        >
          {pieces.isFetchingNextPage ? 'Loading…' : `Next ${bytes(PIECE_BYTES)}`}
        </button>
      ) : null}
    </section>
  );
}

function OutputHead({ text, note }: { readonly text: string; readonly note: string }) {
  const toast = useToast();
  const copy = () => void navigator.clipboard.writeText(text).then(() => toast('Copied.'));
  return (
    <div className="row outhead">
      <b className="xs">Output</b>
      <span className="xs t3 grow">{note}</span>
      <button type="button" className="btn g sm" onClick={copy}>
        <IconCopy size={13} stroke={1.75} aria-hidden="true" />
        Copy
      </button>
    </div>
  );
}

/** Bytes, cut anywhere: a letter that lies across the cut is shown as a replacement. */
async function fetchPiece(goalId: string, seq: number, offset: number): Promise<string> {
  const path = `/v1/goals/${encodeURIComponent(goalId)}/ledger/${seq}/output`;
  const answer = await fetch(`${path}?offset=${offset}&limit=${PIECE_BYTES}`).catch(
    (cause: unknown) => {
      throw new ServiceAway(cause);
    },
  );
  if (answer.ok) return new TextDecoder().decode(await answer.arrayBuffer());
  throw new ApiError((await answer.json()) as Problem, answer.headers.get('x-request-id'));
}
