import { z } from 'zod';
import { inForms, jsonOf, oneOfFields } from './forms.ts';
import { replacing, startFields } from './goal.ts';
import { jsonPathSchema } from './json-path.ts';
import { unkeyedNotifySchema } from './notify.ts';
import { atMost, textSchema, wordSchema } from './text.ts';

/** How a sender proves who it is. */
export const triggerKindSchema = z.enum(['standard', 'github', 'gitlab']);

/** Stands in URLs of the API, and for people. */
export const triggerNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'lower case letters, digits, ".", "_" and "-", at most 63');

/** What a goal waits for by `wait_for {event}`. */
export const eventNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:/-]{0,119}$/, 'letters, digits and _ . : / -, at most 120');

const LEAST_SECRET = 16;

const secretSchema = z
  .string()
  .min(LEAST_SECRET)
  .max(200)
  .regex(
    /^(?:(?!whsec_)[\x21-\x7e]+|whsec_[A-Za-z0-9+/_-]{22,}={0,2})$/,
    'visible ASCII characters; behind whsec_: the base64 of at least 16 bytes',
  );

const literal = z.union([z.string().check(atMost(1000)), z.number(), z.boolean(), z.null()]);

/** Absent = every delivery counts. */
export const triggerFilterSchema = z.strictObject({
  /** GitHub's and GitLab's header of it; otherwise the payload's `type`. */
  events: z.array(wordSchema(120)).min(1).max(50).optional(),
  /** All of them have to hold. */
  where: z
    .array(z.strictObject({ path: jsonPathSchema, equals: literal }))
    .min(1)
    .max(20)
    .optional(),
});

const parameterNames = z.string().regex(/^[A-Za-z]\w{0,59}$/, 'letters, digits and _');

/** A parameter's value, looked up in the payload; without a default one that is not there refuses. */
export const triggerParametersSchema = z
  .record(
    parameterNames,
    z.union([
      jsonPathSchema,
      z.strictObject({ path: jsonPathSchema, default: z.string().check(atMost(4000)) }),
    ]),
  )
  .refine((all) => Object.keys(all).length <= 30, 'at most 30 parameters')
  .meta({ maxProperties: 30 });

/** `{{name}}` stands for a parameter's value. */
const said = textSchema(4000);

/** The goal that a message is for. */
const goalTextSchema = wordSchema(200);

/** The body of a start, with placeholders. */
const startSchema = z.looseObject({ objective: said });

/** Anyone's upload is good for a day, and whoever sees a trigger sees what it starts. */
const startsOfTriggers = inForms(
  startFields
    .omit({ attachments: true })
    .extend({ objective: said, notify: unkeyedNotifySchema.optional() }),
  ...replacing,
);

const actionSchema = <Start extends z.ZodType>(goal: Start) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('start'), goal }),
    inForms(
      z.strictObject({
        kind: z.literal('message'),
        /** A goal's id, with placeholders or without. */
        goalId: goalTextSchema.optional(),
        /** Instead: the current goal of this thread. */
        threadId: goalTextSchema.optional(),
        text: said,
      }),
      oneOfFields(['goalId', 'threadId']),
      { message: 'give either goalId or threadId' },
    ),
    z.strictObject({
      kind: z.literal('event'),
      name: eventNameSchema,
      text: said.optional(),
    }),
  ]);

export const triggerActionSchema = actionSchema(startSchema);

/** The document tells what a start is without placeholders; with them it is judged by a trial. */
const newActionSchema = actionSchema(startSchema.meta(jsonOf(startsOfTriggers)));

export const newTriggerSchema = z.strictObject({
  name: triggerNameSchema,
  kind: triggerKindSchema.default('standard'),
  /** Absent: the service makes one. */
  secret: secretSchema.optional(),
  filter: triggerFilterSchema.default({}),
  parameters: triggerParametersSchema.default({}),
  action: newActionSchema,
  /** More of them are refused, and nothing of them is kept: their sender may come again. */
  mostPerHour: z.int().min(1).max(10_000).default(100),
});

/** `refused`: nothing came of it, and nothing will. `failed`: given up after a day of trying. */
export const deliveryStateSchema = z.enum(['pending', 'done', 'ignored', 'refused', 'failed']);

export const deliveryOutcomeSchema = z.strictObject({
  /** One line, for people. */
  text: z.string(),
  /** The goal that was started or messaged. */
  goalId: z.string().optional(),
  /** Goals that were waiting for the event when it came. */
  waiting: z.array(z.string()).optional(),
  /** Which part of trigger or delivery is at fault. */
  place: z.string().optional(),
});

export const triggerDeliverySchema = z.strictObject({
  deliveryId: z.string(),
  /** As the sender names it. */
  externalId: z.string(),
  event: z.string().nullable(),
  state: deliveryStateSchema,
  outcome: deliveryOutcomeSchema,
  attempts: z.int(),
  receivedAt: z.string(),
  settledAt: z.string().nullable(),
});

/** As its trigger's owner sees it. */
export const shownDeliverySchema = triggerDeliverySchema.extend({
  /** How often it came again; each repeat got the first one's answer. */
  repeats: z.int(),
  /** Since when all but its id is gone; absent = all of it is there. */
  prunedAt: z.string().optional(),
});

export const triggerSchema = z.strictObject({
  triggerId: z.string(),
  name: z.string(),
  kind: triggerKindSchema,
  /** Of the service; its host is the caller's to know. */
  path: z.string(),
  filter: triggerFilterSchema,
  parameters: triggerParametersSchema,
  action: triggerActionSchema,
  mostPerHour: z.int(),
  /** The token by whose rights it acts. */
  owner: z.string(),
  createdAt: z.string(),
  /** What comes meanwhile is left out, and what is pending waits. */
  paused: z.strictObject({ at: z.string(), by: z.string() }).optional(),
  /** Deliveries that were not its sender's, or could not be read. */
  refused: z.strictObject({
    count: z.int(),
    lastAt: z.string().nullable(),
    lastWhy: z.string().nullable(),
  }),
  /** The newest ones, newest first; absent in lists. */
  deliveries: z.array(shownDeliverySchema).optional(),
});

export const madeTriggerSchema = triggerSchema.extend({
  /** Shown this once. */
  secret: z.string(),
});

export const triggerTestSchema = z.strictObject({
  event: wordSchema(120).optional(),
  payload: z.looseObject({}),
});

export const triggerVerdictSchema = z.strictObject({
  verdict: z.enum(['acts', 'ignored', 'refused']),
  text: z.string(),
  place: z.string().optional(),
  /** The parameters' values. */
  values: z.record(z.string(), z.string()).optional(),
  /** What would be done, with the values filled in. */
  act: z.unknown().optional(),
});

export type TriggerKind = z.infer<typeof triggerKindSchema>;
export type TriggerFilter = z.infer<typeof triggerFilterSchema>;
export type TriggerParameters = z.infer<typeof triggerParametersSchema>;
export type TriggerAction = z.infer<typeof triggerActionSchema>;
export type NewTrigger = z.infer<typeof newTriggerSchema>;
export type Trigger = z.infer<typeof triggerSchema>;
export type MadeTrigger = z.infer<typeof madeTriggerSchema>;
export type DeliveryState = z.infer<typeof deliveryStateSchema>;
export type DeliveryOutcome = z.infer<typeof deliveryOutcomeSchema>;
export type ShownDelivery = z.infer<typeof shownDeliverySchema>;
export type TriggerDelivery = z.infer<typeof triggerDeliverySchema>;
export type TriggerVerdict = z.infer<typeof triggerVerdictSchema>;
