import { useState } from 'react';
import { amendGoal } from '../../../api/actions.ts';
import {
  type BudgetForm,
  budgetText,
  formOf,
  isSameBudget,
  readForm,
} from '../../../view/budget-form.ts';
import { limitsOf } from '../../../view/limits.ts';
import { ActionDialog } from './action-dialog.tsx';
import type { GoalDialogProps } from './goal-dialog-props.ts';

const fields = [
  { name: 'tokens', label: 'Tokens', limit: 'tokens' },
  { name: 'costUsd', label: 'USD', limit: 'costUsd' },
  { name: 'turns', label: 'Turns', limit: 'turns' },
  { name: 'hours', label: 'Active hours', limit: 'activeSeconds' },
] as const;

export function BudgetDialog({ goal, onClose }: GoalDialogProps) {
  const [form, setForm] = useState<BudgetForm>(() => formOf(goal.budget));
  const { change, errors } = readForm(form, goal.budget);
  const isReady = Object.keys(errors).length === 0 && Object.keys(change).length > 0;
  const used = new Map<string, string>(limitsOf(goal).map((limit) => [limit.name, limit.used]));
  return (
    <ActionDialog
      goal={goal}
      title="Change the budget"
      confirm="Save the budget"
      busy="Saving…"
      done="Budget saved."
      isReady={isReady}
      send={(expectedRevision, key) =>
        amendGoal(goal.goalId, { budget: change, expectedRevision }, key)
      }
      isSame={(before, now) => isSameBudget(before.budget, now.budget) && now.status !== 'complete'}
      versions={(before, now) => ({
        theirs: budgetText(now.budget),
        mine: budgetText({ ...before.budget, ...change }),
      })}
      onClose={onClose}
    >
      <p>
        The first limit that is reached stops new work; one wrap-up turn is kept in reserve. A limit
        below what is used stops at once. Empty = no limit of that kind.
      </p>
      <div className="two-columns">
        {fields.map(({ name, label, limit }, index) => (
          <div key={name}>
            <label className="field-label" htmlFor={`budget-${name}`}>
              {label} <span className="text-muted">{used.get(limit)} used</span>
            </label>
            <div className={`field ${errors[name] === undefined ? '' : 'invalid'}`}>
              <input
                id={`budget-${name}`}
                className="tabular"
                inputMode="decimal"
                {...(index === 0 ? { 'data-autofocus': true } : {})}
                value={form[name]}
                aria-invalid={errors[name] !== undefined}
                onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
              />
            </div>
            {errors[name] === undefined ? null : <p className="field-error">{errors[name]}</p>}
          </div>
        ))}
      </div>
    </ActionDialog>
  );
}
