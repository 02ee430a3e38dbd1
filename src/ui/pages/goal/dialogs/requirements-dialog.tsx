import { useState } from 'react';
import { amendGoal } from '../../../api/actions.ts';
import { Button } from '../../../components/button.tsx';
import { TextNotes } from '../../../components/text-field.tsx';
import {
  editsOf,
  type RequirementRow,
  rowOfRequirement,
  strangeIds,
} from '../../../view/requirement-form.ts';
import { fits } from '../../../view/text-length.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

const MOST_LETTERS = 500;

/** What the objective asks for, piece by piece: given, reworded, bound or removed by a person. */
export function RequirementsDialog({ goal, onClose }: GoalDialogProps) {
  const [before] = useState(goal.requirements ?? []);
  const [rows, setRows] = useState<readonly RequirementRow[]>(before.map(rowOfRequirement));
  const edits = editsOf(before, rows);
  const strange = rows.flatMap((row) => strangeIds(row, goal));
  const change = (key: string, part: Partial<RequirementRow>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <ActionDialog
      goal={goal}
      title="Edit the requirements"
      confirm="Save the requirements"
      busy="Saving…"
      done="Requirements saved."
      isWide
      isReady={
        Object.keys(edits).length > 0 &&
        strange.length === 0 &&
        rows.every(({ text }) => fits(text, MOST_LETTERS))
      }
      send={(expectedRevision, key) => amendGoal(goal.goalId, { ...edits, expectedRevision }, key)}
      isSame={(was, now) => was.objective === now.objective && now.status !== 'complete'}
      versions={(_before, now) => ({
        theirs: (now.requirements ?? []).map(({ text }) => text).join('; '),
        mine: rows.map(({ text }) => text).join('; '),
      })}
      onClose={onClose}
    >
      <p>
        Each is bound to the criteria that check it, by their ids, or openly to none. The model may
        add more; it changes or removes one only if you say yes.
      </p>
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          onChange={change}
          onRemove={(key) => setRows(without(rows, key))}
        />
      ))}
      <Button
        isSmall
        onClick={() => setRows([...rows, { key: crypto.randomUUID(), text: '', criteria: '' }])}
      >
        Add one
      </Button>
      {strange.length === 0 ? null : (
        <p className="field-error" role="alert">
          No such criterion: {strange.join(', ')}
        </p>
      )}
    </ActionDialog>
  );
}

const without = (rows: readonly RequirementRow[], key: string) =>
  rows.filter((row) => row.key !== key);

function Row(props: {
  readonly row: RequirementRow;
  readonly onChange: (key: string, part: Partial<RequirementRow>) => void;
  readonly onRemove: (key: string) => void;
}) {
  const { row, onChange, onRemove } = props;
  const name = row.requirementId ?? 'New requirement';
  return (
    <div className="row wrap">
      <span className="mono">{row.requirementId ?? 'new'}</span>
      <span className="field grow">
        <input
          aria-label={`${name}: text`}
          value={row.text}
          onChange={(event) => onChange(row.key, { text: event.currentTarget.value })}
        />
      </span>
      <span className="field">
        <input
          aria-label={`${name}: criteria`}
          placeholder="c1, c2, or nobody"
          value={row.criteria}
          onChange={(event) => onChange(row.key, { criteria: event.currentTarget.value })}
        />
      </span>
      <Button isSmall aria-label={`Remove ${name}`} onClick={() => onRemove(row.key)}>
        Remove
      </Button>
      <TextNotes text={row.text} most={MOST_LETTERS} />
    </div>
  );
}
