import { z } from 'zod';
import { inForms, oneOfFields } from './forms.ts';
import { atMost, inFormat } from './text.ts';

/** Each time that a goal begins to wait for a person, and its end. */
export const notifyEventSchema = z.enum([
  'question',
  'approval',
  'blocked',
  'paused',
  'budget_limited',
  'complete',
]);

const urlSchema = z.string().check(atMost(1000)).check(inFormat('http-url', urlProblem));

function urlProblem(text: string): string | null {
  // Parsers of addresses leave line breaks out, and whoever shows the text does not.
  const url = !/[\p{Cc}\s]/u.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'an http or https URL';
  return url.username + url.password === '' ? null : 'must not hold a user or password';
}

const LEAST_BYTES = 16;

/** Begins a secret as it is stored where the service has a key for it. */
export const SEALED = 'sealed:';
export const isSealed = (secret: string): boolean => secret.startsWith(SEALED);

const UNSEALED = new RegExp(`^(?!${SEALED})[^\\u0000]*$`);

/** In the notation `whsec_…` a secret is base64 of a key that is long enough; any other is its own. */
const LEAST_DIGITS = Math.ceil((LEAST_BYTES * 4) / 3);
const OF_KEY = new RegExp(`^(?:(?!whsec_)|whsec_[\\w+/-]{${LEAST_DIGITS},}={0,2}$)`);

export const holdsKey = (secret: string): boolean => OF_KEY.test(secret);

/** Exactly one way to the secret; variables of other names hold other secrets. */
export const notifyTargetSchema = inForms(
  z.strictObject({
    url: urlSchema,
    secret: z
      .string()
      .min(LEAST_BYTES)
      .check(atMost(200))
      .regex(OF_KEY, `behind whsec_: the base64 of at least ${LEAST_BYTES} bytes`)
      .regex(UNSEALED, `must not begin with ${SEALED}`)
      .optional(),
    /** A variable of the worker's environment. */
    secretEnv: z
      .string()
      .regex(/^GOALKEEPER_NOTIFY_[A-Z0-9_]{1,80}$/, 'a variable named GOALKEEPER_NOTIFY_…')
      .optional(),
    /** Absent = all. */
    events: z.array(notifyEventSchema).min(1).max(10).optional(),
  }),
  oneOfFields(['secret', 'secretEnv']),
  { message: 'give either secret or secretEnv: every delivery is signed' },
);

export const notifySchema = z.array(notifyTargetSchema).max(10);

/** A target as callers see it: no secret, and no query that may hold one. */
export const shownTargetSchema = z.strictObject({
  url: z.string(),
  events: z.array(notifyEventSchema).optional(),
});

export const deliverySchema = z.strictObject({
  url: z.string(),
  /** The place that configures the URL. */
  origin: z.enum(['goal', 'service']),
  state: z.enum(['pending', 'delivered', 'given_up']),
  attempts: z.int(),
  /** Time of the next attempt; null = there is none. */
  nextAt: z.string().nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  deliveredAt: z.string().nullable(),
});

export const notificationSchema = z.strictObject({
  /** Also the `webhook-id` of all its deliveries. */
  notificationId: z.string(),
  goalId: z.string(),
  type: z.string(),
  createdAt: z.string(),
  deliveries: z.array(deliverySchema),
});

export type NotifyEvent = z.infer<typeof notifyEventSchema>;
export type NotifyTarget = z.infer<typeof notifyTargetSchema>;
export type ShownTarget = z.infer<typeof shownTargetSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type Notification = z.infer<typeof notificationSchema>;
