import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, detailAt, isConflict } from '../../api/problem.ts';
import { amendSchedule, createSchedule, dueTimesQuery } from '../../api/schedules.ts';
import type { Schedule } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import {
  asksForTimes,
  cadenceOf,
  changeBody,
  emptySchedule,
  formOf,
  newScheduleBody,
  type ScheduleForm,
  scheduleProblems,
} from '../../view/schedule-form.ts';
import { emptyForm, type Problems, readStartForm, type StartForm } from '../../view/start-form.ts';
import { StartFields } from '../new/start-fields.tsx';
import { useSettled } from '../new/use-settled.ts';
import { DueTimes } from './due-times.tsx';
import { DoesFields, KeptStart, ScheduleFields } from './schedule-fields.tsx';
import { TemplateFields } from './template-fields.tsx';
import { useTemplate } from './use-template.ts';

const CALM_MS = 400;

/** Makes a schedule, or changes one; its next due times stand beside. */
export function ScheduleEditor({ schedule }: { readonly schedule: Schedule | null }) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const isOffline = useIsOffline();
  const isNew = schedule === null;
  const [form, setForm] = useState(() => (isNew ? emptySchedule : formOf(schedule)));
  const [start, setStart] = useState(emptyForm);
  const [isChecked, setChecked] = useState(false);
  const key = useRef(crypto.randomUUID());
  const isStarting = isNew && form.does === 'start';
  const template = useTemplate(form.does === 'template');
  const read = readStartForm(start);
  const problems: Problems = {
    ...scheduleProblems(form, isNew),
    ...(isStarting ? underStart(read.problems) : {}),
    ...(form.does === 'template' ? template.problems : {}),
  };
  const isRead = form.does !== 'template' || template.start !== undefined;
  const count = Object.keys(problems).length;
  const calm = useSettled(form, CALM_MS);
  const times = useQuery({
    ...dueTimesQuery(cadenceOf(calm), schedule?.createdAt),
    enabled: asksForTimes(calm) && !isOffline,
  });
  const started = form.does === 'template' ? template.start : read.body;
  const save = useAct({
    mutationFn: () =>
      isNew
        ? createSchedule(newScheduleBody(form, started), key.current)
        : amendSchedule(schedule.scheduleId, changeBody(form, schedule, started), key.current),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: ['schedules'] });
      toast(`${made.name} is ${isNew ? 'made' : 'changed'}.`);
      navigate('/schedules');
    },
  });
  // A changed form is another request; an unchanged one after a lost answer is the same.
  const touched = () => {
    key.current = crypto.randomUUID();
    save.reset();
  };
  const change = (values: Partial<ScheduleForm>) => {
    touched();
    setForm((before) => ({ ...before, ...values }));
  };
  const changeStart = (values: Partial<StartForm>) => {
    touched();
    setStart((before) => ({ ...before, ...values }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (count === 0 && isRead && !isOffline) save.mutate();
  };
  const refused = refusalOf(save.error ?? times.error);
  const shown = { ...(isChecked ? problems : {}), ...refused };
  return (
    <div className="start-form">
      <form onSubmit={submit} noValidate>
        <ScheduleFields form={form} problems={shown} onChange={change} />
        <DoesFields form={form} problems={shown} onChange={change}>
          {form.does === 'template' ? (
            <TemplateFields chosen={template} problems={shown} onChange={touched} />
          ) : isNew ? (
            <StartFields
              form={start}
              problems={ofStart(shown)}
              estimate={undefined}
              onChange={changeStart}
            />
          ) : (
            <KeptStart form={form} problems={shown} onChange={change} />
          )}
        </DoesFields>
        {isChecked && count > 0 ? (
          <p className="field-error" role="alert">
            {count === 1 ? 'One field needs a fix.' : `${count} fields need a fix.`}
          </p>
        ) : null}
        {save.isError ? (
          <p className="field-error" role="alert">
            {isConflict(save.error) || Object.keys(refusalOf(save.error)).length === 0
              ? save.error.message
              : 'Nothing was saved: see the marked field.'}
          </p>
        ) : null}
        {isConflict(save.error) && schedule !== null ? (
          <p className="text-small">
            What you typed stays here.{' '}
            <a
              className="link"
              href={`/schedules/${schedule.scheduleId}`}
              target="_blank"
              rel="noopener"
            >
              Look at it as it is now
            </a>
          </p>
        ) : null}
        <div className="row">
          <Button
            type="submit"
            look="primary"
            disabled={save.isPending || isOffline || (isChecked && !isRead)}
          >
            {save.isPending ? 'Saving…' : isNew ? 'Make the schedule' : 'Save the schedule'}
          </Button>
          <Link className={buttonClass({})} href="/schedules">
            Cancel
          </Link>
        </div>
      </form>
      <aside className="start-preview" aria-label="Preview">
        <DueTimes times={times} timeZone={calm.by === 'cron' ? calm.timeZone.trim() : ''} />
      </aside>
    </div>
  );
}

const underStart = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).map(([field, text]) => [`start.${field}`, text]));

const ofStart = (problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([field, text]) =>
      field.startsWith('start.') ? [[field.slice('start.'.length), text]] : [],
    ),
  );

/** Fields that stand in the form, as the service names them. */
const PLACES = /^(name|when|overlap|catchUp|catchUpSeconds|wake|start)(\.|$)/;

/** The service's refusal, at the field that it names. */
function refusalOf(error: Error | null): Problems {
  if (!(error instanceof ApiError)) return {};
  const { field = '' } = error.problem;
  return PLACES.test(field) ? { [field]: detailAt(error.problem) } : {};
}
