import { useMemo } from 'react';
import { hunksOf } from '../../../../schema/unified-diff.ts';
import { Diff } from './diff.tsx';

/** A diff that came as text; what is no diff is shown as it is. */
export function DiffText({ path, text }: { readonly path: string; readonly text: string }) {
  const hunks = useMemo(() => hunksOf(text), [text]);
  if (hunks.length === 0) return <pre>{text}</pre>;
  const isCut = /^… \d+ more lines$/m.exec(text);
  return (
    <div className="diff-box">
      <Diff path={path} hunks={hunks} />
      {isCut === null ? null : <p className="diff-fold">{isCut[0]}</p>}
    </div>
  );
}
