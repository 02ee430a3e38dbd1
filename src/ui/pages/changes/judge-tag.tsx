import type { FileChange } from '../../api/types.ts';

const hows: Readonly<Record<FileChange['judges'][number]['how'], string>> = {
  named: 'its command runs this file',
  asked: 'it looks at this file',
  by_name: 'its command names no file, and this one looks like a test',
};

/** The criteria that a file judges. */
export function JudgeTag({ file: { judges } }: { readonly file: FileChange }) {
  if (judges.length === 0) return null;
  const why = judges.map(({ criterionId, how }) => `${criterionId}: ${hows[how]}`).join('\n');
  return (
    <span className="tag tone-warn" title={why}>
      {judges.map(({ criterionId }) => criterionId).join(', ')}
    </span>
  );
}
