import { z } from 'zod';

/** Each time that a goal begins to wait for a person, and its end. */
export const notifyEventSchema = z.enum([
  'question',
  'approval',
  'blocked',
  'paused',
  'budget_limited',
  'complete',
]);

const urlSchema = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .refine((url) => {
    if (!URL.canParse(url)) return true;
    const { username, password } = new URL(url);
    return username === '' && password === '';
  }, 'must not hold a user or password');

const LEAST_BYTES = 16;

/** Begins a secret as it is stored where the service has a key for it. */
export const SEALED = 'sealed:';
export const isSealed = (secret: string): boolean => secret.startsWith(SEALED);

/**
 * In the notation `whsec_…`: does its base64 hold a key that is long enough? Any other is its own.
 */
export function holdsKey(secret: string): boolean {
  if (!secret.startsWith('whsec_')) return true;
  const [, digits = ''] = /^whsec_([\w+/-]+)={0,2}$/.exec(secret) ?? [];
  return Math.floor((digits.length * 3) / 4) >= LEAST_BYTES;
}

/** Exactly one way to the secret; variables of other names hold other secrets. */
export const notifyTargetSchema = z
  .strictObject({
    url: urlSchema,
    secret: z
      .string()
      .min(LEAST_BYTES)
      .max(200)
      .refine(holdsKey, `behind whsec_: the base64 of at least ${LEAST_BYTES} bytes`)
      .refine((secret) => !isSealed(secret), `must not begin with ${SEALED}`)
      .optional(),
    /** A variable of the worker's environment. */
    secretEnv: z
      .string()
      .regex(/^GOALKEEPER_NOTIFY_[A-Z0-9_]{1,80}$/, 'a variable named GOALKEEPER_NOTIFY_…')
      .optional(),
    /** Absent = all. */
    events: z.array(notifyEventSchema).min(1).max(10).optional(),
  })
  .refine(
    ({ secret, secretEnv }) => (secret === undefined) !== (secretEnv === undefined),
    'give either secret or secretEnv: every delivery is signed',
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
