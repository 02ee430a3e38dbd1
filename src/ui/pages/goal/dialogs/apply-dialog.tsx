import { useState } from 'react';
import { applyBranch } from '../../../api/actions.ts';
import { answerOf } from '../../../api/client.ts';
import { ApiError } from '../../../api/problem.ts';
import type { AppliedBranch } from '../../../api/types.ts';
import { useAct } from '../../../api/use-act.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useIsOffline } from '../../../live/live-context.tsx';
import { ownTree } from '../../../view/own-tree.ts';
import type { GoalDialogProps } from './goal-dialog-props.ts';

/** Brings the goal's branch into the workspace that it was made from. */
export function ApplyDialog({ goal, onClose }: GoalDialogProps) {
  const isOffline = useIsOffline();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const apply = useAct({
    mutationFn: () => answerOf(applyBranch(goal.goalId, key)),
    // What was refused changed nothing: the next try is another one.
    onError: (error) => {
      if (error instanceof ApiError && error.problem.status < 500) setKey(crypto.randomUUID());
    },
  });
  const applied = apply.data;
  const isRunning = goal.status === 'active' && goal.archivedAt === undefined;
  const branch = ownTree(goal)?.branch ?? '';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={applied === undefined ? 'Apply the branch?' : 'The branch is applied'}
      footer={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {applied === undefined ? 'Cancel' : 'Done'}
          </Button>
          {applied === undefined ? (
            <Button
              look="primary"
              disabled={apply.isPending || isOffline || isRunning}
              onClick={() => apply.mutate()}
            >
              {apply.isPending ? 'Applying…' : 'Apply branch'}
            </Button>
          ) : null}
        </>
      }
    >
      {applied === undefined ? (
        <>
          <p>
            Everything on <span className="mono">{branch}</span> is merged into what is checked out
            in the workspace that it was made from, files beyond the scope too. What the agent left
            uncommitted is committed to the branch first. No hook runs.
          </p>
          <p className="text-small text-muted">
            It is done whole or not at all: uncommitted changes in its way, a conflict or a goal
            that works there refuse it.{' '}
            <span className="mono">git reset --keep HEAD@&#123;1&#125;</span> takes it back. For a
            commit with what was proven alone, use{' '}
            <span className="mono">goalkeeper pr --local</span>.
          </p>
          {goal.completion?.verification === 'verified' ? null : (
            <p className="tone-warn">Nothing of it is proved yet.</p>
          )}
          {isRunning ? <p className="tone-warn">It works now: pause it first.</p> : null}
        </>
      ) : (
        <Applied applied={applied} />
      )}
      {apply.isError ? <WhyNot error={apply.error} /> : null}
      {isOffline ? (
        <p className="field-error" role="alert">
          The service does not answer.
        </p>
      ) : null}
    </Dialog>
  );
}

function Applied({ applied }: { readonly applied: AppliedBranch }) {
  const { workspace, commit, files, isNew, left } = applied;
  const what = files === 1 ? '1 file' : `${files} files`;
  return (
    <>
      <p role="status">
        <span className="mono">{workspace}</span>{' '}
        {isNew ? `is at ${commit.slice(0, 12)} now: ${what}.` : 'had all of it already.'}
      </p>
      {left.length === 0 ? null : (
        <ul className="plain-list" aria-label="Not as on the branch">
          {left.map(({ path, why }) => (
            <li key={path}>
              <span className="mono">{path}</span>: {why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The sentence names a few of the files; all that were named stand below it. */
function WhyNot({ error }: { readonly error: Error }) {
  const files = error instanceof ApiError ? error.problem.files : undefined;
  return (
    <div role="alert">
      <p className="field-error">{error.message}</p>
      {Array.isArray(files) && files.length > 5 ? (
        <pre className="share-link">{files.map(String).join('\n')}</pre>
      ) : null}
    </div>
  );
}
