import { structuredPatch } from 'diff';
import type { TextEdit } from '../../../schema/call-subject.ts';
import type { DiffHunk } from '../../../schema/unified-diff.ts';

const CONTEXT_LINES = 3;

/** All lines of an edit exist in the page: what is longer is read in the changes. */
const MOST_LINES = 2_000;

export interface EditHunks {
  readonly hunks: readonly DiffHunk[];
  /** Number of lines that are not shown. */
  readonly left: number;
  /** A whole file was written. */
  readonly isWhole: boolean;
}

/** One edit behind the other, so that their lines have numbers of their own. */
export function editHunks(edits: readonly TextEdit[]): EditHunks {
  const whole = (part: keyof TextEdit) => edits.map((edit) => ended(edit[part])).join('');
  const options = { context: CONTEXT_LINES };
  const patch = structuredPatch('', '', whole('oldText'), whole('newText'), '', '', options);
  const hunks: DiffHunk[] = [];
  let room = MOST_LINES;
  let left = 0;
  for (const hunk of patch.hunks) {
    const lines = hunk.lines.slice(0, room);
    room -= lines.length;
    left += hunk.lines.length - lines.length;
    if (lines.length > 0) hunks.push({ ...hunk, lines, section: '' });
  }
  return { hunks, left, isWhole: edits.every(({ oldText }) => oldText === '') };
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
