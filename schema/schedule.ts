import { z } from 'zod';
import { cadenceSchema } from './cadence.ts';
import { inForms, oneOfFields } from './forms.ts';
import { followingGoalSchema, goalStatusSchema, startFields } from './goal.ts';
import { notifyTargetSchema } from './notify.ts';
import { roleSchema } from './role.ts';
import { textSchema, wordSchema } from './text.ts';

/** What a start may say of the goal before it, and its files, are of one start alone. */
const OF_ONE_START = {
  // An upload is good for a day.
  attachments: true,
  expectedGoalId: true,
  replace: true,
  expectedRevision: true,
} as const;

const keptTarget = inForms(notifyTargetSchema, [{ has: ['secretEnv'], lacks: ['secret'] }], {
  path: ['secret'],
  message: 'a schedule holds no secret: name a variable of the workers as secretEnv',
});

/** A start as it is made at each due time. */
const keptNotify = z.array(keptTarget).max(10).optional();

export const scheduledStartSchema = startFields.omit(OF_ONE_START).extend({
  notify: keptNotify,
  // biome-ignore lint/suspicious/noThenProperty: a list is no thenable
  then: z
    .array(followingGoalSchema.extend({ notify: keptNotify }))
    .min(1)
    .max(10)
    .optional(),
});

export const heartbeatSchema = z.strictObject({
  goalId: wordSchema(80),
  /** What the goal is told each time. */
  text: textSchema(4000),
});

/** What happens while what the due time before began is not over. */
export const overlapSchema = z.enum(['skip', 'queue', 'allow']);
/** Which of the due times are made up that came while nothing ran. */
export const catchUpSchema = z.enum(['none', 'last', 'all']);

const newFields = z.strictObject({
  /** One of this owner's schedules at a time. */
  name: wordSchema(80).regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]*[\p{L}\p{N}._-])?$/u, {
    message: 'letters, digits, blanks, ".", "_" and "-"',
  }),
  when: cadenceSchema,
  overlap: overlapSchema.default('skip'),
  catchUp: catchUpSchema.default('last'),
  /** Due times that are longer ago are missed. */
  catchUpSeconds: z
    .int()
    .min(60)
    .max(30 * 86_400)
    .default(86_400),
  /** Starts a goal. */
  start: scheduledStartSchema.optional(),
  /** Wakes one that stands. */
  wake: heartbeatSchema.optional(),
});

/** `POST /v1/schedules`. */
export const newScheduleSchema = inForms(newFields, oneOfFields(['start', 'wake']), {
  message: 'give either start or wake',
  path: ['start'],
});

const changedFields = z.strictObject({
  /** Refused where the schedule is another one by now. */
  expectedRevision: z.int().min(1).optional(),
  name: newFields.shape.name.optional(),
  when: newFields.shape.when.optional(),
  overlap: overlapSchema.optional(),
  catchUp: catchUpSchema.optional(),
  catchUpSeconds: newFields.shape.catchUpSeconds.unwrap().optional(),
  /** Takes the place of what it did. */
  start: newFields.shape.start,
  /** Takes the place of what it did. */
  wake: newFields.shape.wake,
});

/** `PATCH /v1/schedules/{scheduleId}`: what is absent stays as it is. */
export const scheduleChangeSchema = inForms(
  changedFields,
  [{ lacks: ['start'] }, { lacks: ['wake'] }],
  { message: 'give either start or wake', path: ['start'] },
);

/** More than a form shows is a calendar of its own. */
const MOST_TIMES = 20;

export const dueTimesQuerySchema = z.strictObject({
  when: cadenceSchema,
  /** When the schedule was made: its spans are counted from there; now unless told. */
  madeAt: z.iso.datetime().optional(),
  count: z.int().min(1).max(MOST_TIMES).default(5),
});

export const dueTimesSchema = z.strictObject({
  /** The earliest first; fewer where no more come. */
  items: z.array(z.string()),
});

/**
 * `due`: to be carried out; `waiting`: for what runs; `skipped`: something still ran, or the goal to
 * wake was no goal to wake; `missed`: nothing was there at the time; `refused`: it was tried.
 */
export const scheduleRunStateSchema = z.enum([
  'due',
  'waiting',
  'started',
  'woken',
  'skipped',
  'missed',
  'refused',
]);

export const scheduleRunSchema = z.strictObject({
  dueAt: z.string(),
  state: scheduleRunStateSchema,
  /** Why it was skipped or refused, or what it is still tried for. */
  reason: z.string().optional(),
  /** Due times that this row stands for, this one the last of them; absent = one. */
  count: z.int().optional(),
  goalId: z.string().optional(),
  goalStatus: goalStatusSchema.optional(),
  /** Who asked for it beside the clock. */
  askedBy: z.string().optional(),
});

export const schedulePauseSchema = z.enum(['person', 'program', 'owner_ended', 'goal_over']);

export const scheduleSchema = z.strictObject({
  scheduleId: z.string(),
  name: z.string(),
  workspace: z.string(),
  when: cadenceSchema,
  overlap: overlapSchema,
  catchUp: catchUpSchema,
  catchUpSeconds: z.int(),
  start: scheduledStartSchema.optional(),
  wake: heartbeatSchema.optional(),
  /** By whose rights it acts. */
  owner: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  /** Counts what people changed of it, pauses included. */
  revision: z.int(),
  paused: z
    .strictObject({ at: z.string(), by: z.string().optional(), reason: schedulePauseSchema })
    .optional(),
  /** Absent while it is paused. */
  nextDueAt: z.string().optional(),
  deletedAt: z.string().optional(),
  /** Newest first. */
  runs: z.array(scheduleRunSchema),
});

export type NewSchedule = z.infer<typeof newScheduleSchema>;
export type ScheduleChange = z.infer<typeof scheduleChangeSchema>;
export type ScheduledStart = z.infer<typeof scheduledStartSchema>;
export type Heartbeat = z.infer<typeof heartbeatSchema>;
export type Overlap = z.infer<typeof overlapSchema>;
export type CatchUp = z.infer<typeof catchUpSchema>;
export type ScheduleRunState = z.infer<typeof scheduleRunStateSchema>;
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;
export type SchedulePause = z.infer<typeof schedulePauseSchema>;
export type Schedule = z.infer<typeof scheduleSchema>;
