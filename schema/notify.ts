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
  if (/^(?:slack|mailto):/i.test(text) || isSlack(url))
    return 'Slack and e-mail are targets that the operator names in GOALKEEPER_NOTIFY';
  if (url === null || !/^https?:$/.test(url.protocol)) return 'an http or https URL';
  return url.username + url.password === '' ? null : 'must not hold a user or password';
}

/** Such a URL is a secret, and Slack takes no other messages there than its own. */
const isSlack = (url: URL | null): boolean =>
  url !== null && /^hooks\.slack(?:-gov)?\.com\.?$/.test(url.hostname);

const LEAST_BYTES = 16;

/** Begins a secret as it is stored where the service has a key for it. */
export const SEALED = 'sealed:';
export const isSealed = (secret: string): boolean => secret.startsWith(SEALED);

const UNSEALED = new RegExp(`^(?!${SEALED})[^\\u0000]*$`);

/** In the notation `whsec_…` a secret is base64 of a key that is long enough; any other is its own. */
const LEAST_DIGITS = Math.ceil((LEAST_BYTES * 4) / 3);
const OF_KEY = new RegExp(`^(?:(?!whsec_)|whsec_[\\w+/-]{${LEAST_DIGITS},}={0,2}$)`);

export const holdsKey = (secret: string): boolean => OF_KEY.test(secret);

const targetFields = z.strictObject({
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
});

/** Exactly one way to the secret; variables of other names hold other secrets. */
export const notifyTargetSchema = inForms(targetFields, oneOfFields(['secret', 'secretEnv']), {
  message: 'give either secret or secretEnv: every delivery is signed',
});

export const notifySchema = z.array(notifyTargetSchema).max(10);

/** The targets of what holds no secret. */
export const unkeyedNotifySchema = z
  .array(targetFields.omit({ secret: true }).required({ secretEnv: true }))
  .max(10);

/** Absent = all. */
const eventsSchema = z.array(notifyEventSchema).min(1).max(10).optional();

/** Whose decisions links of this target make; absent = there are no such links. */
const principalSchema = z
  .string()
  .check(atMost(320))
  .regex(/^[\x21-\x7e]+$/, 'the name of a token, as `goalkeeper token list` shows it')
  .regex(
    /^(?!oidc:)/,
    'the name of a token: what a person who signs in at the provider may is known only while signed in',
  )
  .optional();

const slackTargetSchema = z.strictObject({
  /** What deliveries call it. */
  slack: z.string().regex(/^[\w.-]{1,60}$/, 'a name of 1 to 60 letters, digits, ".", "_" and "-"'),
  /** A variable of the workers' environment that holds the incoming webhook's URL, which is a secret. */
  urlEnv: z
    .string()
    .regex(/^GOALKEEPER_NOTIFY_[A-Z0-9_]{1,80}$/, 'a variable named GOALKEEPER_NOTIFY_…'),
  events: eventsSchema,
  as: principalSchema,
});

/** Local part and domain in ASCII, of which no mail server makes two recipients. */
export const MAIL_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d.-]{0,200}[a-z\d])?$/i;

const mailTargetSchema = z.strictObject({
  mailto: z.string().regex(MAIL_ADDRESS, 'one address, such as ada@example.com'),
  events: eventsSchema,
  as: principalSchema,
});

/** What the operator alone names, beside webhooks. */
const serviceTargetSchema = z.unknown().transform((given, context): ServiceTarget => {
  const has = (field: string) => typeof given === 'object' && given !== null && field in given;
  const form = has('slack')
    ? slackTargetSchema
    : has('mailto')
      ? mailTargetSchema
      : notifyTargetSchema;
  const parsed = form.safeParse(given);
  if (parsed.success) return parsed.data;
  for (const { message, path } of parsed.error.issues)
    context.addIssue({ code: 'custom', message, path: [...path] });
  return z.NEVER;
});

export const serviceTargetsSchema = z.array(serviceTargetSchema).max(10);

/** What names a target in the outbox: no two of a list have the same. */
export function targetKey(target: ServiceTarget): string {
  if ('slack' in target) return `slack:${target.slack}`;
  return 'mailto' in target ? `mailto:${target.mailto.toLowerCase()}` : target.url;
}

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
export type SlackTarget = z.infer<typeof slackTargetSchema>;
export type MailTarget = z.infer<typeof mailTargetSchema>;
export type ServiceTarget = NotifyTarget | SlackTarget | MailTarget;
export type ShownTarget = z.infer<typeof shownTargetSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type Notification = z.infer<typeof notificationSchema>;
