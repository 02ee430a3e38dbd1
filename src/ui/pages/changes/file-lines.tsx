import { useInfiniteQuery } from '@tanstack/react-query';
import { fileChangesQuery, type Range } from '../../api/changes.ts';
import type { FileChange } from '../../api/types.ts';
import { PlainButton } from '../../components/button.tsx';
import { Diff, type DiffLayout } from '../../components/diff/diff.tsx';
import { plural } from '../../view/format.ts';
import { BinaryFile } from './binary-file.tsx';
import { HunkFacts } from './hunk-facts.tsx';

interface LinesProps {
  readonly goalId: string;
  readonly range: Range;
  readonly file: FileChange;
  readonly layout: DiffLayout;
}

/** A changed file's lines, each part with its turn and call; of one without lines its two ends. */
export const FileLines = (props: LinesProps) =>
  props.file.isBinary ? <BinaryFile {...props} /> : <Lines {...props} />;

function Lines({ goalId, range, file, layout }: LinesProps) {
  const { bytes: size, added, removed, status } = file;
  const state = `${status} ${size.before} ${size.after} ${added} ${removed}`;
  const lines = useInfiniteQuery(fileChangesQuery(goalId, range, file.path, state));
  if (lines.isPending)
    return <p className="diff-fold">Loading {plural(added + removed, 'line')}…</p>;
  if (lines.data === undefined) {
    return (
      <p className="diff-fold">
        <span className="tone-bad">{lines.error.message}</span>{' '}
        <PlainButton className="text-link" onClick={() => void lines.refetch()}>
          Try again
        </PlainButton>
      </p>
    );
  }
  const hunks = lines.data.pages.flatMap((page) => page.hunks);
  if (hunks.length === 0) {
    return (
      <p className="diff-fold">
        {status === 'mode' ? 'Only its permissions changed.' : 'No lines.'}
      </p>
    );
  }
  return (
    <>
      <Diff
        path={file.path}
        hunks={hunks}
        layout={layout}
        facts={(hunk) => <HunkFacts goalId={goalId} hunk={hunk} />}
      />
      {lines.hasNextPage ? (
        <p className="diff-fold">
          <PlainButton
            className="text-link"
            disabled={lines.isFetchingNextPage}
            onClick={() => void lines.fetchNextPage()}
          >
            {lines.isFetchingNextPage ? 'Loading…' : 'Show more lines'}
          </PlainButton>
        </p>
      ) : null}
    </>
  );
}
