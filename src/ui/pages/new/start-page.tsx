import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { startGoal } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import { estimateQuery } from '../../api/estimate.ts';
import { keys } from '../../api/keys.ts';
import { goalQuery } from '../../api/queries.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { patchGoal } from '../../live/patch.ts';
import { useMayPause } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { formOfGoal } from '../../view/goal-form.ts';
import { type StartForm as Form, readStartForm } from '../../view/start-form.ts';
import { NoSandbox } from './no-sandbox.tsx';
import { problemOf, unplaced } from './server-problems.ts';
import { keepDraft, readDraft } from './start-draft.ts';
import { StartFields } from './start-fields.tsx';
import { StartPreview } from './start-preview.tsx';
import { useSettled } from './use-settled.ts';

/** Typing pauses for so long before the service is asked what it would make of it. */
const CALM_MS = 600;

/**
 * A new goal, or with `?of=GOAL` one that begins with the terms of that goal; `model` and `tree`
 * take the place of its own, and with `turn` it begins with the goal's files after that turn.
 */
export function StartPage() {
  useTitle('Start a goal');
  const [search, setSearch] = useSearchParams();
  const [copied, setCopied] = useState<string | null>(null);
  const of = search.get('of');
  const model = search.get('model');
  const hasTree = search.get('tree') === 'worktree';
  const turn = search.get('turn');
  const goal = useQuery({ ...goalQuery(of ?? ''), enabled: of !== null });
  useEffect(() => {
    if (of === null || goal.data === undefined) return;
    // The draft is the copy from here on: a reload keeps what is changed in it.
    keepDraft({
      ...formOfGoal(goal.data),
      ...(model === null ? {} : { model, agent: '' }),
      ...(hasTree ? { tree: 'worktree' as const } : {}),
      ...(hasTree && turn !== null && /^\d{1,7}$/.test(turn)
        ? { begins: { goalId: of, turn: Number(turn) } }
        : {}),
    });
    setCopied(of);
    setSearch({}, { replace: true });
  }, [of, model, hasTree, turn, goal.data, setSearch]);
  if (of === null) return <StartForm key={copied} copied={copied} />;
  if (goal.isError) {
    return <FailedBox what="The goal" error={goal.error} onRetry={() => void goal.refetch()} />;
  }
  return <SkeletonLines label="Loading the terms" widths={[40, 70, 55]} />;
}

/** The limits and the possible cost, beside the form that sets them. */
function StartForm({ copied }: { readonly copied: string | null }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const mayStart = useMayPause();
  const [form, setForm] = useState(readDraft);
  const [isChecked, setChecked] = useState(false);
  const key = useRef(crypto.randomUUID());
  const { body, problems } = readStartForm(form);
  const isComplete = Object.keys(problems).length === 0;
  const calm = readStartForm(useSettled(form, CALM_MS));
  const isCalmComplete = Object.keys(calm.problems).length === 0;
  const estimate = useQuery({
    ...estimateQuery(calm.body),
    enabled: isCalmComplete && mayStart && !isOffline,
    retry: false,
  });
  const start = useAct({
    mutationFn: () => answerOf(startGoal(body, key.current)),
    onSuccess: (goal) => {
      keepDraft(null);
      patchGoal(client, goal);
      void client.invalidateQueries({ queryKey: keys.allGoals });
      void client.invalidateQueries({ queryKey: keys.counts });
      toast(`Started as ${goal.goalId}.`);
      navigate(`/goals/${goal.goalId}`);
    },
  });
  useEffect(() => keepDraft(form), [form]);
  // A changed form is another request; an unchanged one after a lost answer is the same.
  const change = (values: Partial<Form>) => {
    key.current = crypto.randomUUID();
    start.reset();
    setForm((before) => ({ ...before, ...values }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isComplete) start.mutate();
  };
  const refusal = start.error ?? (isCalmComplete ? estimate.error : null);
  const shown = { ...(isChecked ? problems : {}), ...problemOf(refusal) };
  return (
    <>
      <header className="page-head start-head">
        <h1>Start a goal</h1>
        <p className="page-summary">
          Say what done means and what it may cost. All of it is enforced by Goalkeeper, not by the
          model.
        </p>
        {copied === null ? null : (
          <p className="note">
            The terms of <span className="mono">{copied}</span>. Not taken over: attached files,
            notices and setup commands.
          </p>
        )}
      </header>
      <NoSandbox workspace={form.workspace} />
      <div className="start-form">
        <form onSubmit={submit} noValidate>
          <StartFields form={form} problems={shown} estimate={estimate.data} onChange={change} />
          {isChecked && !isComplete ? (
            <p className="field-error" role="alert">
              {Object.values(problems).length === 1
                ? 'One field needs a fix.'
                : `${Object.values(problems).length} fields need a fix.`}
            </p>
          ) : null}
          {start.isError ? (
            <p className="field-error" role="alert">
              {unplaced(start.error) ?? 'Nothing was started: see the marked field.'}
            </p>
          ) : null}
          <Button
            type="submit"
            look="primary"
            disabled={start.isPending || isOffline || !mayStart}
            title={mayStart ? undefined : 'The role viewer starts no goals'}
          >
            {start.isPending ? 'Starting…' : 'Start goal'}
          </Button>
        </form>
        <StartPreview form={form} estimate={estimate} />
      </div>
    </>
  );
}
