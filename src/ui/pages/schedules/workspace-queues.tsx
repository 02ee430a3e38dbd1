import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { amendGoal } from '../../api/actions.ts';
import { usePolling } from '../../api/operations.ts';
import { goalQuery, workspacesQuery } from '../../api/queries.ts';
import type { Goal, Workspace } from '../../api/types.ts';
import { ActorChip } from '../../components/actor-chip.tsx';
import { Button } from '../../components/button.tsx';
import { IconArrowUp } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { busyWorkspaces, priorityBefore } from '../../view/workspace-queue.ts';
import { useGoalAction } from '../goal/dialogs/use-goal-action.ts';

const EVERY_MS = 5000;

/** Who works in each workspace, and who goes next. */
export function WorkspaceQueues() {
  const { data } = useQuery({ ...workspacesQuery, ...usePolling(EVERY_MS) });
  if (data === undefined) return null;
  const busy = busyWorkspaces(data);
  return (
    <section className="queues" aria-label="Queue by workspace">
      <h2>
        Queue by workspace{' '}
        <span className="pane-note">
          one goal works in a workspace at a time, unless it has a worktree
        </span>
      </h2>
      {busy.length === 0 ? <p className="text-muted">No goal works or waits.</p> : null}
      {busy.map((workspace) => (
        <QueueOf key={workspace.name} workspace={workspace} />
      ))}
    </section>
  );
}

function QueueOf({ workspace }: { readonly workspace: Workspace }) {
  const { name, leaseGoalId, leaseCheckId, queue } = workspace;
  return (
    <section className="queue" aria-label={name}>
      <b className="truncate" title={name}>
        {name}
      </b>
      <ol>
        <li>
          <span className="queue-place" />
          {leaseGoalId !== null ? (
            <NamedGoal goalId={leaseGoalId} />
          ) : (
            <span className="text-muted">
              {leaseCheckId === null
                ? 'Free, or held by a goal of somebody else'
                : 'A check is tried'}
            </span>
          )}
        </li>
        {queue.map(({ goalId, priority }, index) => (
          <li key={goalId ?? `place ${index}`}>
            <span className="queue-place tabular text-muted">{index + 1}</span>
            {goalId === null ? (
              <span className="text-muted">A goal of somebody else</span>
            ) : (
              <NamedGoal goalId={goalId} priority={priority} before={queue[index - 1]?.priority} />
            )}
          </li>
        ))}
      </ol>
      {queue.length === 0 ? <p className="text-small text-muted">Nothing waits.</p> : null}
    </section>
  );
}

function NamedGoal(props: {
  readonly goalId: string;
  /** Of one that waits. */
  readonly priority?: number;
  /** Of the one that goes before it. */
  readonly before?: number | undefined;
}) {
  const { goalId, priority, before } = props;
  const { data: goal } = useQuery(goalQuery(goalId));
  const mayAct = useMayAct();
  if (goal === undefined) return <span className="mono text-muted">{goalId}</span>;
  return (
    <>
      <ActorChip goal={goal} />
      <Link className="link truncate grow" href={`/goals/${goalId}`}>
        {goal.objective}
      </Link>
      {priority === undefined ? null : (
        <span className="text-small text-muted tabular">
          {priority === 0 ? '' : `priority ${priority}`}
        </span>
      )}
      {before !== undefined && mayAct ? <MoveUp goal={goal} before={before} /> : null}
    </>
  );
}

function MoveUp({ goal, before }: { readonly goal: Goal; readonly before: number }) {
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const priority = priorityBefore(before);
  const action = useGoalAction({
    goal,
    send: (expectedRevision, key) =>
      amendGoal(goal.goalId, { expectedRevision, priority: priority ?? 0 }, key),
    isSame: (then, now) => then.priority === now.priority && then.status === now.status,
    doneText: 'It goes before the other one.',
    onDone: () => void client.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
  return (
    <Button
      look="subtle"
      isIcon
      isSmall
      aria-label={`Move up: ${goal.objective}`}
      title={priority === null ? 'The one before it has the highest priority' : 'Move up'}
      disabled={isOffline || action.isPending || priority === null}
      onClick={() => {
        if (action.conflict === null) action.run();
        else toast('Somebody changed this goal meanwhile: look at it first.');
      }}
    >
      <IconArrowUp size={14} stroke={1.75} aria-hidden="true" />
    </Button>
  );
}
