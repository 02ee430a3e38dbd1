import { useMemo } from 'react';
import type { TextEdit } from '../../../../schema/call-subject.ts';
import { editHunks } from '../../view/edit-hunks.ts';
import { plural } from '../../view/format.ts';
import { Diff } from './diff.tsx';

/** What an edit asked to replace, or a write to put there. Where in the file it stood is not in its call. */
export function EditDiff(props: { readonly path: string; readonly edits: readonly TextEdit[] }) {
  const { path, edits } = props;
  const { hunks, left, isWhole } = useMemo(() => editHunks(edits), [edits]);
  if (hunks.length === 0) {
    return (
      <p className="text-muted">
        {isWhole ? 'It writes an empty file.' : 'It replaces texts by themselves.'}
      </p>
    );
  }
  return (
    <div className="diff-box">
      <Diff path={path} hunks={hunks} />
      <p className="diff-fold">
        {left > 0 ? `${plural(left, 'more line')}, which the changes have. ` : ''}
        {isWhole
          ? 'It writes the whole file; what stood there before is not in its call.'
          : 'Numbers count the lines of the edit, not those of the file.'}
      </p>
    </div>
  );
}
