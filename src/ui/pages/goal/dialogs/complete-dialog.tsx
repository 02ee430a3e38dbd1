import { useState } from 'react';
import { completeGoal } from '../../../api/actions.ts';
import { TextField } from '../../../components/text-field.tsx';
import { proofOf } from '../../../view/evidence.ts';
import { fits } from '../../../view/text-length.ts';
import { isSamePromise, promiseText } from '../../../view/version-text.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

const MOST_LETTERS = 8000;

export function CompleteDialog({ goal, onClose }: GoalDialogProps) {
  const [result, setResult] = useState('');
  const { proved, here, holds, total } = proofOf(goal);
  return (
    <ActionDialog
      goal={goal}
      title="Complete by hand?"
      confirm="Complete by hand"
      busy="Completing…"
      done="Completed by hand."
      isReady={result.trim() !== '' && fits(result, MOST_LETTERS)}
      send={(expectedRevision, key) =>
        completeGoal(goal.goalId, { result: result.trim(), expectedRevision }, key)
      }
      isSame={isSamePromise}
      versions={(before, now) => ({
        theirs: promiseText(before, now),
        mine: `Complete by hand: ${result}`,
      })}
      onClose={onClose}
    >
      <p>
        {proved + here + holds} of {total} requirements are met. By your word it ends all the same,
        and is shown as “by hand” for good, never as proved.
      </p>
      <TextField
        label="What was achieved, and why you say so"
        isLong
        rows={4}
        most={MOST_LETTERS}
        isFocused
        value={result}
        onText={setResult}
      />
    </ActionDialog>
  );
}
