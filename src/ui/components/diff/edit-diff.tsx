import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import type { TextEdit } from '../../../../schema/call-subject.ts';
import type { DiffHunk } from '../../../../schema/unified-diff.ts';
import { Diff } from './diff.tsx';

const CONTEXT_LINES = 3;

/** What an edit asked to replace. Where in the file it stood is not in its call. */
export function EditDiff(props: { readonly path: string; readonly edits: readonly TextEdit[] }) {
  const { path, edits } = props;
  const hunks = useMemo(() => hunksBy(edits), [edits]);
  if (hunks.length === 0) return <p className="text-muted">It replaces texts by themselves.</p>;
  return (
    <div className="diff-box">
      <Diff path={path} hunks={hunks} />
      <p className="diff-fold">Numbers count the lines of the edit, not those of the file.</p>
    </div>
  );
}

/** One behind the other, so that their lines have numbers of their own. */
function hunksBy(edits: readonly TextEdit[]): DiffHunk[] {
  const whole = (part: keyof TextEdit) =>
    edits.map((edit) => `${edit[part]}${edit[part].endsWith('\n') ? '' : '\n'}`).join('');
  const options = { context: CONTEXT_LINES };
  const patch = structuredPatch('', '', whole('oldText'), whole('newText'), '', '', options);
  return patch.hunks.map((hunk) => ({ ...hunk, section: '' }));
}
