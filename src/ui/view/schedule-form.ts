import type { operations } from '../api/schema.d.ts';
import type { Schedule } from '../api/types.ts';
import { jsonIn, jsonText } from './json-field.ts';
import { overlapWords } from './schedule-text.ts';
import type { Problems } from './start-form.ts';

export type NewSchedule =
  operations['createSchedule']['requestBody']['content']['application/json'];
export type ScheduleChange = NonNullable<
  operations['changeSchedule']['requestBody']
>['content']['application/json'];
export type Cadence = NewSchedule['when'];

export interface ScheduleForm {
  readonly name: string;
  readonly by: 'cron' | 'span';
  readonly cron: string;
  /** Empty = UTC. */
  readonly timeZone: string;
  readonly span: string;
  readonly unit: keyof typeof UNITS;
  readonly overlap: 'skip' | 'queue' | 'allow';
  readonly catchUp: 'last' | 'all' | 'none';
  readonly withinHours: string;
  /** `template`: a goal starts from a template of a workspace's file. */
  readonly does: 'start' | 'template' | 'wake';
  readonly goalId: string;
  readonly text: string;
  /** Of a start that stands: its objective, and the rest of the request as JSON. */
  readonly objective: string;
  readonly rest: string;
}

const UNITS = { minutes: 60, hours: 3600, days: 86_400 } as const;

export const emptySchedule: ScheduleForm = {
  ...{ name: '', by: 'cron', cron: '0 6 * * 1', timeZone: '', span: '2', unit: 'hours' },
  ...{ overlap: 'skip', catchUp: 'last', withinHours: '24' },
  ...{ does: 'start', goalId: '', text: '', objective: '', rest: '' },
};

/** A schedule as its form shows it. */
export function formOf(schedule: Schedule): ScheduleForm {
  const { name, when, overlap, catchUp, catchUpSeconds, start, wake } = schedule;
  const { objective = '', ...rest } = start ?? {};
  return {
    ...emptySchedule,
    ...{ name, overlap, catchUp, withinHours: String(catchUpSeconds / 3600), objective },
    ...(when.everySeconds === undefined
      ? { by: 'cron', cron: when.cron ?? '', timeZone: when.timeZone ?? '' }
      : { by: 'span', ...spanOf(when.everySeconds) }),
    ...(wake === undefined ? { does: 'start', rest: jsonText(rest) } : { does: 'wake', ...wake }),
  };
}

function spanOf(seconds: number): Pick<ScheduleForm, 'span' | 'unit'> {
  const units = ['days', 'hours', 'minutes'] as const;
  const unit = units.find((one) => seconds % UNITS[one] === 0) ?? 'minutes';
  return { unit, span: String(seconds / UNITS[unit]) };
}

export const cadenceOf = ({ by, cron, timeZone, span, unit }: ScheduleForm): Cadence =>
  by === 'cron'
    ? { cron: cron.trim(), ...(timeZone.trim() === '' ? {} : { timeZone: timeZone.trim() }) }
    : { everySeconds: Math.round(Number(span) * UNITS[unit]) };

export const asksForTimes = ({ by, cron, span }: ScheduleForm): boolean =>
  by === 'cron' ? cron.trim() !== '' : Number(span) > 0;

/** What keeps it from being sent, by the name that the service gives the field. */
export function scheduleProblems(form: ScheduleForm, isNew: boolean): Problems {
  const problems: Record<string, string> = {};
  if (form.name.trim() === '') problems.name = 'Give it a name.';
  if (form.by === 'cron' && form.cron.trim() === '') problems['when.cron'] = 'Say when it comes.';
  if (form.by === 'span' && !(Number(form.span) > 0)) {
    problems['when.everySeconds'] = 'A number above 0';
  }
  if (!(Number(form.withinHours) > 0)) problems.catchUpSeconds = 'A number above 0';
  if (form.does === 'wake') {
    if (form.goalId.trim() === '') problems['wake.goalId'] = 'Name the goal that it wakes.';
    if (form.text.trim() === '') problems['wake.text'] = 'Say what the goal is told.';
  } else if (form.does === 'start' && !isNew) {
    if (form.objective.trim() === '') problems['start.objective'] = 'Say what the goal is.';
    const { problem } = jsonIn(form.rest);
    if (problem !== '') problems.start = problem;
  }
  return problems;
}

const fieldsOf = (form: ScheduleForm) => ({
  name: form.name.trim(),
  when: cadenceOf(form),
  overlap: form.overlap,
  catchUp: form.catchUp,
  catchUpSeconds: Math.round(Number(form.withinHours) * 3600),
});

const wakeOf = ({ goalId, text }: ScheduleForm) => ({
  goalId: goalId.trim(),
  text: text.trim(),
});

/** A start of the form names no webhooks, by which alone one of a schedule differs. */
export const newScheduleBody = (form: ScheduleForm, start: object | undefined): NewSchedule =>
  ({
    ...fieldsOf(form),
    ...(form.does === 'wake' ? { wake: wakeOf(form) } : { start }),
  }) as NewSchedule;

/**
 * What it does is sent only where it is another by now.
 * @param filled the start that the chosen template is
 */
export function changeBody(
  form: ScheduleForm,
  before: Schedule,
  filled: object | undefined,
): ScheduleChange {
  const was = formOf(before);
  const isSame = (['does', 'goalId', 'text', 'objective', 'rest'] as const).every(
    (field) => form[field] === was[field],
  );
  const kept = { ...jsonIn(form.rest).value, objective: form.objective.trim() };
  const start = form.does === 'template' ? filled : kept;
  return {
    ...fieldsOf(form),
    expectedRevision: before.revision,
    ...(isSame ? {} : form.does === 'wake' ? { wake: wakeOf(form) } : { start }),
  } as ScheduleChange;
}

export const overlapChoices = (['skip', 'queue', 'allow'] as const).map(
  (overlap) => [overlap, overlapWords[overlap]] as const,
);

export const catchUpChoices = [
  ['last', 'the last one is made up'],
  ['all', 'all are made up'],
  ['none', 'none is made up'],
] as const;
