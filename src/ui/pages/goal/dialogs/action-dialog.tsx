import type { ReactNode } from 'react';
import type { Goal } from '../../../api/types.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { LeaveButton } from '../../../components/leave.tsx';
import { useIsOffline } from '../../../live/live-context.tsx';
import { ConflictView } from './conflict-view.tsx';
import { type Send, useGoalAction } from './use-goal-action.ts';

/**
 * Shows what will happen and to which revision, and the progress until the new revision is there.
 * On a conflict it shows both versions. Typed text stays.
 */
export function ActionDialog(props: {
  readonly goal: Goal;
  readonly title: string;
  readonly confirm: string;
  readonly busy: string;
  readonly done: string;
  readonly tone?: 'primary' | 'keeper' | 'danger';
  readonly isReady?: boolean;
  readonly isWide?: boolean;
  readonly send: Send;
  /** Tells whether the action's basis is the same as when the dialog opened. */
  readonly isSame: (before: Goal, now: Goal) => boolean;
  /** Both versions; `now` is the other user's. */
  readonly versions: (before: Goal, now: Goal) => { theirs: ReactNode; mine: ReactNode };
  readonly onClose: () => void;
  readonly second?: ReactNode;
  /** What the service refused stands at its field. */
  readonly isToldAtField?: boolean;
  /** Words were typed on another step of it. */
  readonly holdsWords?: boolean;
  /** What somebody else decided meanwhile: nothing is left to send. */
  readonly decided?: string | null;
  readonly children: ReactNode;
}) {
  const { goal, onClose } = props;
  const isOffline = useIsOffline();
  const action = useGoalAction({
    goal,
    send: props.send,
    isSame: props.isSame,
    doneText: props.done,
    onDone: onClose,
  });
  const { conflict, isPending, error } = action;
  const { decided = null, holdsWords = false } = props;
  // The news of one's own decision may come before its answer.
  const isDecided = decided !== null && !isPending;
  if (conflict !== null && !isDecided) {
    return (
      <Dialog
        isOpen
        isWide
        onClose={onClose}
        title="Someone changed this goal first"
        footer={
          <>
            <span className="grow" />
            <Button data-autofocus onClick={onClose}>
              Take theirs
            </Button>
            <Button
              look="primary"
              disabled={isPending || isOffline}
              onClick={() => action.runOver(conflict)}
            >
              {isPending ? props.busy : `Save mine over revision ${conflict.revision}`}
            </Button>
          </>
        }
      >
        <ConflictView before={action.base} now={conflict} versions={props.versions} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      isWide={props.isWide === true}
      holdsWords={holdsWords}
      onClose={onClose}
      title={props.title}
      footer={
        isDecided ? (
          <>
            <span className="grow" />
            <LeaveButton words="Close" onLeave={onClose} />
          </>
        ) : (
          <>
            <span className="text-small text-muted grow tabular">revision {goal.revision}</span>
            <LeaveButton onLeave={onClose} />
            {props.second}
            <Button
              look={props.tone ?? 'primary'}
              disabled={isPending || isOffline || props.isReady === false}
              onClick={() => action.run()}
            >
              {isPending ? props.busy : props.confirm}
            </Button>
          </>
        )
      }
    >
      {isDecided ? (
        <p role="status">
          <b>{decided}</b> That stands, and nothing here was saved.
        </p>
      ) : null}
      {props.children}
      {isDecided || error === null || props.isToldAtField === true ? null : (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
      {isOffline ? (
        <p className="field-error" role="alert">
          The service does not answer; what you typed stays here.
        </p>
      ) : null}
    </Dialog>
  );
}
