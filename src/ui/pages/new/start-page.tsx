import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { startGoal } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { modelsQuery, workspacesQuery } from '../../api/queries.ts';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useMayPause } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { readStartForm, type StartForm } from '../../view/start-form.ts';
import { CriteriaRows } from './criteria-rows.tsx';
import { StartPreview } from './start-preview.tsx';

const MOST_LETTERS = 4000;

const empty: StartForm = {
  objective: '',
  criteria: [{ id: '1', kind: 'command', text: 'npm test' }],
  tokens: '',
  costUsd: '',
  turns: '',
  hours: '',
  workspace: '',
  model: '',
};

const budgets = [
  ['tokens', 'Tokens'],
  ['costUsd', 'USD'],
  ['turns', 'Turns'],
  ['hours', 'Active hours'],
] as const;

/** What will be enforced, and what it may cost, beside the form that says it. */
export function StartPage() {
  useTitle('Start a goal');
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const mayStart = useMayPause();
  const [form, setForm] = useState(empty);
  const [isChecked, setChecked] = useState(false);
  const key = useRef(crypto.randomUUID());
  const { data: models } = useQuery(modelsQuery);
  const { data: workspaces } = useQuery(workspacesQuery);
  const { body, problems } = readStartForm(form);
  const start = useMutation({
    mutationFn: () => answerOf(startGoal(body, key.current)),
    onSuccess: (goal) => {
      patchGoal(client, goal);
      void client.invalidateQueries({ queryKey: keys.allGoals });
      void client.invalidateQueries({ queryKey: keys.counts });
      toast(`Started as ${goal.goalId}.`);
      navigate(`/goals/${goal.goalId}`);
    },
  });
  // A changed form is another request; an unchanged one after a lost answer is the same.
  const change = (values: Partial<StartForm>) => {
    key.current = crypto.randomUUID();
    setForm((before) => ({ ...before, ...values }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problems.length === 0) start.mutate();
  };
  return (
    <>
      <header className="head start-head">
        <h1>Start a goal</h1>
        <p className="sum">
          Say what done means and what it may cost. All of it is enforced by Goalkeeper, not by the
          model.
        </p>
      </header>
      <div className="form">
        <form onSubmit={submit} noValidate>
          <section className="fs">
            <h2>
              <label htmlFor="objective">Objective</label>
            </h2>
            <p>One outcome, in the words you would give a colleague.</p>
            <textarea
              id="objective"
              className="ta"
              maxLength={MOST_LETTERS}
              value={form.objective}
              onChange={(event) => change({ objective: event.currentTarget.value })}
            />
            <p className="xs t3 num r">
              {form.objective.length} of {MOST_LETTERS.toLocaleString('en')}
            </p>
          </section>
          <CriteriaRows
            rows={form.criteria}
            isChecked={isChecked}
            onChange={(criteria) => change({ criteria })}
          />
          <section className="fs">
            <h2>Budget</h2>
            <p>
              The first limit that is reached stops new work. Empty fields take the service's
              defaults.
            </p>
            <div className="g4">
              {budgets.map(([name, label]) => (
                <div key={name}>
                  <label className="lbl" htmlFor={`start-${name}`}>
                    {label}
                  </label>
                  <div className="field">
                    <input
                      id={`start-${name}`}
                      className="num"
                      inputMode="decimal"
                      value={form[name]}
                      onChange={(event) => change({ [name]: event.currentTarget.value })}
                    />
                  </div>
                </div>
              ))}
            </div>
          </section>
          <section className="fs">
            <h2>Where and with what</h2>
            <div className="g2">
              <div>
                <label className="lbl" htmlFor="start-workspace">
                  Workspace, by name or path
                </label>
                <div className="field">
                  <input
                    id="start-workspace"
                    className="mono"
                    list="workspaces"
                    value={form.workspace}
                    onChange={(event) => change({ workspace: event.currentTarget.value })}
                  />
                </div>
                <datalist id="workspaces">
                  {(workspaces ?? []).map(({ name, path }) => (
                    <option key={name} value={name}>
                      {path}
                    </option>
                  ))}
                </datalist>
              </div>
              <div>
                <label className="lbl" htmlFor="start-model">
                  Model
                </label>
                <select
                  id="start-model"
                  className="field"
                  value={form.model}
                  onChange={(event) => change({ model: event.currentTarget.value })}
                >
                  <option value="">The service's default</option>
                  {(models ?? []).map(({ model, isUsable, problem }) => (
                    <option key={model} value={model} disabled={!isUsable}>
                      {isUsable ? model : `${model}: ${problem}`}
                    </option>
                  ))}
                </select>
              </div>
            </div>
          </section>
          {isChecked && problems.length > 0 ? (
            <p className="err" role="alert">
              {problems.join(' ')}
            </p>
          ) : null}
          {start.isError ? (
            <p className="err" role="alert">
              {start.error.message}
            </p>
          ) : null}
          <button
            type="submit"
            className="btn p"
            disabled={start.isPending || isOffline || !mayStart}
            title={mayStart ? undefined : 'The role viewer starts no goals'}
          >
            {start.isPending ? 'Starting…' : 'Start goal'}
          </button>
        </form>
        <StartPreview form={form} />
      </div>
    </>
  );
}
