import type { ReactNode } from 'react';
import type { Goal } from '../../../api/types.ts';

export function ConflictView(props: {
  readonly before: Goal;
  readonly now: Goal;
  readonly versions: (before: Goal, now: Goal) => { theirs: ReactNode; mine: ReactNode };
}) {
  const { before, now } = props;
  const { theirs, mine } = props.versions(before, now);
  return (
    <>
      <p>
        You began at revision {before.revision}; it is now revision {now.revision}. Nothing of yours
        was lost.
      </p>
      <div className="versions">
        <div>
          <h3>Now, revision {now.revision}</h3>
          <div className="version">{theirs}</div>
        </div>
        <div>
          <h3>Yours, from revision {before.revision}</h3>
          <div className="version">{mine}</div>
        </div>
      </div>
    </>
  );
}
