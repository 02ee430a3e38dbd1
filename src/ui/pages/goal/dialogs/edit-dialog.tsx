import { useState } from 'react';
import { amendGoal } from '../../../api/actions.ts';
import { TextField } from '../../../components/text-field.tsx';
import { fits } from '../../../view/text-length.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

const MOST_LETTERS = 4000;

export function EditDialog({ goal, onClose }: GoalDialogProps) {
  const [objective, setObjective] = useState(goal.objective);
  const trimmed = objective.trim();
  return (
    <ActionDialog
      goal={goal}
      title="Edit the objective"
      confirm="Save"
      busy="Saving…"
      done="Saved."
      isWide
      isReady={trimmed !== '' && objective !== goal.objective && fits(objective, MOST_LETTERS)}
      send={(expectedRevision, key) =>
        amendGoal(goal.goalId, { objective: trimmed, expectedRevision }, key)
      }
      isSame={(before, now) => before.objective === now.objective && now.status !== 'complete'}
      versions={(_before, now) => ({ theirs: now.objective, mine: trimmed })}
      onClose={onClose}
    >
      <p>
        The agent reads the new words with its next call. Id, usage, todo list and receipts stay;
        the criteria stay as they are.
      </p>
      <TextField
        label="Objective"
        isLong
        rows={6}
        most={MOST_LETTERS}
        isFocused
        value={objective}
        onText={setObjective}
      />
      <p className="text-small text-muted tabular text-right">
        {objective.length} of {MOST_LETTERS.toLocaleString('en')}
      </p>
    </ActionDialog>
  );
}
