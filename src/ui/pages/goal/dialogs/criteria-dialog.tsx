import { useState } from 'react';
import { amendGoal } from '../../../api/actions.ts';
import {
  type CriterionRow,
  criterionKinds,
  rowOf,
  rowProblems,
  rowTitle,
  toCriterion,
} from '../../../view/criterion-form.ts';
import { criteriaText, isSamePromise } from '../../../view/version-text.ts';
import { CriteriaRows } from '../../new/criteria-rows.tsx';
import { SealHere } from '../../new/seal-here.tsx';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

/** All criteria of a goal, in place of those that stand. */
export function CriteriaDialog({ goal, onClose }: GoalDialogProps) {
  const [first] = useState(() => goal.criteria.map(({ spec }) => rowOf(spec)));
  const [rows, setRows] = useState<readonly CriterionRow[]>(first);
  const problems = Object.fromEntries(
    rows.flatMap((row, index) =>
      Object.entries(rowProblems(row)).map(([field, problem]) => [
        `criteria.${index}.${field}`,
        problem,
      ]),
    ),
  );
  const criteria = rows.map(toCriterion);
  const isChanged = JSON.stringify(criteria) !== JSON.stringify(first.map(toCriterion));
  return (
    <ActionDialog
      goal={goal}
      title="Edit the criteria"
      confirm="Save the criteria"
      busy="Saving…"
      done="Criteria saved."
      isWide
      isReady={isChanged && Object.keys(problems).length === 0}
      send={(expectedRevision, key) => amendGoal(goal.goalId, { criteria, expectedRevision }, key)}
      isSame={isSamePromise}
      versions={(_before, now) => ({ theirs: criteriaText(now), mine: wordsOf(rows) })}
      onClose={onClose}
    >
      <p>
        They stand in place of the present ones. Each is run once anew: one that holds already
        becomes a guard. Receipts stay; todo list, id and usage too.
      </p>
      <CriteriaRows
        rows={rows}
        problems={isChanged ? problems : {}}
        onChange={setRows}
        below={(row, onRow) =>
          row.kind === 'sealed' ? <SealHere row={row} onChange={onRow} /> : null
        }
      />
      {rows.length === 0 ? (
        <p className="note">Without any, a person judges when it claims to be done.</p>
      ) : null}
    </ActionDialog>
  );
}

const wordsOf = (rows: readonly CriterionRow[]): string =>
  rows.length === 0
    ? 'none'
    : rows.map((row) => rowTitle(row) || criterionKinds[row.kind].label).join('; ');
