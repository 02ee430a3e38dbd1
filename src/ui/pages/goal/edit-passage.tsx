import { useState } from 'react';
import { editsIn } from '../../../../schema/call-subject.ts';
import type { Call } from '../../api/types.ts';
import { lazyView } from '../../components/lazy-view.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';

// The words of a diff are compared by a library that a goal without edits doesn't need.
const EditDiff = lazyView(
  'The diff',
  <SkeletonLines label="Loading the diff" widths={[60, 80, 50]} />,
  async () => (await import('../../components/diff/edit-diff.tsx')).EditDiff,
);

/** So many lines of an edit are read where they stand; longer ones are opened by hand. */
const MOST_LINES = 60;

/** What an edit asked to replace, below its line; open in the newest turn. */
export function EditPassage({
  call,
  isNewest,
}: {
  readonly call: Call;
  readonly isNewest: boolean;
}) {
  const edits = editsIn(call);
  const { path } = call.arguments as { readonly path: string };
  const lines = edits
    .flatMap(({ oldText, newText }) => [oldText, newText])
    .reduce((sum, text) => sum + text.split('\n').length, 0);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isNewest && lines <= MOST_LINES);
  return (
    <details
      className="inline-edit"
      open={isOpen}
      onToggle={(event) => setChosen(event.currentTarget.open)}
    >
      <summary className="text-small">
        Diff of <span className="mono">{path}</span>
      </summary>
      {isOpen ? <EditDiff path={path} edits={edits} /> : null}
    </details>
  );
}
