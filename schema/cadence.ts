import { Cron } from 'croner';
import { z } from 'zod';
import { type Form, inForms, oneOfFields } from './forms.ts';
import { atMost, inFormat } from './text.ts';

const NAMES = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat/gi;
/** What is left of a field beside names: extensions such as L, W and # differ from cron to cron. */
const PLAIN = /^[\d*,/-]*$/;

/** @returns why the text is no cron expression that ever comes, or null */
export function cronProblem(text: string): string | null {
  const fields = text.trim().split(/[ \t]+/);
  if (fields.length !== FIELD_NAMES.length) {
    return 'a cron expression has five fields: minute, hour, day, month, weekday, such as "0 6 * * 1"';
  }
  const strange = fields.find((field) => !PLAIN.test(field.replaceAll(NAMES, '')));
  if (strange !== undefined) return `${strange} is no field of a cron expression`;
  const wrong = fields.findIndex((field, index) => firstOf(onlyField(field, index)) === 'wrong');
  if (wrong !== -1) return `${fields[wrong]} is no ${FIELD_NAMES[wrong]}`;
  return firstOf(fields.join(' ')) === 'never' ? 'no day of the calendar is meant by it' : null;
}

const FIELD_NAMES = ['minute', 'hour', 'day of a month', 'month', 'weekday'];

const onlyField = (field: string, place: number): string =>
  FIELD_NAMES.map((_, index) => (index === place ? field : '*')).join(' ');

function firstOf(text: string): 'wrong' | 'never' | 'comes' {
  try {
    const cron = new Cron(text, { mode: '5-part', paused: true, timezone: 'UTC' });
    return cron.nextRun(LONG_AGO) === null ? 'never' : 'comes';
  } catch {
    return 'wrong';
  }
}

const LONG_AGO = '2000-01-01T00:00:00Z';

export const isTimeZone = (name: string): boolean => {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
};

export const timeZoneSchema = z
  .string()
  .check(atMost(60))
  .check(
    inFormat('time-zone', (name) => (isTimeZone(name) ? null : 'the IANA name of a time zone')),
  );

/** Anything shorter is a loop, and not a schedule. */
export const LEAST_SECONDS = 60;
const MOST_SECONDS = 366 * 86_400;

const cadenceFields = z.strictObject({
  cron: z.string().check(atMost(200)).check(inFormat('cron', cronProblem)).optional(),
  /** Of the cron expression; UTC unless told. */
  timeZone: timeZoneSchema.optional(),
  /** Counted from when the schedule was made, in seconds. */
  everySeconds: z.int().min(LEAST_SECONDS).max(MOST_SECONDS).optional(),
});

const forms: Form<keyof typeof cadenceFields.shape & string>[] = oneOfFields([
  'cron',
  'everySeconds',
] as const).map((form) =>
  form.has?.includes('everySeconds') === true
    ? { ...form, lacks: [...(form.lacks ?? []), 'timeZone' as const] }
    : form,
);

/** When something comes: at times of a calendar, or after each span of time. */
export const cadenceSchema = inForms(cadenceFields, forms, {
  message: 'give either cron, with or without timeZone, or everySeconds',
});

export type Cadence = z.infer<typeof cadenceSchema>;
