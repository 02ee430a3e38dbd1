import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { resumeGoal, rewindGoal } from '../../api/actions.ts';
import { checkpointsQuery } from '../../api/changes.ts';
import type { Goal } from '../../api/types.ts';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { placeBefore } from '../../view/change-tree.ts';
import { compact, dollars } from '../../view/format.ts';
import { isSameStatus, stateText } from '../../view/version-text.ts';
import { ActionDialog } from '../goal/dialogs/action-dialog.tsx';

/** Takes the files back to before a turn and lets the goal go on from there. */
export function RetryDialog(props: {
  readonly goal: Goal;
  readonly turn: number;
  readonly onClose: () => void;
}) {
  const { goal, turn, onClose } = props;
  const checkpoints = useQuery(checkpointsQuery(goal.goalId));
  const resumeKey = useRef(crypto.randomUUID());
  const isRunning = goal.status === 'active' && goal.activity.state === 'running';
  const place = checkpoints.data && placeBefore(checkpoints.data, turn);
  const { costUsd: limit } = goal.budget;
  const cost = `${dollars(goal.usage.costUsd)}${limit === null ? '' : ` of ${dollars(limit)}`}`;
  const used = `${compact(goal.usage.tokens)} tokens and ${cost}`;
  return (
    <ActionDialog
      goal={goal}
      title={`Retry from turn ${turn}?`}
      confirm="Retry"
      busy="Retrying…"
      done={`It goes on from before turn ${turn}.`}
      tone="danger"
      isReady={!isRunning && place !== undefined}
      send={async (expectedRevision, key) => {
        const { goalId } = goal;
        if (place === null) return resumeGoal(goalId, { expectedRevision }, key);
        const back = await rewindGoal(goalId, { turn: turn - 1, expectedRevision }, key);
        if (back.data === undefined) return back;
        // The rewind itself moves the revision on.
        return resumeGoal(goalId, {}, resumeKey.current);
      }}
      isSame={isSameStatus}
      versions={(_before, now) => ({ theirs: stateText(now), mine: `Retry from turn ${turn}` })}
      onClose={onClose}
    >
      {checkpoints.isPending ? (
        <SkeletonLines label="Loading the places" widths={[80, 60]} />
      ) : null}
      {checkpoints.isError ? <p className="tone-bad">{checkpoints.error.message}</p> : null}
      {place === undefined ? null : (
        <ul className="plain-list">
          <li>
            <b>Files and todo list</b>{' '}
            {place === null
              ? 'stay: the goal has written nothing.'
              : `go back to ${place.words}. What stands there now is kept first, so that it can be taken back.`}
          </li>
          <li>
            <b>Checks</b> from before prove no more and are run again.
          </li>
          <li>
            <b>Budget</b>: {used} stay used, and the new try costs again.
          </li>
          <li>
            <b>The conversation</b> stays: the model is told that its files went back, and is asked
            anew. The same request is not sent again.
          </li>
        </ul>
      )}
      {isRunning ? <p className="tone-warn">It works now: pause it first.</p> : null}
    </ActionDialog>
  );
}
