import type { FileChange } from '../../api/types.ts';
import { LineCounts } from '../../components/diff/line-counts.tsx';
import { bytes } from '../../view/format.ts';

/** How much changed; of what has no lines, its size. */
export function FileSize({ file }: { readonly file: FileChange }) {
  if (!file.isBinary) return <LineCounts counts={file} />;
  const { before, after } = file.bytes;
  return <span className="line-counts text-muted">{bytes(after ?? before ?? 0)}</span>;
}
